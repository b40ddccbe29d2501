/**
 * Runs a program in WGSL: `deno task run`.
 *
 * @module
 */
import { withoutOwnChoice } from "../../adapters/software_gpu.ts";
import { type GpuDevice, requestGpuDevice } from "../../../core/gpu/device/device.ts";
import { WorkerLink } from "../../../core/worker/worker_link.ts";
import {
  disagreement,
  exitCode,
  type ProgramReport,
  runProgram,
} from "../../../core/gpu/program/run_program.ts";
import type { KernelGpu } from "../../../core/gpu/run/run_options.ts";
import { plainLines, tokensOf } from "../../../core/gpu/text/lexer.ts";
import { confinedFiles, denoFiles } from "../../../core/services/mod.ts";
import { write } from "../command_line.ts";
import { parseRunOptions, programLibraries, RUN_USAGE, type RunCommand } from "./run_options.ts";
import { RunExit, runFailure, summaryText } from "./run_failure.ts";

/** How files are confined: the streams stay the program's own. */
const WRITABLE = { readOnly: false, standard: denoFiles.standard };

if (import.meta.main) Deno.exit(await main(Deno.args));

/** Does what the command line says, and returns the exit status. */
async function main(args: readonly string[]): Promise<number> {
  const signals = new WorkerLink<never>(new URL("./signals_worker.ts", import.meta.url));
  let path = "";
  let source = "";
  try {
    const command = parseRunOptions(args);
    if (command === undefined) return write(Deno.stdout, RUN_USAGE) ?? 0;
    path = command.path;
    source = textOf(path);
    return await run(command, source);
  } catch (error) {
    const { text, exitStatus } = runFailure(error as Error, { path, source });
    write(Deno.stderr, `${text}\n`);
    return exitStatus;
  } finally {
    signals.terminate();
  }
}

function textOf(path: string): string {
  try {
    return plainLines(Deno.readTextFileSync(path));
  } catch (error) {
    // The system's own words, without the name of the call.
    const reason = (error as Error).message.replace(/ \(os error.*/, "").toLowerCase();
    throw new SyntaxError(`Cannot read ${path}: ${reason}`);
  }
}

async function run(command: RunCommand, source: string): Promise<number> {
  const startMilliseconds = performance.now();
  const { root, isTimed } = command;
  const files = root === undefined ? denoFiles : confinedFiles(root, WRITABLE);
  const report = await runProgram(await gpuFor(command, source), {
    ...command,
    source,
    libraries: programLibraries({ hasRoot: root !== undefined }),
    files,
    commands: root === undefined,
    timed: isTimed && command.live === undefined,
    env: withoutOwnChoice(Deno.env.toObject()),
  });
  if (isTimed) {
    const seconds = (performance.now() - startMilliseconds) / 1000;
    write(Deno.stderr, summaryText(report, seconds));
  }
  return statusOf(report, command);
}

/** Vulkan and the translator are loaded for programs that run live only. */
async function gpuFor({ live }: RunCommand, source: string): Promise<GpuDevice | KernelGpu> {
  if (!live) return await requestGpuDevice({ features: featuresOf(source) });
  const { openNagaGpu } = await import("../../adapters/open_naga_gpu.ts");
  return await openNagaGpu(live);
}

/** The features of a device that `enable f16;` and the like want, by WebGPU's names. */
function featuresOf(source: string): readonly GPUFeatureName[] {
  const tokens = tokensOf(source);
  const lists = tokens.flatMap(({ text }, at) =>
    text === "enable"
      ? [tokens.slice(at + 1, tokens.findIndex((one, end) => end > at && one.text === ";"))]
      : []
  );
  const names = lists.flat().filter(({ kind }) => kind === "name")
    .map(({ text }) => text.replaceAll("_", "-"));
  return names.map((name) => (name === "f16" ? "shader-f16" : name) as GPUFeatureName);
}

function statusOf({ results, exitStatus }: ProgramReport, command: RunCommand): number {
  if (exitStatus !== undefined) return exitCode([exitStatus]);
  const found = command.isUniform ? disagreement(results) : undefined;
  if (!found) return exitCode(results);
  const { first, result, threadIndex } = found;
  const { path, threadCount } = command;
  const block = Math.floor(threadIndex / threadCount);
  write(
    Deno.stderr,
    `${path}: Cannot end with one result as threads disagree: main returned ${first} in thread 0 of block 0, and ${result} in thread ${
      threadIndex % threadCount
    } of block ${block}\n`,
  );
  return RunExit.run;
}
