import { assert } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { Server } from "../../../toggle/server/server.ts";
import { BoundPipeline } from "../../device/bound_pipeline.ts";
import type { GpuDevice } from "../../device/device.ts";
import { Kernel } from "../../epochs/kernel.ts";
import { OPCODES, SERVICES } from "./traced_services.ts";
import { readWords } from "../../epochs/kernel_run_test.ts";

/** Lanes of the one wave that runs a case. */
export const LANE_COUNT = 5;
/** Words that the lanes store. */
export const STORED_WORDS = LANE_COUNT * 64;
const TRACE_WORDS = 4096;

/** What differs between the two ways, case by case; nothing when all is well. */
export async function differences(
  gpu: GpuDevice,
  text: string,
  { cases, runKernel = runAsKernel, laneCount = LANE_COUNT }: {
    readonly cases: readonly string[];
    /** How many lanes there are, up to those of the memory. */
    readonly laneCount?: number;
    /** By epochs when absent. */
    readonly runKernel?: typeof runAsKernel;
  },
): Promise<unknown[]> {
  const plain = await runPlain(gpu, plainText(text, cases, laneCount), cases);
  const kernel = await runKernel(gpu, text, cases);
  return cases.flatMap((name, at) => {
    const [wanted, found] = [shown(plain[at]!), shown(kernel[at]!)];
    assert(wanted.calls.length + wanted.stored.length > 0, `${name} does nothing`);
    return JSON.stringify(wanted) === JSON.stringify(found) ? [] : [{ name, wanted, found }];
  });
}

function shown({ calls, stored }: CaseRun) {
  return {
    calls: calls.map((words) => words.join(" ")),
    stored: stored.flatMap((value, at) =>
      value === 0 ? [] : [`lane ${Math.floor(at / 64)}, ${at % 64}: ${value}`]
    ),
  };
}

/** What the lanes of one case did: calls with their arguments, and what was stored, lane by lane. */
export interface CaseRun {
  readonly calls: readonly (readonly number[])[];
  readonly stored: readonly number[];
}

const SERVICE = /@service\((\d+)\) (fn \w+\([^)]*\)(?: -> \w+)?);/g;

/** `fn kernel()` that runs the case which `choice` names. */
export function chooser(cases: readonly string[]): string {
  const clauses = cases.map((name, at) => `case ${at}u: { ${name}(); }`);
  return `\nfn kernel() { switch choice[0] { ${clauses.join(" ")} default: {} } }\n`;
}

/** The same text as an ordinary shader, in which the functions of the host have bodies. */
function plainText(text: string, cases: readonly string[], laneCount: number): string {
  const bodies = text.replaceAll(SERVICE, (_, opcode: string, head: string) => {
    const { words, body } = OPCODES.get(Number(opcode))!;
    const traced = [`${opcode}u`, ...words].map((value) => `trace_word(${value});`);
    return `${head} { ${traced.join(" ")} ${body} }`;
  });
  return `${bodies}${chooser(cases)}
    @group(0) @binding(0) var<storage, read_write> trace: array<u32>;
    var<private> lane_index: u32;
    var<private> trace_count: u32 = 1u;
    fn trace_word(word: u32) {
      trace[lane_index * ${TRACE_WORDS}u + trace_count % ${TRACE_WORDS}u] = word;
      trace[lane_index * ${TRACE_WORDS}u] = trace_count;
      trace_count++;
    }
    @compute @workgroup_size(${laneCount})
    fn main(@builtin(local_invocation_index) local: u32) { lane_index = local; kernel(); }`;
}

class CaseMemory {
  readonly device: GPUDevice;
  readonly stored: GPUBuffer;
  readonly words: GPUBuffer;
  readonly choice: GPUBuffer;
  readonly counts: GPUBuffer;
  readonly trace: GPUBuffer;

  constructor(device: GPUDevice) {
    this.device = device;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const make = (words: number) => device.createBuffer({ size: words * 4, usage });
    this.stored = make(STORED_WORDS);
    this.words = make(LANE_COUNT);
    this.choice = make(1);
    this.counts = make(LANE_COUNT);
    this.trace = make(TRACE_WORDS * LANE_COUNT);
  }

  choose(number: number): void {
    for (const buffer of [this.stored, this.words, this.counts, this.trace]) {
      this.device.queue.writeBuffer(buffer, 0, new Uint32Array(buffer.size / 4));
    }
    this.device.queue.writeBuffer(this.choice, 0, new Uint32Array([number]));
  }

  get buffers() {
    return [{ buffer: this.stored }, { buffer: this.words }, { buffer: this.choice }, {
      buffer: this.counts,
    }];
  }

  destroy(): void {
    for (const buffer of [this.stored, this.words, this.choice, this.counts, this.trace]) {
      buffer.destroy();
    }
  }
}

/** Runs every case as an ordinary shader. */
async function runPlain(
  { device }: GpuDevice,
  code: string,
  cases: readonly string[],
): Promise<CaseRun[]> {
  const memory = new CaseMemory(device);
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code });
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message);
  const lists = [[{ buffer: memory.trace }], memory.buffers];
  const pipeline = await BoundPipeline.create(device, { module, entryPoint: "main" }, lists);
  const runs: CaseRun[] = [];
  for (let number = 0; number < cases.length; number++) {
    memory.choose(number);
    const encoder = device.createCommandEncoder();
    pipeline.encode(encoder, 1);
    device.queue.submit([encoder.finish()]);
    const trace = new Uint32Array(await readWords(device, memory.trace));
    const calls = Array.from({ length: LANE_COUNT }, (_, lane) => {
      const from = lane * TRACE_WORDS;
      const count = trace[from]!;
      if (count >= TRACE_WORDS) throw new RangeError(`${cases[number]} makes too many calls`);
      return [...trace.subarray(from + 1, from + 1 + count)];
    });
    runs.push({ calls, stored: [...await readWords(device, memory.stored)] });
  }
  memory.destroy();
  return runs;
}

/**
 * Registers the functions of the host.
 *
 * @returns begins a list of calls, lane by lane, and returns it
 */
export function traceCalls(server: Server): () => number[][] {
  let calls: number[][] = [];
  for (const { opcode, words, answer } of SERVICES) {
    server.operatePort(opcode, (port) =>
      port.recvAndSend((packet) =>
        packet.forEachLane((lane) => {
          const given = words.map((_, at) => packet.getUint32(lane, at));
          calls[lane]!.push(opcode, ...given);
          answer(packet, lane);
        })
      ));
  }
  return () => calls = Array.from({ length: LANE_COUNT }, () => []);
}

/** Runs every case as a kernel, whose calls are served here. */
async function runAsKernel(
  gpu: GpuDevice,
  text: string,
  cases: readonly string[],
): Promise<CaseRun[]> {
  const memory = new CaseMemory(gpu.device);
  const channel = Channel.create({ portCount: 4, laneCount: LANE_COUNT });
  const source = text + chooser(cases);
  const kernel = await Kernel.create(gpu, {
    channel,
    waveCount: 1,
    turnsMax: 8,
    source,
    buffers: memory.buffers,
  });
  const server = new Server(channel, { portWaiter: kernel.portWaiter });
  const callsOf = traceCalls(server);
  const runs: CaseRun[] = [];
  try {
    for (let number = 0; number < cases.length; number++) {
      memory.choose(number);
      const calls = callsOf();
      await kernel.runAsync(server, { epochsMax: 400 });
      runs.push({ calls, stored: [...await readWords(gpu.device, memory.stored)] });
    }
  } finally {
    kernel.destroy();
    memory.destroy();
  }
  return runs;
}
