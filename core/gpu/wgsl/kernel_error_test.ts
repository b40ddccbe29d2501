import { assertEquals, assertRejects } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import { ErrorWord, KernelError, KernelErrorCode, readKernelError } from "./kernel_error.ts";
import { INCREMENT, runKernel } from "../epochs/kernel_run_test.ts";
import { Kernel } from "../epochs/kernel.ts";
import { onDevice } from "../device/on_device_test.ts";

const shape = { portCount: 2, laneCount: 2, waveCount: 2 };

const CASES: readonly (readonly [name: keyof typeof KernelErrorCode, source: string])[] = [
  ["noPortOpen", "fn step_0() { send(); }"],
  ["noPortOpen", "fn step_0() { close(); }"],
  ["portAlreadyOpen", `fn step_0() { begin(${INCREMENT}u); } fn step_1() { call(${INCREMENT}u); }`],
  [
    "divergedInPort",
    `fn step_0() { begin(${INCREMENT}u); } fn step_1() { if lane_index == 0u { recv(); } }`,
  ],
  ["secondRequest", `fn step_0() { call(${INCREMENT}u); call(${INCREMENT}u); }`],
  ["opcodeTooLarge", "fn step_0() { call(65536u); }"],
  ["secondRequest", `fn step_0() { cast_call(${INCREMENT}u); print(); }`],
  ["wordBeyondPacket", `fn step_0() { packet_set(16u, 1u); call(${INCREMENT}u); }`],
  ["noSuchStep", "fn step_0() { go(1u); }"],
  [
    "noSuchStep",
    `fn step_0() { call(${INCREMENT}u); if lane_index == 1u { go(70000u); } else { go(END); } }`,
  ],
  ["streamFull", "fn step_0() { for (var i = 0u; i < 300u; i++) { put_word(65u, 1u); } print(); }"],
];

for (const [name, source] of CASES) {
  onDevice(`a wave that breaks the rule ${name} is named: ${source.slice(14, 40)}`, async (gpu) => {
    const error = await assertRejects(() => runKernel(gpu, { ...shape, source }), KernelError);
    assertEquals(error.code, KernelErrorCode[name]);
  });
}

Deno.test("readKernelError() takes a word apart, its largest parts included", () => {
  const word = (code: number, step: number, wave: number) =>
    (code << ErrorWord.codeShift) | (step << ErrorWord.stepShift) | wave;
  assertEquals(readKernelError(0, 0), undefined);
  assertEquals(readKernelError(word(63, 1022, 65535), 0), {
    code: 63,
    step: 1021,
    waveIndex: 65535,
  });
  assertEquals(readKernelError(word(1, 0, 0), 0), { code: 1, step: undefined, waveIndex: 0 });
  assertEquals(readKernelError(word(1, ErrorWord.stepMax, 2), 0)?.step, undefined);
});

Deno.test("readKernelError() tells which step is not there, if it was that wave", () => {
  const word = (KernelErrorCode.noSuchStep << ErrorWord.codeShift) | (1 << ErrorWord.stepShift) | 5;
  const messageOf = (targetWord: number) =>
    new KernelError({ ...readKernelError(word, targetWord)!, stepCount: 2 }).message;
  const wanted = "which is not there: there are 2, and the first is 0";
  assertEquals(
    messageOf(7 << 16 | 5),
    `Cannot finish wave 5 after step_0 as it went to step 7, ${wanted}`,
  );
  assertEquals(
    messageOf(7 << 16 | 4),
    `Cannot finish wave 5 after step_0 as it went to a step, ${wanted}`,
  );
});

onDevice("a step that is not there is named", async (gpu) => {
  const source = "fn step_ask() { go(7u); } fn step_end() {}";
  await assertRejects(
    () => runKernel(gpu, { ...shape, source, waveCount: 1 }),
    KernelError,
    "wave 0 after step_ask as it went to step 7, which is not there: there are 2, and the first is 0",
  );
});

onDevice("finish() and go(END) end a lane when what it has asked for is done", async (gpu) => {
  for (const end of ["finish();", "go(END);"]) {
    const results = `@group(1) @binding(0) var<storage, read_write> results: array<u32>;`;
    const source = `${results}
      fn step_0() { packet_set(0u, 41u); call(${INCREMENT}u); ${end} if false { go(0u); } }
      fn step_1() { results[0] = 7u; }`;
    const { report, results: [result] } = await runKernel(gpu, {
      ...shape,
      source,
      resultWords: 1,
    });
    assertEquals([report.packetCount, result], [2, 0], end);
  }
});

onDevice("an error of one run is not told again in the next", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  // Fails in the first run only: the author's buffer stays.
  const source = `@group(1) @binding(0) var<storage, read_write> runs: array<u32>;
    fn step_0() { runs[0]++; if runs[0] == 1u { send(); } }`;
  const usage = GPUBufferUsage.STORAGE;
  const buffer = gpu.device.createBuffer({ size: 4, usage });
  const options = { channel, waveCount: 1, source, buffers: [{ buffer }] };
  const kernel = await Kernel.create(gpu, options);
  const server = new Server(channel);
  await assertRejects(() => kernel.runAsync(server), KernelError);
  assertEquals((await kernel.runAsync(server)).epochCount, 1);
  kernel.destroy();
  buffer.destroy();
});

onDevice("the step that broke a rule is named, where one did", async (gpu) => {
  const errorOf = (source: string) =>
    assertRejects(() => runKernel(gpu, { ...shape, source }), KernelError);
  const calls = `call(${INCREMENT}u); call(${INCREMENT}u);`;
  const twice = await errorOf(`fn step_0() { go(2u); } fn step_1() {} fn step_2() { ${calls} }`);
  assertEquals(twice.step, 2);
  assertEquals(twice.message.includes("step_2"), true);
  const diverged = await errorOf(
    `fn step_0() { begin(${INCREMENT}u); } fn step_1() { if lane_index == 0u { recv(); } }`,
  );
  assertEquals(diverged.step, undefined, "two lanes at two steps broke the rule");
});

onDevice(
  "a lane that writes beyond its packet leaves its neighbour's packet alone",
  async (gpu) => {
    const seen: unknown[] = [];
    const source = `fn step_0() {
    packet_set(0u, 7u);
    if lane_index == 0u { packet_set(16u, 9u); }
    call(50000u);
  }`;
    const register = (server: Server) =>
      server.operatePort(
        50_000,
        (port) =>
          port.recv((packet) =>
            packet.forEachLane((lane) => seen.push([lane, packet.getUint32(lane, 0)]))
          ),
      );
    const options = { portCount: 1, laneCount: 2, waveCount: 1, source, register };
    await assertRejects(() => runKernel(gpu, options), KernelError, "word beyond the last");
    assertEquals(seen, [[1, 7]]);
  },
);

/** A wave's words are saved behind each other's: a count beyond the packet would reach the next. */
onDevice("a lane that sets a word beyond its packet changes no word of another", async (gpu) => {
  const source = /* wgsl */ `
    struct Frame { count: u32 }
    fn step_0() {
      if wave_index == 0u && lane_index == 0u { packet_set(12u * LANE_WORDS - 1u, 999u); return; }
      packet_set(0u, 100u + wave_index);
      packet_set(1u, 7u);
      call(40001u);
    }
    fn step_1() {
      frame.count++;
      if wave_index == 0u && frame.count < 6u { go(0u); }
    }`;
  const wrong: number[][] = [];
  const run = runKernel(gpu, {
    source,
    portCount: 1,
    laneCount: 2,
    waveCount: 6,
    register: (server) =>
      server.operate(40_001, (packet) =>
        packet.forEachLane((lane) => {
          const [first, second] = [packet.getUint32(lane, 0), packet.getUint32(lane, 1)];
          if (first < 100 || first > 105 || second !== 7) wrong.push([first, second]);
        })),
  });
  await assertRejects(() => run, KernelError, "beyond the last of its packet");
  assertEquals(wrong, []);
});

onDevice("no lane reads or writes the words of another, whatever index it uses", async (gpu) => {
  const source = `
    fn step_0() {
      packet_set(0u, 10u * lane_index);
      packet_set(15u, 7u);
      stream_set_word(0u, 100u + lane_index);
      call(${INCREMENT}u);
    }
    fn step_1() { packet_set(0u, reply(16u)); call(50000u); }
    fn step_2() {
      if lane_index == 0u { for (var i = 1u; i < 100u; i++) { stream_set_word(i, 9u); } }
    }
    fn step_3() { if lane_index == 1u { packet_set(0u, stream_word(0u)); call(50000u); } }`;
  const seen: number[] = [];
  const run = runKernel(gpu, {
    source,
    ...{ portCount: 1, laneCount: 2, waveCount: 1, streamBytes: 16 },
    register: (server) =>
      server.operate(
        50_000,
        (packet) => packet.forEachLane((lane) => void seen.push(packet.getUint32(lane, 0))),
      ),
  });
  await assertRejects(() => run, KernelError, "more of its stream than streamBytes");
  assertEquals(seen, [7, 7, 101]);
});

onDevice("a lane that puts beyond its stream changes no word of the next wave", async (gpu) => {
  // Most waves wait for the port, their packets saved, when those before them overfill their streams.
  const source = `
    fn step_0() { packet_set(0u, 100u + wave_index); call(50000u); }
    fn step_1() {
      for (var i = 0u; i < 20u; i++) { put_word(0xffffffffu, select(4u, 1u, i == 0u)); }
    }`;
  const seen: number[] = [];
  const run = runKernel(gpu, {
    source,
    ...{ portCount: 1, laneCount: 2, waveCount: 6, streamBytes: 16 },
    register: (server) =>
      server.operate(
        50_000,
        (packet) => packet.forEachLane((lane) => void seen.push(packet.getUint32(lane, 0))),
      ),
  });
  await assertRejects(() => run, KernelError, "more of its stream than streamBytes");
  assertEquals(seen.sort(), [0, 1, 2, 3, 4, 5].flatMap((wave) => [100 + wave, 100 + wave]));
});

onDevice("the other waves finish when one breaks a rule", async (gpu) => {
  let served = 0;
  const source = "fn step_0() { if wave_index == 1u { send(); } else { call(50000u); } }";
  await assertRejects(
    () =>
      runKernel(gpu, {
        ...shape,
        source,
        register: (server) => server.operatePort(50_000, (port) => port.recv(() => served++)),
      }),
    KernelError,
    "Cannot finish wave 1 as it asked to send, receive or close without a port",
  );
  assertEquals(served, 1);
});
