import { exitCode, type ProgramReport, runProgram } from "../../../core/gpu/program/run_program.ts";
import { type GpuDevice, requestGpuDevice } from "../../../core/gpu/device/device.ts";
import { openMode } from "../../../core/services/files/deno_files.ts";
import { MemoryFiles } from "../../../core/services/files/testdata/memory_files.ts";

const gpu: GpuDevice | undefined = await requestGpuDevice().catch(() => undefined);

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

/** A test that runs programs of this folder; skipped where there is no adapter. */
export function programTest(name: string, test: () => Promise<void>): void {
  Deno.test({
    name: gpu ? name : `${name} (skipped: no GPU adapter, see deno task doctor)`,
    ignore: gpu === undefined,
    fn: test,
  });
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
