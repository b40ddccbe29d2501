import type * as Ring from "../../command_ring/mod.ts";

/** One act of a client. `wide` is a cast whose command takes two cells. */
export type RingAct = "call" | "cast" | "wide";

/** The ring and the clients of a model. */
export interface RingPlan {
  readonly slotCount: number;
  readonly cellCount: number;
  readonly clients: readonly (readonly RingAct[])[];
  /** Whether the model runs real waits. Otherwise each is one step, and no one rings or wakes. */
  readonly sleeps?: boolean;
  /** Whether the host gives up writers once, at any of their steps. Not together with `sleeps`. */
  readonly tears?: boolean;
}

/** The largest number of calls of a client. */
export const CALLS_MAX = 4;

/** A plan with its memory. */
export interface RingSetting {
  readonly plan: RingPlan;
  readonly core: typeof Ring;
  readonly layout: Ring.RingLayout;
  /** Words after the ring: the clients that ended, the calls that were served, and whether to tear. */
  readonly at: {
    readonly doneWord: number;
    readonly servedWord: number;
    readonly tearWord: number;
  };
}

/** The additional bytes of a wide command. */
export const WIDE_BYTES = 64;
/** The only command. A call's value is the number of its bytes, without the additional ones. */
export const COMMAND = "v";
