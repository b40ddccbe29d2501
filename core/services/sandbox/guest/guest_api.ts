import * as s from "../../../signature/mod.ts";
import type { WallLimits } from "../../../system/wall.ts";

/**
 * What a guest tells its host, by blocking calls on a channel for these alone: `ready` with what is wrong, or no
 * text; `answer` with the number of a question, whether it failed,
 * and JSON; `print` with what it wrote to its console, or threw where nobody caught it, for the log; `left` at
 * its end.
 */
export const guestApi = s.hostApi("sandbox", {
  ready: s.fn([s.string], s.nothing),
  answer: s.fn([s.u32, s.bool, s.bytes("in")], s.nothing),
  print: s.fn([s.string], s.nothing),
  left: s.fn([], s.nothing),
});

/** The functions of {@linkcode guestApi}. */
export type GuestFunctions = typeof guestApi extends s.HostApi<infer Fs> ? Fs : never;

/** What a guest runs. */
export interface GuestScript {
  /** A script in the CommonJS form. */
  readonly source: string;
  /** Packed by `packApi`. */
  readonly apis: readonly unknown[];
}

/** A question to a guest. */
export interface GuestCall {
  readonly kind: "call";
  readonly id: number;
  readonly name: string;
  readonly values: readonly unknown[];
}

/** What the host tells a guest's process: the first one first, once. */
export type GuestRequest =
  | GuestScript & { readonly kind: "start"; readonly limits: WallLimits }
  | GuestCall
  | { readonly kind: "leave" };
