import { allowedCpus, keepOnCpus } from "../../scenarios/partner/affinity.ts";
import type { Partner } from "../../scenarios/partner/partner.ts";

/** Where the two threads of a point are kept. */
export interface Placement {
  readonly clientCpu: number;
  readonly partnerCpu: number;
  /** Whether the two share a core's execution units, which makes flags travel faster. */
  readonly areSiblings: boolean;
}

/**
 * Keeps this thread and its partner on a processor each: on two cores if there are, else on two
 * threads of one.
 *
 * @returns nothing where the system does not allow it, or has one processor: the scheduler decides
 */
export async function placeApart(partner: Partner): Promise<Placement | undefined> {
  const placement = choosePlacement(allowedCpus(), siblingsOf);
  if (!placement || !keepOnCpus([placement.clientCpu])) return undefined;
  return await partner.keepOnCpu(placement.partnerCpu) ? placement : undefined;
}

/**
 * The last two processors that are not siblings: the first ones serve interrupts on many machines.
 *
 * @param siblings of a processor, itself included
 */
export function choosePlacement(
  cpus: readonly number[],
  siblings: (cpu: number) => readonly number[],
): Placement | undefined {
  const [partnerCpu, ...others] = cpus.toReversed();
  if (partnerCpu === undefined || others.length === 0) return undefined;
  const near = new Set(siblings(partnerCpu));
  const clientCpu = others.find((cpu) => !near.has(cpu)) ?? others[0]!;
  return { clientCpu, partnerCpu, areSiblings: near.has(clientCpu) };
}

/** As Linux tells it: `0,4` or `2-3`. */
function siblingsOf(cpu: number): readonly number[] {
  try {
    const path = `/sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`;
    return parseCpuList(Deno.readTextFileSync(path));
  } catch {
    return [cpu]; // not told: then they cannot be told apart
  }
}

/** The numbers in a list of processors: `0-2,8` is 0, 1, 2, 8. */
export function parseCpuList(text: string): number[] {
  return text.trim().split(",").flatMap((range) => {
    const [first = NaN, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, step) => first + step);
  });
}
