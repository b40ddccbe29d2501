import { exitCode, type ProgramReport, runProgram } from "../../../core/gpu/program/run_program.ts";
import { type GpuDevice, requestGpuDevice } from "../../../core/gpu/device/device.ts";
import { liveObstacle } from "../../../core/gpu/live/device/on_live_device_test.ts";
import { translate } from "../../../core/gpu/live/kernel/live_bed_test.ts";
import { openLiveGpu } from "../../../core/gpu/live/mod.ts";
import type { KernelGpu } from "../../../core/gpu/run/run_options.ts";
import { openMode } from "../../../core/services/files/deno_files.ts";
import { MemoryFiles } from "../../../core/services/files/testdata/memory_files.ts";

/** The ways to run a program, each where the machine has it. */
const WAYS: readonly (readonly [way: string, gpu: GpuDevice | KernelGpu | undefined])[] = [
  ["by epochs", await requestGpuDevice().catch(() => undefined)],
  ["live", liveObstacle === undefined ? await openLiveGpu({ translate }) : undefined],
];
/** That of the test which runs. */
let gpu: GpuDevice | KernelGpu | undefined;

/** What a program of this folder is run with. */
export interface ProgramRunOptions {
  readonly threadCount?: number;
  /** Behind its name. */
  readonly args?: readonly string[];
  /** What is in its files, by their names; `-` is the standard input. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
}

/** What it did. */
export interface ProgramRun {
  readonly report: ProgramReport;
  /** As a shell sees it. */
  readonly status: number;
  readonly out: string;
  readonly error: string;
  /** Its files in the end. */
  readonly files: MemoryFiles;
}

/** A test that runs programs of this folder, in each way; skipped where there is no device for it. */
export function programTest(name: string, test: () => Promise<void>): void {
  for (const [way, device] of WAYS) {
    const wayName = `${name}, ${way}`;
    Deno.test({
      name: device ? wayName : `${wayName} (skipped: no device, see deno task doctor)`,
      ignore: device === undefined,
      fn() {
        gpu = device;
        return test();
      },
    });
  }
}

/** Runs `NAME.wgsl` with files in memory. */
export async function run(name: string, options: ProgramRunOptions = {}): Promise<ProgramRun> {
  const files = new MemoryFiles({ stepBytes: 16_384 });
  for (const [path, bytes] of Object.entries(options.files ?? {})) put(files, path, bytes);
  const report = await runProgram(gpu!, {
    source: await Deno.readTextFile(new URL(`../${name}.wgsl`, import.meta.url)),
    threadCount: options.threadCount ?? 1,
    args: [name, ...options.args ?? []],
    files,
  });
  const { results, exitStatus } = report;
  const status = exitCode(exitStatus === undefined ? results : [exitStatus]);
  return { report, status, files, out: files.text(1), error: files.text(2) };
}

function put(files: MemoryFiles, path: string, bytes: Uint8Array): void {
  const file = path === "-" ? files.standard[0] : files.open(path, openMode("w+")!);
  for (let done = 0; done < bytes.length;) done += file.write(bytes.subarray(done));
  file.seek(0n, 0);
}

/** The bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
