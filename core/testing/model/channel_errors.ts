import type { CallError } from "../../call/call_error.ts";
import { Status } from "../../memory/status.ts";
import type { ChannelPlan, Disturbance } from "./channel_plan.ts";

/** How calls may end badly: those of the first client, and those of all others. */
interface Expected {
  readonly first: readonly (Status | "TimeoutError")[];
  readonly others: readonly (Status | "TimeoutError")[];
}

const { serverGone, askedToLeave, clientLate, outOfStep } = Status;
const ALL_GONE: Expected = { first: [serverGone], others: [serverGone] };

const EXPECTED: Record<Disturbance, Expected> = {
  "time passes": { first: ["TimeoutError"], others: [] },
  "a client is slow": { first: [clientLate, outOfStep], others: [clientLate, outOfStep] },
  stopped: ALL_GONE,
  "shut down": ALL_GONE,
  // Others learn that nobody will serve them where who was given up on holds the only port.
  "client asked": { first: [askedToLeave, serverGone], others: [serverGone] },
  "server asked": ALL_GONE,
  "client dies": { first: [], others: [] },
  "server dies": ALL_GONE,
};

/** Whether a call of this client may end so. */
export function isExpected(
  error: unknown,
  { plan: { disturbance, core }, client }: { readonly plan: ChannelPlan; readonly client: number },
): boolean {
  if (disturbance === undefined) return false;
  const expected = EXPECTED[disturbance][client === 0 ? "first" : "others"];
  if (error instanceof DOMException) return expected.includes(error.name as "TimeoutError");
  return error instanceof core.CallError && expected.includes((error as CallError).status);
}
