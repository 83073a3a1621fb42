/** Sessions with loop and path puzzles, answered by linkoracle in a worker of this page. */

/** A cell, or a dot between cells, as row and column, counted from 0. */
export type Place = [row: number, column: number];
/** A clue: a number, a word such as "2n", or for Slitherlink a list of allowed numbers. */
export type Clue = number | string | number[];

/** Changes of clues and edges; `null` removes a clue, or leaves an edge open. */
export interface Changes {
  clues?: [row: number, column: number, clue: Clue | null][];
  edges?: [one: Place, other: Place, on: boolean | null][];
}

export interface Options {
  /** Seconds after which the promise is rejected. */
  timeout?: number;
  /** Aborts the query. If the query does not end at once, the worker and all its sessions end. */
  signal?: AbortSignal;
}

export type Status = "none" | "unique" | "many";

export interface State {
  clues: [row: number, column: number, clue: Clue][];
  edges: [one: Place, other: Place, on: boolean][];
}

export interface Session {
  readonly kind: string;
  readonly rows: number;
  readonly cols: number;
  /** Find out whether there is no solution, one, or more. Changes in `options` apply to this query only.
   * Solutions are lists of paths: at most two, or `limit` (at least 2). */
  ask(options?: Changes & Options & {limit?: number}): Promise<{status: Status; solutions: Place[][][]}>;
  /** Return the edges that all solutions have (`lines`), and those that no solution has (`crosses`). */
  forced(options?: Changes & Options): Promise<{
    lines: [Place, Place][]; crosses: [Place, Place][]; whole: boolean;
  }>;
  /** Return clues and edges that contradict each other if there is no solution. The core is `minimal` if all of them
   * are needed, `smallest` if no smaller core exists. */
  core(options?: Changes & Options): Promise<{
    status: Status; core: State | null; minimal: boolean; smallest: boolean;
  }>;
  /** Return the number of solutions, up to `limit` (default 1000). */
  count(options?: Changes & Options & {limit?: number}): Promise<{count: number; exact: boolean}>;
  /** Return whether the clue of a cell follows from the others. */
  implies(cell: Place, options?: Changes & Options): Promise<{implied: boolean}>;
  /** Make changes that stay until `undo`. */
  set(changes: Changes): Promise<State>;
  undo(): Promise<State & {undone: boolean}>;
  state(): Promise<State>;
  /** Remove clues one by one while the solution stays unique. */
  reduce(options?: Options & {seed?: number; keep?: Place[]}): Promise<{
    status: Status; minimal: boolean; seed: number; clues: State["clues"];
  }>;
  /** Return the puzzle in a format: "text", "json", "pzpr", "loopy" ..., or "svg". */
  write(format: string): Promise<string>;
  svg(): Promise<string>;
  /** Free the solver. */
  close(): Promise<void>;
}

/** Open a puzzle, a text in any format that linkoracle reads. The first call loads the solver. */
export function open(puzzle: string, options?: {signal?: AbortSignal}): Promise<Session>;
