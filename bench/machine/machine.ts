import { cpus } from "node:os";
import { type Clock, clockSeconds } from "../sample/take_samples.ts";
import { busyShare } from "./noise.ts";
import { allowedCpus, keepOnCpus } from "../../scenarios/partner/affinity.ts";
import type { Partner } from "../../scenarios/partner/partner.ts";
import { ended } from "./ended.ts";

/** What figures depend on, of the machine and of the code; nothing that tells whose machine it is. */
export interface Machine {
  /** As the processor names itself. */
  readonly cpuModel: string;
  /** Processors, as the runtime counts them: two threads of one core count as two. */
  readonly coreCount: number;
  /** As Deno names it, such as `"linux"`. */
  readonly os: string;
  /** As Deno names it, such as `"x86_64"`. */
  readonly arch: string;
  /** Threads that ran or waited for a processor, over 1, 5 and 15 minutes before the sweep began. */
  readonly loadAverage: readonly number[];
  /** Share of the processors' time that programs used right before; absent where it is not known. */
  readonly busyShare?: number;
  /** How the system chooses the processors' frequency; absent where it does not say. */
  readonly frequencyGovernor?: string;
  /** The smallest step that the clock was seen to take. */
  readonly clockStepSeconds: number;
  /** Version of the runtime. */
  readonly denoVersion: string;
  /** Version of its JavaScript engine. */
  readonly v8Version: string;
  /** The commit that was measured, or `"unknown"` outside a repository. */
  readonly commit: string;
  /** Whether the working tree differed from it, the records aside. */
  readonly hasLocalChanges: boolean;
}

/**
 * Describes the machine, and the commit that is about to be measured.
 *
 * @example
 * ```ts
 * import { describeMachine } from "./machine.ts";
 * const { denoVersion } = await describeMachine();
 * if (denoVersion !== Deno.version.deno) throw new Error(denoVersion);
 * ```
 */
export async function describeMachine(): Promise<Machine> {
  const { os, arch } = Deno.build;
  return {
    cpuModel: cpus()[0]?.model.trim() ?? "unknown",
    coreCount: navigator.hardwareConcurrency,
    os,
    arch,
    loadAverage: Deno.loadavg(),
    ...await describeBusyness(),
    clockStepSeconds: clockStepSeconds(clockSeconds),
    denoVersion: Deno.version.deno,
    v8Version: Deno.version.v8,
    ...await describeCommit(new URL(".", import.meta.url)),
  };
}

/** Long enough for some twenty ticks of the system on each processor. */
const BUSY_SECONDS = 0.2;

async function describeBusyness(): Promise<Pick<Machine, "busyShare" | "frequencyGovernor">> {
  const share = await busyShare(BUSY_SECONDS);
  const governor = readGovernor();
  return {
    ...(share !== undefined && { busyShare: share }),
    ...(governor !== undefined && { frequencyGovernor: governor }),
  };
}

function readGovernor(): string | undefined {
  try {
    return Deno.readTextFileSync("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").trim();
  } catch {
    return undefined; // another system, or a virtual machine
  }
}

/**
 * What is checked out in the repository around a folder. Records of earlier sweeps, in `results/`
 * at its root, do not count as changes: they are not what is measured.
 */
export async function describeCommit(
  folder: string | URL,
): Promise<Pick<Machine, "commit" | "hasLocalChanges">> {
  const status = ["status", "--porcelain", "--", ":(top,exclude)results"];
  return {
    commit: await git(folder, ["rev-parse", "HEAD"]) ?? "unknown",
    hasLocalChanges: Boolean(await git(folder, status)),
  };
}

async function git(folder: string | URL, args: readonly string[]): Promise<string | undefined> {
  try {
    const { code, out } = await ended("git", args, { cwd: folder });
    return code === 0 ? out.trim() : undefined;
  } catch {
    return undefined; // no git here, which is no reason not to measure
  }
}

/** Readings of the clock that are compared. */
const STEP_TRIES = 1000;

/** The smallest step that the clock was seen to take. A sample has to be far longer. */
export function clockStepSeconds(clock: Clock): number {
  let step = Infinity;
  for (let attempt = 0; attempt < STEP_TRIES; attempt++) {
    const begin = clock();
    let end = clock();
    while (end === begin) end = clock();
    step = Math.min(step, end - begin);
  }
  return step;
}

/** From this load of other programs on, as a share of the cores, figures in seconds are doubtful. */
const LOAD_SHARE_MAX = 0.25;
/** The same of the processors' time right before the sweep. */
const BUSY_SHARE_MAX = 0.1;
/** With the others the first samples of a point may run at another frequency than the last. */
const STEADY_GOVERNOR = "performance";
/** Both sides of a round trip wait by spinning, each on a core. */
const CORES_MIN = 2;

/** What is doubtful about measuring on this machine, in sentences. */
export function machineWarnings(machine: Machine): string[] {
  const { loadAverage, coreCount, busyShare = 0, frequencyGovernor = STEADY_GOVERNOR } = machine;
  const load = loadAverage[0] ?? 0;
  const warnings: string[] = [];
  if (busyShare > BUSY_SHARE_MAX) {
    warnings.push(
      `The machine was busy when the sweep began: programs used ${
        Math.round(100 * busyShare)
      } % of the processors' time`,
    );
  }
  if (frequencyGovernor !== STEADY_GOVERNOR) {
    warnings.push(
      `The processors' frequency followed the governor "${frequencyGovernor}": ` +
        `"${STEADY_GOVERNOR}" keeps it steady`,
    );
  }
  if (load > LOAD_SHARE_MAX * coreCount) {
    warnings.push(
      `Other programs were running when the sweep began: load ${
        load.toFixed(2)
      } on ${coreCount} cores`,
    );
  }
  if (coreCount < CORES_MIN) {
    warnings.push("Both sides shared one core: waiting by spinning measures the scheduler");
  }
  return warnings;
}

/** What must not change in the middle of a run. */
const FIXED = [
  "cpuModel",
  "coreCount",
  "os",
  "arch",
  "denoVersion",
  "v8Version",
  "commit",
  "hasLocalChanges",
] as const satisfies readonly (keyof Machine)[];

/** In what two descriptions differ that makes their figures incomparable, in sentences. */
export function machineChanges(before: Machine, after: Machine): string[] {
  return FIXED.filter((name) => before[name] !== after[name]).map((name) =>
    `The run was begun with another ${name}: ${before[name]}, then ${after[name]}`
  );
}

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
