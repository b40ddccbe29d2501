import { assert } from "@std/assert";
import type { Packet } from "../../memory/packet.ts";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import { BoundPipeline } from "../device/bound_pipeline.ts";
import type { GpuDevice } from "../device/device.ts";
import { Epochs } from "../epochs/epochs.ts";
import { Kernel } from "../epochs/kernel.ts";
import { readWords } from "../epochs/kernel_run_test.ts";

/** Lanes of the one wave that runs a case. */
const LANE_COUNT = 5;
const STORED_WORDS = LANE_COUNT * 64;
const TRACE_WORDS = 4096;

/** A function of the host, twice: as the host has it, and as a body in WGSL. */
interface TracedService {
  readonly opcode: number;
  readonly name: string;
  /** The words of the arguments, in WGSL. */
  readonly words: readonly string[];
  readonly body: string;
  readonly answer: (packet: Packet, lane: number) => void;
}

const word = (packet: Packet, lane: number) => packet.getUint32(lane, 0);

const SERVICES: readonly TracedService[] = [
  {
    opcode: 50_000,
    name: "square",
    words: ["x"],
    body: "return x * x;",
    answer: (packet, lane) =>
      packet.setUint32(lane, 0, Math.imul(word(packet, lane), word(packet, lane))),
  },
  { opcode: 50_001, name: "note", words: ["value"], body: "", answer: () => {} },
  {
    opcode: 50_002,
    name: "half_of",
    words: ["x"],
    body: "return x / 2u;",
    answer: (packet, lane) => packet.setUint32(lane, 0, word(packet, lane) >>> 1),
  },
  {
    opcode: 50_003,
    name: "is_odd",
    words: ["x"],
    body: "return x % 2u == 1u;",
    // Any word but 0 is true.
    answer: (packet, lane) => packet.setUint32(lane, 0, (word(packet, lane) & 1) * 77),
  },
  {
    opcode: 50_004,
    name: "halved",
    words: ["bitcast<u32>(x)"],
    body: "return x / 2.0;",
    answer: (packet, lane) => {
      const bits = new Uint32Array([word(packet, lane)]);
      new Float32Array(bits.buffer)[0]! /= 2;
      packet.setUint32(lane, 0, bits[0]!);
    },
  },
  {
    opcode: 50_005,
    name: "minus",
    words: ["bitcast<u32>(a)", "bitcast<u32>(b)"],
    body: "return a - b;",
    answer: (packet, lane) =>
      packet.setInt32(lane, 0, packet.getInt32(lane, 0) - packet.getInt32(lane, 1)),
  },
  {
    opcode: 50_006,
    name: "turned",
    words: ["bitcast<u32>(v.x)", "bitcast<u32>(v.y)", "bitcast<u32>(v.z)"],
    body: "return v.zxy;",
    answer: (packet, lane) => {
      const [x, y, z] = [0, 1, 2].map((word) => packet.getUint32(lane, word));
      [z!, x!, y!].forEach((value, at) => packet.setUint32(lane, at, value));
    },
  },
  {
    opcode: 50_007,
    name: "moved",
    words: ["inner.low", "bitcast<u32>(inner.at.x)", "bitcast<u32>(inner.at.y)"],
    body: "return Inner(inner.low + 1u, inner.at.yx);",
    answer: (packet, lane) => {
      const [x, y] = [1, 2].map((word) => packet.getUint32(lane, word));
      packet.setUint32(lane, 0, word(packet, lane) + 1);
      packet.setUint32(lane, 1, y!);
      packet.setUint32(lane, 2, x!);
    },
  },
];

/** What differs between the two ways, case by case; nothing when all is well. */
export async function differences(
  gpu: GpuDevice,
  text: string,
  cases: readonly string[],
): Promise<unknown[]> {
  const plain = await runPlain(gpu, text, cases);
  const kernel = await runAsKernel(gpu, text, cases);
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

const OPCODES = new Map(SERVICES.map((service) => [service.opcode, service]));

/** What the lanes of one case did: calls with their arguments, and what was stored, lane by lane. */
interface CaseRun {
  readonly calls: readonly (readonly number[])[];
  readonly stored: readonly number[];
}

const SERVICE = /@service\((\d+)\) (fn \w+\([^)]*\)(?: -> \w+)?);/g;

/** `fn kernel()` that runs the case which `choice` names. */
function chooser(cases: readonly string[]): string {
  const clauses = cases.map((name, at) => `case ${at}u: { ${name}(); }`);
  return `\nfn kernel() { switch choice[0] { ${clauses.join(" ")} default: {} } }\n`;
}

/** The same text as an ordinary shader, in which the functions of the host have bodies. */
function plainText(text: string, cases: readonly string[]): string {
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
    @compute @workgroup_size(${LANE_COUNT})
    fn main(@builtin(local_invocation_index) local: u32) { lane_index = local; kernel(); }`;
}

class CaseMemory {
  readonly device: GPUDevice;
  readonly stored: GPUBuffer;
  readonly words: GPUBuffer;
  readonly choice: GPUBuffer;
  readonly trace: GPUBuffer;

  constructor(device: GPUDevice) {
    this.device = device;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const make = (words: number) => device.createBuffer({ size: words * 4, usage });
    this.stored = make(STORED_WORDS);
    this.words = make(LANE_COUNT);
    this.choice = make(1);
    this.trace = make(TRACE_WORDS * LANE_COUNT);
  }

  choose(number: number): void {
    for (const buffer of [this.stored, this.words, this.trace]) {
      this.device.queue.writeBuffer(buffer, 0, new Uint32Array(buffer.size / 4));
    }
    this.device.queue.writeBuffer(this.choice, 0, new Uint32Array([number]));
  }

  get buffers() {
    return [{ buffer: this.stored }, { buffer: this.words }, { buffer: this.choice }];
  }

  destroy(): void {
    for (const buffer of [this.stored, this.words, this.choice, this.trace]) buffer.destroy();
  }
}

/** Runs every case as an ordinary shader. */
async function runPlain(
  { device }: GpuDevice,
  text: string,
  cases: readonly string[],
): Promise<CaseRun[]> {
  const memory = new CaseMemory(device);
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code: plainText(text, cases) });
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
    source,
    buffers: memory.buffers,
  });
  const epochs = await Epochs.create(kernel);
  const server = new Server(channel, { portWaiter: epochs.portWaiter });
  let calls: number[][] = [];
  for (const { opcode, words, answer } of SERVICES) {
    server.register(opcode, (port) =>
      port.recvAndSend((packet) =>
        packet.forEachLane((lane) => {
          const given = words.map((_, at) => packet.getUint32(lane, at));
          calls[lane]!.push(opcode, ...given);
          answer(packet, lane);
        })
      ));
  }
  const runs: CaseRun[] = [];
  try {
    for (let number = 0; number < cases.length; number++) {
      memory.choose(number);
      calls = Array.from({ length: LANE_COUNT }, () => []);
      await epochs.run(server, { epochsMax: 5000 });
      runs.push({ calls, stored: [...await readWords(gpu.device, memory.stored)] });
    }
  } finally {
    epochs.destroy();
    memory.destroy();
  }
  return runs;
}
