import {
  bool,
  type Bytes,
  bytes,
  fn,
  type FunctionSignature,
  type HostApi,
  hostApi,
  nothing,
  type Scalar,
  string,
  type Text,
  u32,
  type Void,
} from "../../../signature/mod.ts";
import type { ChannelHandle } from "../../../toggle/channel_handle.ts";

/** What a guest's worker tells its host. */
export type GuestFunctions = {
  readonly ready: FunctionSignature<readonly [Text], Void>;
  readonly answer: FunctionSignature<readonly [Scalar<"u32">, Scalar<"bool">, Bytes<"in">], Void>;
  readonly print: FunctionSignature<readonly [Text], Void>;
  readonly left: FunctionSignature<readonly [], Void>;
};

/**
 * What a guest's worker tells its host, by blocking calls on a channel for these alone: `ready` with
 * what is wrong, or no text; `answer` with the number of a question, whether it failed, and JSON;
 * `print` with what it wrote to its console, or threw where nobody caught it, for the log; `left` at its
 * end.
 */
export const guestApi: HostApi<GuestFunctions> = hostApi("sandbox", {
  ready: fn([string], nothing),
  answer: fn([u32, bool, bytes("in")], nothing),
  print: fn([string], nothing),
  left: fn([], nothing),
});

/** What the host posts to a guest's worker: the first one first, once. */
export type GuestRequest =
  | {
    readonly kind: "start";
    /** For the calls of the guest. */
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
