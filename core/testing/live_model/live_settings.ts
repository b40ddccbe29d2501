import type { LivePlan } from "./live_model.ts";

/** A plan that is explored, for any core. */
export interface LiveModelSetting {
  readonly name: string;
  readonly plan: Omit<LivePlan, "core">;
}

const ONE = { serverCount: 1, portCount: 1 } as const;
/** Clients sleep, servers do not. */
const SPINS = { ...ONE, serverWaiter: "spin-pause" } as const;

/** Every state, quickly enough for the tests. */
export const SHORT_LIVE_SETTINGS: readonly LiveModelSetting[] = named([
  { ...ONE, waveCalls: ["call"] },
  { ...ONE, waveCalls: ["cast", "cast"] },
]);

/** Every state, in minutes: for `deno task explore`. */
export const LONG_LIVE_SETTINGS: readonly LiveModelSetting[] = named([
  { ...ONE, waveCalls: ["call", "cast"] },
  { ...ONE, waveCalls: ["cast", "cast", "call"] },
  { ...SPINS, waveCalls: ["cast"], others: [["cast"]] },
  { ...SPINS, waveCalls: ["call"], others: [["call"]] },
]);

/** Random schedules of what has too many states. */
export const RANDOM_LIVE_SETTINGS: readonly LiveModelSetting[] = named([
  { ...ONE, waveCalls: ["cast", "call"], others: [["cast"]] },
  { serverCount: 2, portCount: 2, waveCalls: ["call", "cast"], others: [["call"], ["cast"]] },
]);

function named(plans: readonly Omit<LivePlan, "core">[]): LiveModelSetting[] {
  return plans.map((plan) => {
    const { waveCalls, others = [], serverWaiter = "park" } = plan;
    const calls = [waveCalls, ...others].map((one) => one.join(" then ")).join(" beside ");
    return { name: `a wave's ${calls}, servers ${serverWaiter}`, plan };
  });
}
