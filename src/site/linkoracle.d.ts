/** Sessions about loop and path puzzles, answered in a worker of this page by linkoracle. */

/** A cell, or a dot between cells, as row and column, counted from 0. */
export type Place = [row: number, column: number];
/** A clue: a number, a word such as "2n", or for Slitherlink a list of allowed numbers. */
export type Clue = number | string | number[];

/** Changes of clues and edges; `null` is no clue, or an edge that is left open. */
export interface Changes {
  clues?: [row: number, column: number, clue: Clue | null][];
  edges?: [one: Place, other: Place, on: boolean | null][];
}

export interface Options {
  /** Seconds after which the promise is rejected. */
  timeout?: number;
  /** Aborts the query. If the query does not end at once, all sessions end with their worker. */
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
  /** How many solutions there are: none, one or more. `changes` hold for this query alone.
   * Solutions are lists of paths: two at most, or `limit` (at least 2). */
  ask(options?: Changes & Options & {limit?: number}): Promise<{status: Status; solutions: Place[][][]}>;
  /** The edges that all solutions have (`lines`), and that none has (`crosses`). */
  forced(options?: Changes & Options): Promise<{
    lines: [Place, Place][]; crosses: [Place, Place][]; whole: boolean;
  }>;
  /** Clues and edges that contradict each other if there is no solution; `minimal` if all of them are
   * needed, `smallest` if no fewer contradict each other. */
  core(options?: Changes & Options): Promise<{
    status: Status; core: State | null; minimal: boolean; smallest: boolean;
  }>;
  /** The number of solutions, up to `limit` (by default 1000). */
  count(options?: Changes & Options & {limit?: number}): Promise<{count: number; exact: boolean}>;
  /** Whether the clue of a cell, or the state of an `edge`, on or off, follows from all others: there
   * are solutions without it, and each is one with it. With `drop`, and without changes, a clue or
   * state that follows is removed, until `undo`. */
  implies(cell: Place, options?: Changes & Options & {drop?: boolean}): Promise<{implied: boolean}>;
  implies(
    cell: undefined, options: Changes & Options & {edge: [one: Place, other: Place]; drop?: boolean},
  ): Promise<{implied: boolean}>;
  /** Changes that stay, until `undo`; `changed` if they changed anything. */
  set(changes: Changes): Promise<State & {changed: boolean}>;
  /** Take back the last `set` or `reduce`, even if it changed nothing, or the last `drop`. */
  undo(): Promise<State & {undone: boolean}>;
  state(): Promise<State>;
  /** Remove clues one after the other, as long as the solution stays the only one: in the `order` of
   * these cells, or in one that depends on the `seed`. The clues of `keep` stay. */
  reduce(options?: Options & {keep?: Place[]} & ({seed?: number} | {order: Place[]})): Promise<{
    status: Status; minimal: boolean; removed: number; seed?: number; clues: State["clues"];
  }>;
  /** The puzzle as text: "text", "json", "pzpr", "loopy" ..., or "svg". */
  write(format: string): Promise<string>;
  svg(): Promise<string>;
  /** Free the solver. */
  close(): Promise<void>;
}

/** Open a puzzle, a text in any format that linkoracle reads. The first call loads the solver. */
export function open(puzzle: string, options?: {signal?: AbortSignal}): Promise<Session>;
