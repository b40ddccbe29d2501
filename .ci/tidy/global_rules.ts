import { isTest, type Source } from "./source.ts";
import { type Found, syntaxOf } from "./syntax.ts";

/** How far above a use its `Sync:` comment may stand: one comment may speak for a group. */
const SYNC_LINES_MAX = 30;
const ATOMICS_HOME = /^core\/(memory\/words|wait\/strategy)\.ts$/;
// The control measures the bare hardware: with the seam in between it would measure the seam too.
const ATOMICS_CONTROL = /^scenarios\/worker\/ping_pong/;
const UPSTREAM = /^(core|scenarios|bench|results)\//;

function usesOf(source: Source, name: string): readonly Found[] {
  if (!source.path.endsWith(".ts") || isTest(source.path)) return [];
  return syntaxOf(source).globals.filter(({ what }) => what.split(".")[0] === name);
}

function refuse(source: Source, name: string, reason: string): string[] {
  return usesOf(source, name).map(({ what, line }) =>
    `${source.path}:${line} uses ${what}: ${reason}`
  );
}

/** Shared memory is touched in few places, so that the order of accesses can be argued once. */
export function atomicsStayInTheSeam(source: Source): string[] {
  const { path } = source;
  if (!UPSTREAM.test(path) || ATOMICS_HOME.test(path) || ATOMICS_CONTROL.test(path)) return [];
  return refuse(source, "Atomics", "shared memory is reached through Words");
}

/** Each access says who the partner is and which bad execution it prevents. */
export function atomicsSayWhy(source: Source): string[] {
  if (!ATOMICS_HOME.test(source.path)) return [];
  const reasons = syntaxOf(source).comments.filter(({ what }) => what.includes("Sync:"));
  return usesOf(source, "Atomics")
    // A hint to the processor that touches no memory.
    .filter(({ what }) => what !== "Atomics.pause")
    .filter(({ line }) =>
      !reasons.some(({ lastLine }) => lastLine <= line && line - lastLine <= SYNC_LINES_MAX)
    )
    .map(({ what, line }) => `${source.path}:${line} uses ${what} without a Sync: comment above`);
}

/** Where the core knows its runtime: the host's files, libraries of C, tools that read programs. */
const RUNTIME_HOME =
  /^core\/(linear\/(lint\/|lint\.ts$|check\.ts$)|services\/(host\.ts$|library\/|emissary\/|(\w+\/)+deno_\w+\.ts$)|gpu\/live\/(vulkan|device)\/|system\/)/;

/** The core runs in browsers too: only the host's services may ask the runtime for anything. */
export function coreRunsAnywhere(source: Source): string[] {
  if (!source.path.startsWith("core/") || RUNTIME_HOME.test(source.path)) return [];
  return refuse(
    source,
    "Deno",
    "only host.ts, library/, emissary/ and files named deno_* of core/services/, what of core/gpu/live/ " +
      "calls Vulkan, core/system/, and the tools of core/linear may",
  );
}

/** One program prints, and two have modules of others tell elsewhere; everything else returns what there is to say. */
const CONSOLE_HOME =
  /^(bench\/(cli\/main|sweep\/module_worker)|core\/(linear\/check|services\/sandbox\/guest\/deno_guest_process|gpu\/print\/instrument\/\w+))\.ts$/;

export function onlyProgramsPrint(source: Source): string[] {
  if (!UPSTREAM.test(source.path) || CONSOLE_HOME.test(source.path)) return [];
  return refuse(source, "console", "only bench/cli/main.ts prints");
}

/** A scenario prepares a trial; the runner owns the clock. */
export function scenariosHoldNoClock(source: Source): string[] {
  if (!source.path.startsWith("scenarios/")) return [];
  return ["performance", "Date"].flatMap((name) => refuse(source, name, "the runner measures"));
}

/** Other packages are started as their users start them. */
const WORKER_HOME = /^(core\/worker|bench\/peers)\//;

/** Messages, errors and other runtimes are seen to once; types may name a worker anywhere. */
export function workersStartInOneWay(source: Source): string[] {
  if (!UPSTREAM.test(source.path) || WORKER_HOME.test(source.path)) return [];
  return refuse(source, "Worker", "workers are started by WorkerLink");
}
