import type * as Ring from "../../command_ring/mod.ts";

/** What a client does, one after the other; `wide` is a cast whose command takes two cells. */
export type RingAct = "call" | "cast" | "wide";

/** Who takes part. */
export interface RingPlan {
  readonly slotCount: number;
  readonly cellCount: number;
  readonly clients: readonly (readonly RingAct[])[];
  /** Whether waits are as they are; else each is one step, and nobody rings or wakes. */
  readonly sleeps?: boolean;
  /** Whether the host gives writers up once, at any step of theirs. Not where it sleeps. */
  readonly tears?: boolean;
}

/** Calls that a client makes at most. */
export const CALLS_MAX = 4;

/** A plan with its memory. */
export interface RingSetting {
  readonly plan: RingPlan;
  readonly core: typeof Ring;
  readonly layout: Ring.RingLayout;
  /** Words behind the ring: clients that ended, calls that were served, whether to tear. */
  readonly at: {
    readonly doneWord: number;
    readonly servedWord: number;
    readonly tearWord: number;
  };
}

/** Bytes that a wide command has more. */
export const WIDE_BYTES = 64;
/** The one command. A call's value is the count of its bytes, but for those of a wide one. */
export const COMMAND = "v";
