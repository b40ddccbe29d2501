import type * as Core from "../explorer/whole_core.ts";
import type { CoreModule } from "../explorer/changed_core.ts";
import type { StepMaker } from "../../toggle/steps/steps.ts";
import type { Side } from "../../toggle/side.ts";

/** What happens to a channel while it is used, at any step of everybody else. */
export const DISTURBANCES = [
  "time passes",
  "a client is slow",
  "stopped",
  "shut down",
  "client asked",
  "server asked",
  "client dies",
  "server dies",
] as const;
/** One of {@linkcode DISTURBANCES}. */
export type Disturbance = typeof DISTURBANCES[number];

/** A model of clients and servers as they are, and of one thing that happens to them. */
export interface ChannelPlan {
  readonly core: CoreModule;
  /** Makes the steps of everybody's calls; absent: they are as the design has them. */
  readonly makeSteps?: StepMaker;
  /**
   * The calls of each client, one after the other: `call` and `cast` are those of `Client`, all others
   * the sends and receives of a port, such as `srsr`, with `t` for a receive that polls, `p` for a
   * stream in parts to the server and `q` for one from it.
   */
  readonly clients: readonly (readonly string[])[];
  /** Whether the first client makes its calls, which are `call`, at once. */
  readonly isBatch?: boolean;
  readonly serverCount: number;
  readonly portCount: number;
  /** 1 when absent. */
  readonly laneCount?: number;
  /** What is not the default of the channel. */
  readonly design?: Partial<Core.ChannelDesign>;
  /** The lanes of every call; all when absent. */
  readonly mask?: Core.LaneMask;
  /** Of both sides; `park` when absent, which sleeps whenever it can. */
  readonly waiter?: Core.WaiterName;
  /** Who has the code of the one page, and not the library's: nobody when absent. */
  readonly pages?: readonly (Side | "first client")[];
  /** Whether everybody waits asynchronously: with a core that was changed for it. */
  readonly isAsync?: boolean;
  /** Whether everybody is a process of its own, without a futex: nobody hears a notify. */
  readonly areProcesses?: boolean;
  /** The last client or server comes while the others are at work; absent: all are there first. */
  readonly late?: Side;
  /** Absent: the last client to finish shuts the channel down. */
  readonly disturbance?: Disturbance;
}

/** Words behind the channel, which the model keeps and no thread of the channel knows of. */
export interface ModelWords {
  /** A bit for each client that touches no port any more, and one for who disturbs. */
  readonly doneWord: number;
  /** A bit for each call that was served to its end: `CALLS_MAX` x client + call. */
  readonly servedWord: number;
  /** The time, in seconds. */
  readonly timeWord: number;
  /** What a packet holds: one word a port. */
  readonly dataWord: number;
  /** See `holderWord`: two words a port. */
  readonly holdersWord: number;
  /** What the parts of a packet hold: `PART_WINDOW` words a port. */
  readonly partWord: number;
}

/** How many parts of a packet are under way at once in a stream, and how many there are. */
export const PART_WINDOW = 2;
export const PART_COUNT = 3;

/** Who a thread of a model acts for. */
export interface Actor {
  /** Absent: for no side. */
  readonly side: Side | undefined;
  /** What it writes into locks. */
  readonly ownerId: number;
}

/** A plan with its memory. */
export interface PlanSetting {
  readonly plan: ChannelPlan;
  readonly layout: Core.ChannelLayout;
  readonly at: ModelWords;
}

const FIRST_OPCODE = 40_000;
/** Calls of one client at most, and clients: each call has a bit of a word. */
export const CALLS_MAX = 8;

/** Whether somebody sends in parts. */
export function isStreaming({ clients }: ChannelPlan): boolean {
  return clients.flat().some((shape) => /^[sr]*[pq]/.test(shape));
}

/** The kinds of calls in a plan, each with the opcode `FIRST_OPCODE` and its place. */
export function shapesOf({ clients }: ChannelPlan): string[] {
  return [...new Set(clients.flat())];
}

/** The opcode of a kind of call. */
export function opcodeOf(plan: ChannelPlan, shape: string): number {
  return FIRST_OPCODE + shapesOf(plan).indexOf(shape);
}

/** The threads of a plan: clients, servers, and who disturbs. */
export function actorsOf({ clients, serverCount, disturbance, late }: ChannelPlan): Actor[] {
  const actors: Actor[] = [];
  const memberCount = clients.length + serverCount;
  const lateClient = late === "client" ? clients.length - 1 : clients.length;
  for (let client = 0; client < clients.length; client++) {
    actors.push({ side: "client", ownerId: client === lateClient ? memberCount : client + 1 });
  }
  for (let server = 0; server < serverCount; server++) {
    actors.push({ side: "server", ownerId: lateClient + server + 1 });
  }
  if (disturbance === "client dies") actors.push({ side: "client", ownerId: 1 });
  else if (disturbance === "server dies") {
    actors.push({ side: "server", ownerId: clients.length + 1 });
  } else if (disturbance) actors.push({ side: undefined, ownerId: actors.length + 1 });
  return actors;
}

/** The thread that may die, if one may. */
export function mortalOf({ clients, disturbance }: ChannelPlan): number | undefined {
  if (disturbance === "client dies") return 0;
  return disturbance === "server dies" ? clients.length : undefined;
}
