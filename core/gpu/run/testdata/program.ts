import type { GpuRunOptions, RunArrays } from "../run_options.ts";

/** The ways of running a kernel that calls the host. */
export type WayName = "epochs" | "live" | "subgroups" | "one dispatch";

/** What a program is run with, in whichever way. */
export type ProgramOptions =
  & Omit<GpuRunOptions<RunArrays>, "print">
  & { readonly roundsMax?: number };

/**
 * One kernel, what it is run with, and what has to come of it in every way. A run that succeeds is run
 * again, as it is kept: so `run` is a function where its functions remember something.
 */
export interface Program {
  readonly name: string;
  /** The text; `§` is no part of it, but the place where a compiler has to see a mistake. */
  readonly source: string;
  readonly run?: ProgramOptions | (() => ProgramOptions);
  /** What is printed; lines of several waves in any order, which `lines` has. */
  readonly prints?: string;
  readonly lines?: readonly string[];
  /** What the functions of the host are called with, in any order. */
  readonly calls?: readonly string[];
  /** Buffers after the run, as numbers. */
  readonly leaves?: Readonly<Record<string, readonly number[]>>;
  /** Numbers of the report, as far as a way counts them. */
  readonly counts?: Readonly<Record<string, number>>;
  /** The error: its name, and parts of its message or of its cause's. */
  readonly fails?: readonly [name: string, ...parts: string[]];
  /** Ways in which it has no meaning, each with the reason that a run has to tell. */
  readonly not?: Partial<Readonly<Record<WayName, string>>>;
  /** Ways in which it would not come to an end, or not to the same one, each with the reason. */
  readonly without?: Partial<Readonly<Record<WayName, string>>>;
  /** The server's text, where waves may be the server, too: without it, the host has to be. */
  readonly server?: string;
}

/** A buffer of zeros. */
export function out(length: number): { readonly out: Uint32Array<ArrayBuffer> } {
  return { out: new Uint32Array(length) };
}

export const OUT = "var<storage, read_write> out: array<u32>;\n";
export const SQUARE = "@service fn square(x: u32) -> u32;\n";
/** The number of a lane among all. */
export const ME = "let me = wave_index * LANE_COUNT + lane_index;\n";

export function square(x: number): number {
  return Math.imul(x, x) >>> 0;
}

/** `length` values by their places. */
export function each<T>(length: number, of: (at: number) => T): T[] {
  return Array.from({ length }, (_, at) => of(at));
}

/** A live wave begins when the device has room: nobody can count on two. */
export const NOT_RESIDENT = {
  live: "waves need not run at the same time",
  subgroups: "waves need not run at the same time",
};

/** A live wave counts the refusals that it hears of, and hears nothing of a cast. */
export const CASTS_UNHEARD = {
  live: "a live run does not tell casts that fail",
  subgroups: "a live run does not tell casts that fail",
};

/** A function that throws. */
export function throwing(error: Error): () => never {
  return () => {
    throw error;
  };
}
