import { cpus } from "node:os";
import { clockSeconds, clockStepSeconds } from "../sample/clock.ts";

/** Where a record was taken, as far as it bears on the figures; nothing that names the machine. */
export interface Machine {
  readonly cpuModel: string;
  readonly coreCount: number;
  readonly os: string;
  readonly arch: string;
  /** Before the sweep began, over 1, 5 and 15 minutes. */
  readonly loadAverage: readonly number[];
  readonly clockStepSeconds: number;
  readonly denoVersion: string;
  readonly v8Version: string;
  /** The commit that was measured, or `"unknown"` outside a repository. */
  readonly commit: string;
  /** Whether the working tree differed from it, the records aside. */
  readonly hasLocalChanges: boolean;
}

/**
 * Looks at the machine and at what is about to be measured.
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
    clockStepSeconds: clockStepSeconds(clockSeconds),
    denoVersion: Deno.version.deno,
    v8Version: Deno.version.v8,
    ...await describeCommit(new URL(".", import.meta.url)),
  };
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
    const command = new Deno.Command("git", { args: [...args], cwd: folder, stderr: "null" });
    const { success, stdout } = await command.output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined; // no git here, which is no reason not to measure
  }
}

/** Load of other programs, as a share of the cores, above which figures in seconds are doubtful. */
const LOAD_SHARE_MAX = 0.25;
/** A round trip needs two cores that spin. */
const CORES_MIN = 2;

/**
 * What is doubtful about measuring on this machine, in sentences.
 *
 * @example
 * ```ts
 * import { describeMachine, machineDoubts } from "./machine.ts";
 * const doubts = machineDoubts({ ...await describeMachine(), coreCount: 1 });
 * if (!doubts.at(-1)?.includes("shared one core")) throw new Error("one core is too few");
 * ```
 */
export function machineDoubts({ loadAverage, coreCount }: Machine): string[] {
  const load = loadAverage[0] ?? 0;
  const doubts: string[] = [];
  if (load > LOAD_SHARE_MAX * coreCount) {
    doubts.push(
      `Other programs were running when the sweep began: load ${
        load.toFixed(2)
      } on ${coreCount} cores`,
    );
  }
  if (coreCount < CORES_MIN) {
    doubts.push("Both sides shared one core: waiting by spinning measures the scheduler");
  }
  return doubts;
}
