import { isAnonymous } from "../../toggle/design/channel_design.ts";
import { type ChannelPlan, DISTURBANCES } from "./channel_plan.ts";
import { BY_WORDS, designName, DESIGNS } from "./design_settings.ts";

/** A plan that is explored, for any core. */
export interface ChannelSetting {
  readonly name: string;
  readonly plan: Omit<ChannelPlan, "core">;
}

const ONE = { serverCount: 1, portCount: 1 } as const;
/** The first client makes its calls at once. */
const BATCH = { serverCount: 1, portCount: 2, isBatch: true } as const;
const SPINNING = { ...ONE, waiter: "spin-pause" } as const;
const TWO_CALLS = { clients: [["call"], ["call"]] } as const;
/** Three lanes of both halves of a mask. */
const MASK = { lo: 0x80000001, hi: 0x10 };

const LOCKS = DESIGNS.flatMap(({ portLock = [] }) => portLock).filter(isAnonymous);
/** Its side has somebody else from some step on, or had from the start, where it is as `owner`. */
const HELD = { portLock: "held" } as const;

/** Every state, quickly enough for the tests. */
export const SHORT_SETTINGS: readonly ChannelSetting[] = named([
  ...(["spin", "backoff", "adaptive", "park"] as const).map((waiter) => (
    { ...ONE, waiter, clients: [["call"]] }
  )),
  { ...ONE, clients: [["call", "cast"]] },
  { ...ONE, clients: [["srs"]] },
  { ...ONE, clients: [["sst"]] },
  { ...ONE, clients: [["srs"]], isAsync: true },
  { ...SPINNING, clients: [["call"], ["cast"]] },
  { ...SPINNING, clients: [["ssr"], ["sr"]] },
  { ...SPINNING, clients: [["ss", "call"]], laneCount: 64, mask: MASK },
  { ...SPINNING, clients: [["p"]] },
  { ...SPINNING, clients: [["sq"]] },
  { ...SPINNING, clients: [["sq"]], disturbance: "a client is slow" },
  { ...SPINNING, clients: [["p"]], disturbance: "server dies" },
  { ...SPINNING, clients: [["sq"]], disturbance: "server dies" },
  { ...ONE, clients: [["call"]], disturbance: "time passes" },
  { ...SPINNING, clients: [["sr"], ["s"]], disturbance: "time passes" },
  { ...ONE, clients: [["call"]], serverCount: 0, disturbance: "time passes" },
  { ...SPINNING, clients: [["srs"]], disturbance: "a client is slow" },
  { ...SPINNING, clients: [["call"]], disturbance: "stopped" },
  { ...SPINNING, clients: [["call"]], disturbance: "shut down" },
  { ...SPINNING, clients: [["call"]], disturbance: "client dies" },
  { ...ONE, clients: [["call"]], disturbance: "server dies" },
  { ...ONE, clients: [["srs"]], disturbance: "server dies" },
  ...DESIGNS.map((design) => ({ ...ONE, clients: [["call"]], design })),
  { ...BATCH, clients: [["call", "call"]], design: BY_WORDS },
  { ...BATCH, clients: [["call", "call"]], design: BY_WORDS, isAsync: true },
  { ...BATCH, clients: [["call", "call", "call"]], design: BY_WORDS, waiter: "spin-pause" },
  { ...BATCH, clients: [["call", "call"]], waiter: "spin-pause", disturbance: "time passes" },
  { ...ONE, clients: [["call", "cast"]], areProcesses: true },
  { ...ONE, clients: [["call"]], disturbance: "server dies", areProcesses: true },
]);

/** Every state, in minutes: for `deno task explore`. */
export const LONG_SETTINGS: readonly ChannelSetting[] = named([
  { ...ONE, ...TWO_CALLS },
  { ...ONE, clients: [["srsr"], ["sr"]] },
  { ...ONE, ...TWO_CALLS, areProcesses: true },
  { ...ONE, clients: [["srs"]], disturbance: "client dies", areProcesses: true },
  { ...ONE, clients: [["call"]], disturbance: "shut down", areProcesses: true },
  { ...ONE, clients: [["call"], ["cast"]] },
  { ...ONE, clients: [["p"]] },
  { ...ONE, clients: [["sq"]] },
  { ...SPINNING, clients: [["p"]], disturbance: "a client is slow" },
  ...(["time passes", "client dies"] as const).flatMap((disturbance) => [
    { ...SPINNING, clients: [["p"]], disturbance },
    { ...SPINNING, clients: [["sq"]], disturbance },
  ]),
  { ...ONE, clients: [["ss"], ["call"]] },
  { ...SPINNING, clients: [["call"]], serverCount: 2 },
  { ...SPINNING, ...TWO_CALLS, portCount: 2 },
  { ...SPINNING, clients: [["srs"], ["s"]], disturbance: "time passes" },
  { ...ONE, clients: [["srs"]], isAsync: true, disturbance: "time passes" },
  { ...ONE, clients: [["srs"]], disturbance: "a client is slow" },
  { ...SPINNING, clients: [["srs"], ["s"]], disturbance: "a client is slow" },
  { ...ONE, clients: [["call"]], disturbance: "stopped" },
  { ...ONE, clients: [["call"]], disturbance: "shut down" },
  { ...SPINNING, clients: [["call"]], disturbance: "client asked" },
  { ...SPINNING, clients: [["call"]], disturbance: "server asked" },
  { ...SPINNING, clients: [["srs"]], disturbance: "client asked" },
  { ...SPINNING, clients: [["srs"]], disturbance: "server asked" },
  { ...ONE, clients: [["srs"]], disturbance: "client dies" },
  { ...SPINNING, ...TWO_CALLS, disturbance: "client dies" },
  { ...SPINNING, clients: [["call"]], serverCount: 2, disturbance: "server dies" },
  { ...SPINNING, clients: [["s"]], serverCount: 2, disturbance: "shut down" },
  ...DESIGNS.map((design) => ({ ...SPINNING, clients: [["sr"], ["s"]], design })),
  ...LOCKS.map((portLock) => ({ ...ONE, clients: [["sr"], ["s"]], design: { portLock } })),
  { ...SPINNING, clients: [["sr"], ["s"]], late: "client", design: HELD },
  {
    ...SPINNING,
    clients: [["call"]],
    disturbance: "client asked",
    design: { portLock: "exchange" },
  },
  {
    ...SPINNING,
    clients: [["call"]],
    disturbance: "server asked",
    design: { portLock: "exchange" },
  },
]);

const MANY_CALLS = {
  clients: [["call", "srsr"], ["cast", "sr"], ["ss", "call"]],
  serverCount: 2,
} as const;

/** Random schedules of what has too many states. */
export const RANDOM_SETTINGS: readonly ChannelSetting[] = named([
  { ...MANY_CALLS, portCount: 2 },
  { ...MANY_CALLS, portCount: 40, waiter: "spin-pause" },
  { ...MANY_CALLS, portCount: 1, isAsync: true },
  { ...BATCH, clients: [["call", "call", "call"], ["call", "sr"]], design: BY_WORDS },
  { clients: [["pr"], ["sqs"], ["call"]], serverCount: 2, portCount: 1 },
  ...(["time passes", "client dies"] as const).map((disturbance) => (
    { clients: [["p"], ["call", "p"]], serverCount: 2, portCount: 1, disturbance }
  )),
  ...DISTURBANCES.map((disturbance) => ({ ...MANY_CALLS, portCount: 1, disturbance })),
  ...(["client", "server"] as const).map((late) => (
    { clients: [["call", "sr"], ["call"]], serverCount: 2, portCount: 1, late, design: HELD }
  )),
]);

function named(plans: readonly Omit<ChannelPlan, "core">[]): ChannelSetting[] {
  return plans.map((plan) => ({ name: nameOf(plan), plan }));
}

/** In words: who calls whom, how they wait, and what happens to them. */
function nameOf(plan: Omit<ChannelPlan, "core">): string {
  const { clients, serverCount, portCount, waiter = "park", isAsync } = plan;
  const { disturbance, mask, late, isBatch, areProcesses } = plan;
  const design = plan.design && designName(plan.design);
  const calls = clients.map((shapes) => shapes.join(" then ")).join(" beside ");
  const sides = `${calls}, ${serverCount} servers, ${portCount} ports, ${waiter}`;
  const rest = [
    isBatch && "the first at once",
    isAsync && "asynchronous",
    areProcesses && "between processes",
    mask && "three of 64 lanes",
    disturbance,
    late && `a ${late} comes later`,
    design,
  ];
  return [sides, ...rest.filter((part) => part)].join(", ");
}
