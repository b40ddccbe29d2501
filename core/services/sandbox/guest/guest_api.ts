import * as s from "../../../signature/mod.ts";
import type { ChannelHandle } from "../../../toggle/channel_handle.ts";

/**
 * What a guest's worker tells its host, by blocking calls on a channel for these alone: `ready` with
 * what is wrong, or no text; `answer` with the number of a question, whether it failed, and JSON;
 * `print` with what it wrote to its console, or threw where nobody caught it, for the log; `left` at its
 * end.
 */
export const guestApi = s.hostApi("sandbox", {
  ready: s.fn([s.string], s.nothing),
  answer: s.fn([s.u32, s.bool, s.bytes("in")], s.nothing),
  print: s.fn([s.string], s.nothing),
  left: s.fn([], s.nothing),
});

/** The functions of {@linkcode guestApi}. */
export type GuestFunctions = typeof guestApi extends s.HostApi<infer Fs> ? Fs : never;

/** What the host posts to a guest's worker: the first one first, once. */
export type GuestRequest =
  | {
    readonly kind: "start";
    readonly handle: ChannelHandle;
    /** For {@linkcode guestApi}, one call at a time. */
    readonly guestHandle: ChannelHandle;
    /** A script in the CommonJS form. */
    readonly source: string;
    /** Packed by `packApi`. */
    readonly apis: readonly unknown[];
  }
  | {
    readonly kind: "call";
    readonly id: number;
    readonly name: string;
    readonly values: readonly unknown[];
  }
  | { readonly kind: "leave" };
