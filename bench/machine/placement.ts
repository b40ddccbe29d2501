import { allowedCpus, keepOnCpus } from "../../scenarios/partner/affinity.ts";
import type { Partner } from "../../scenarios/partner/partner.ts";

/** The processors on which the two threads of a point are kept. */
export interface Placement {
  /** Number of the measuring thread's processor, as the system counts them. */
  readonly clientCpu: number;
  /** Number of the partner's processor. */
  readonly partnerCpu: number;
  /** Whether the two processors are threads of one core, which exchange data faster than two cores. */
  readonly areSiblings: boolean;
}

/**
 * Keeps this thread and its partner on one processor each: on two cores where there are two, else on
 * two threads of one core.
 *
 * @returns nothing where the system does not allow it or has one processor; the scheduler chooses then
 */
export async function placeApart(partner: Partner): Promise<Placement | undefined> {
  const placement = choosePlacement(allowedCpus(), siblingsOf);
  if (!placement || !keepOnCpus([placement.clientCpu])) return undefined;
  return await partner.keepOnCpu(placement.partnerCpu) ? placement : undefined;
}

/**
 * The last two processors of different cores. The last, because the first processors serve the
 * interrupts on many machines.
 *
 * @param siblings the processors of the same core, for a processor, itself included
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

/** Reads the list that Linux keeps for each processor: `0,4` or `2-3`. */
function siblingsOf(cpu: number): readonly number[] {
  try {
    const path = `/sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`;
    return parseCpuList(Deno.readTextFileSync(path));
  } catch {
    return [cpu]; // no list, so every processor counts as a core
  }
}

/** The numbers in a list of processors: `0-2,8` is 0, 1, 2, 8. */
export function parseCpuList(text: string): number[] {
  return text.trim().split(",").flatMap((range) => {
    const [first = NaN, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, step) => first + step);
  });
}
