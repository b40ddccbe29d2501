import type * as Core from "../../mod.ts";

/** The core, as it is or with a fault planted. */
export type CoreModule = typeof Core;

/** A model of clients that each make one call of a given shape, and of servers that mirror it. */
export interface SessionPlan {
  readonly core: CoreModule;
  /** The client's sends and receives, such as `srsr`; starts with `s`. */
  readonly operations: string;
  readonly clientCount: number;
  readonly serverCount: number;
  readonly portCount: number;
  /** What both mailboxes of every port hold at the start: the two parities of a free port. */
  readonly parity: 0 | 1;
  /** Whether the servers know the opcode. */
  readonly isHandled?: boolean;
}

/** Words behind the channel, in which the monitors keep what no thread may see. */
export interface Monitors {
  /** Calls that ended. */
  readonly doneWord: number;
  /** What a packet holds: one word a port. */
  readonly dataWord: number;
}

/** A plan with its memory. */
export interface Scene {
  readonly plan: SessionPlan;
  readonly layout: Core.ChannelLayout;
  readonly monitors: Monitors;
}
