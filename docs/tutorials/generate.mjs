// Makes a Slitherlink: a random loop, all its clues, and then as few of them as are enough.
// Usage: node generate.mjs ROWS COLS SEED
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [rows, cols, seed] = process.argv.slice(2).map(Number);
const oracle = spawn("count-solutions", ["--jsonl"], { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: oracle.stdout })[Symbol.asyncIterator]();
let asked = 0;

async function ask(request) {
  oracle.stdin.write(JSON.stringify({ id: ++asked, session: "board", ...request }) + "\n");
  const answer = JSON.parse((await answers.next()).value);
  if (answer.error) throw new Error(answer.error);
  return answer;
}

let state = seed;
const below = (bound) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * bound);
};

async function randomLoop() {
  await ask({ op: "open", kind: "slitherlink", rows, cols });
  for (let tried = 0; tried < rows * cols; tried++) {
    // A random edge from a dot to the next on the right or below, on or off.
    const [down, right] = below(2) ? [1, 0] : [0, 1];
    const [row, col] = [below(rows + 1 - down), below(cols + 1 - right)];
    const edges = [[[row, col], [row + down, col + right], below(2) === 1]];
    if ((await ask({ op: "ask", edges })).status !== "none") await ask({ op: "set", edges });
  }
  const { solutions } = await ask({ op: "ask", show: true });
  await ask({ op: "close" });
  return solutions[0][0];
}

function cluesOf(loop) {
  const clues = Array.from({ length: rows }, () => Array(cols).fill(0));
  for (let step = 1; step < loop.length; step++) {
    const [[row, col], [row2, col2]] = [loop[step - 1], loop[step]];
    const [top, left] = [Math.min(row, row2), Math.min(col, col2)];
    // The cells on both sides of the edge, as far as they are on the board.
    for (const [r, c] of [[top, left], row === row2 ? [top - 1, left] : [top, left - 1]])
      if (clues[r]?.[c] !== undefined) clues[r][c]++;
  }
  return clues;
}

for (let done = false; !done; ) {
  const grid = cluesOf(await randomLoop());
  await ask({ op: "open", kind: "slitherlink", grid });
  const { status, clues } = await ask({ op: "reduce", seed });
  await ask({ op: "close" });
  if (status !== "unique") continue; // even all clues have two solutions: another loop
  const board = Array.from({ length: rows }, () => Array(cols).fill("."));
  for (const [row, col, clue] of clues) board[row][col] = clue;
  console.log("slitherlink\n" + board.map((line) => line.join("")).join("\n"));
  done = true;
}
oracle.stdin.end();
