#!/usr/bin/env bash
# Takes clues away from a Slitherlink, given as rows with / between them, while it stays unique.
board=$1
coproc oracle { count-solutions --jsonl --limit 1; }

unique() {
    printf '{"kind": "slitherlink", "grid": "%s"}\n' "${1//\//\\n}" >&"${oracle[1]}"
    read -r answer <&"${oracle[0]}"
    [[ $answer == *'"count": 1, "exact": true'* ]]
}

for ((cell = 0; cell < ${#board}; cell++)); do
    without=${board:0:cell}.${board:cell+1}
    if [[ ${board:cell:1} == [0-4] ]] && unique "$without"; then board=$without; fi
done
printf 'slitherlink\n%s\n' "${board//\//$'\n'}"
