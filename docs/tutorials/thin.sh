#!/usr/bin/env bash
# Takes clues away from a Slitherlink, given as rows with / between them, while it stays unique.
board=$1
width=${board%%/*}
width=$((${#width} + 1))
coproc oracle { count-solutions --jsonl; }

ask() {
    printf '{"session": "board", %s}\n' "$1" >&"${oracle[1]}"
    read -r answer <&"${oracle[0]}"
}

ask '"op": "open", "kind": "slitherlink", "grid": "'"${board//\//\\n}"'"'
ask '"op": "ask"'
[[ $answer == *'"status": "unique"'* ]] || { echo "not unique: $answer" >&2; exit 1; }

for ((at = 0; at < ${#board}; at++)); do
    [[ ${board:at:1} == [0-4] ]] || continue
    ask '"op": "implies", "drop": true, "cell": ['$((at / width))', '$((at % width))']'
    if [[ $answer == *'"implied": true'* ]]; then board=${board:0:at}.${board:at+1}; fi
done
printf 'slitherlink\n%s\n' "${board//\//$'\n'}"
