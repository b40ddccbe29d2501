import type * as Core from "../explorer/whole_core.ts";
import type { StepMaker } from "../../toggle/steps/steps.ts";
import type { CoreModule } from "../explorer/changed_core.ts";

/** A model of clients that each make one call of a given shape, and of servers that mirror it. */
export interface SessionPlan {
  readonly core: CoreModule;
  /** Makes the steps of everybody's calls; absent: they are as the design has them. */
  readonly makeSteps?: StepMaker;
  /** The client's sends and receives, such as `srsr`; starts with `s`. */
  readonly operations: string;
  readonly clientCount: number;
  readonly serverCount: number;
  readonly portCount: number;
  /** What is not the default of the channel. */
  readonly design?: Partial<Core.ChannelDesign>;
  /** What both mailboxes of every port hold at the start: the two parities of a free port. */
  readonly parity: 0 | 1;
  /** Whether the servers know the opcode. */
  readonly isHandled?: boolean;
  /** Whether the servers clear hints: searches are too few for it unless the core is changed. */
  readonly isTidied?: boolean;
}

/** Words behind the channel, in which the monitors keep what no thread may see. */
export interface Monitors {
  /** Calls that ended. */
  readonly doneWord: number;
  /** What a packet holds: one word a port. */
  readonly dataWord: number;
  /** See `holderWord`: two words a port. */
  readonly holdersWord: number;
}

/** A plan with its memory. */
export interface SessionSetting {
  readonly plan: SessionPlan;
  readonly layout: Core.ChannelLayout;
  readonly monitors: Monitors;
}

/** Every string of sends and receives that starts with a send, shortest first. */
export function operationStrings(lengthMax: number): string[] {
  const strings: string[] = [];
  for (let length = 1; length <= lengthMax; length++) {
    for (let bits = 0; bits < 1 << (length - 1); bits++) {
      const rest = bits.toString(2).padStart(length - 1, "0").slice(0, length - 1);
      strings.push("s" + rest.replaceAll("0", "s").replaceAll("1", "r"));
    }
  }
  return strings;
}
