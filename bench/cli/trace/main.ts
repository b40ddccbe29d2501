// Runs a compute shader on buffers of zeros, and shows each value that one lane gives to a name.
import "../../adapters/software_gpu.ts";
import { requestGpuDevice } from "../../../core/gpu/device/device.ts";
import {
  type DebugReport,
  failureText,
  momentText,
  stepText,
  tracePage,
  TracePlayer,
  withDebug,
} from "../../../core/gpu/debug/mod.ts";
import type { BindingPlace } from "../../../core/gpu/printf/ring_place.ts";
import type { TypedName } from "../../../core/gpu/syntax/declarations.ts";
import type { Token } from "../../../core/gpu/syntax/tokens.ts";
import { WgslText } from "../../../core/gpu/syntax/wgsl_text.ts";
import { FAILED_EXIT, write } from "../command_line.ts";
import { type ReadOptions, runCommand } from "../options/command_options.ts";
import { integerOf } from "../options/option_values.ts";

const COMMAND = {
  usage: ["deno task trace [options] FILE"],
  words: [1, 1],
  does:
    `Runs the first compute stage of a WGSL file on buffers of zeros, up to the workgroup, and shows each value
that the lane gives to a name: in a terminal step by step, by arrow keys, q to leave; else all lines.
Programs with buffers of their own use withDebug().`,
  options: {
    lane: { value: "N", help: "of the workgroup, 0 when absent" },
    workgroup: { value: "N", help: "0 when absent" },
    page: { value: "FILE.html", help: "writes a page to step in" },
  },
  ends:
    `It ends with 0, with 1 when the source is wrong or there is no GPU adapter, and with 2 when the command line
or the file is.`,
} as const;

/** Bytes of each buffer that the shader declares. */
const BUFFER_BYTES = 1 << 16;
/** Room for some hundred thousand steps. */
const RING_BYTES = 1 << 22;

/** What to trace. */
export interface TraceTarget {
  readonly laneIndex: number;
  readonly workgroupIndex: number;
}

/**
 * Runs a shader's first compute stage, and traces one lane.
 *
 * @throws {PrintfError} when the text is wrong
 * @throws {TypeError} when it has no compute stage, or needs more than buffers
 */
export async function traceOf(source: string, target: TraceTarget): Promise<DebugReport> {
  const { declarations, tokens } = new WgslText(source);
  const entry = declarations.functions.find(({ attributes }) =>
    attributes.some(({ name }) => name === "compute")
  );
  if (!entry) {
    throw new TypeError(
      "Cannot trace the file as it has no @compute stage: trace pixels and vertices by withDebug() in your program",
    );
  }
  const bound = declarations.variables.filter(({ attributes }) =>
    attributes.some(({ name }) => name === "binding")
  );
  const other = bound.find(({ space }) => !/^(?:storage|uniform)$/.test(space));
  if (other) {
    throw new TypeError(
      `Cannot trace the file as ${other.name.text} is no buffer: trace it by withDebug() in your program`,
    );
  }
  const { device } = await requestGpuDevice();
  try {
    const shader = withDebug(source, { trace: true, bounds: true });
    const module = await shader.compile(device);
    const entryPoint = entry.name.text;
    const compute = { module, entryPoint };
    const pipeline = device.createComputePipeline({ layout: "auto", compute });
    const ring = shader.attach(device, { bytes: RING_BYTES });
    ring.pick(target);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    bindZeros(device, { pass, pipeline, places: bound.map((one) => placeOf(tokens, one)) });
    ring.bind(pass, pipeline);
    pass.dispatchWorkgroups(target.workgroupIndex + 1);
    pass.end();
    device.pushErrorScope("validation");
    device.queue.submit([encoder.finish()]);
    const refusal = await device.popErrorScope();
    if (refusal) throw new Error(`Cannot trace the file as the device says "${refusal.message}"`);
    const report = await ring.report();
    await ring.destroy();
    return report;
  } finally {
    device.destroy();
  }
}

function placeOf(tokens: readonly Token[], { attributes }: TypedName): BindingPlace {
  const [group, binding] = ["group", "binding"].map((wanted) => {
    const args = attributes.find(({ name }) => name === wanted)?.args;
    return parseInt(tokens[args?.start ?? -1]?.text ?? "0");
  });
  return { group: group!, binding: binding! };
}

/** Binds a buffer of zeros wherever the shader has one. */
function bindZeros(
  device: GPUDevice,
  { pass, pipeline, places }: {
    readonly pass: GPUComputePassEncoder;
    readonly pipeline: GPUComputePipeline;
    readonly places: readonly BindingPlace[];
  },
): void {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.UNIFORM;
  for (const group of new Set(places.map((place) => place.group))) {
    const entries = places.filter((place) => place.group === group).map(({ binding }) => ({
      binding,
      resource: { buffer: device.createBuffer({ size: BUFFER_BYTES, usage }) },
    }));
    const layout = pipeline.getBindGroupLayout(group);
    pass.setBindGroup(group, device.createBindGroup({ layout, entries }));
  }
}

async function main(
  { given, rest }: ReadOptions<typeof COMMAND.options>,
): Promise<number | void> {
  const path = rest[0]!;
  const { lane = "0", workgroup = "0", page } = given;
  const target = {
    laneIndex: integerOf("lane", lane, { min: 0 }),
    workgroupIndex: integerOf("workgroup", workgroup, { min: 0 }),
  };
  const source = Deno.readTextFileSync(path);
  let report: DebugReport;
  try {
    report = await traceOf(source, target);
  } catch (error) {
    write(Deno.stderr, `${(error as Error).message}\n`);
    return FAILED_EXIT;
  }
  for (const text of report.warnings) write(Deno.stderr, `${text}\n`);
  for (const failure of report.failures) write(Deno.stderr, failureText(failure, path));
  if (page) {
    Deno.writeTextFileSync(page, tracePage(report.trace, source, path));
    return write(Deno.stderr, `Next: open ${page} in a browser\n`);
  }
  if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal()) {
    write(Deno.stdout, report.trace.map((step) => `${stepText(step)}\n`).join(""));
    return write(Deno.stderr, "Next: --page FILE.html writes a page to step in\n");
  }
  await play(new TracePlayer(report.trace), source);
}

/** Steps by keys of a terminal. */
async function play(player: TracePlayer, source: string): Promise<void> {
  const moves: Readonly<Record<string, number>> = {
    "\x1b[C": 1,
    "\x1b[B": 1,
    "\x1b[D": -1,
    "\x1b[A": -1,
    " ": 1,
    "\x1b[H": -Infinity,
    "\x1b[F": Infinity,
  };
  Deno.stdin.setRaw(true);
  try {
    const bytes = new Uint8Array(16);
    for (let key = ""; key !== "q" && key !== "\x03";) {
      write(Deno.stdout, `\x1b[2J\x1b[H${momentText(player, source).replaceAll("\n", "\r\n")}`);
      const count = await Deno.stdin.read(bytes);
      if (count === null) return;
      key = new TextDecoder().decode(bytes.subarray(0, count));
      const by = moves[key];
      if (by !== undefined) {
        player.move(Number.isFinite(by) ? by : by < 0 ? -player.index : player.steps.length);
      }
    }
  } finally {
    Deno.stdin.setRaw(false);
  }
}

if (import.meta.main) Deno.exitCode = await runCommand(COMMAND, main);
