import { OneDispatch, requestGpuDevice } from "../../core/gpu/mod.ts";
import {
  type CopyOut,
  createReadback,
  type DeviceTask,
  LOCK_NAMES,
} from "../../core/gpu/internal.ts";
import type { ChannelShape } from "../../core/mod.ts";
import { oneAxisAtATime, type Point } from "../axis.ts";
import oneDispatchText from "./kernels/count_one_dispatch.wgsl" with { type: "text" };
import pingPongText from "./kernels/ping_pong_one_dispatch.wgsl" with { type: "text" };
import type { Control, Scenario, Trial } from "../scenario.ts";

const axes = {
  portCount: [1, 16, 256],
  /** Lanes of the client's workgroup and of the server's. */
  laneCount: [1, 8, 32],
  lock: LOCK_NAMES,
} as const;

type OneDispatchPoint = Point<typeof axes>;

/** The most turns of one dispatch: drivers of hardware stop a dispatch that takes seconds. */
const TURNS_MAX = 100_000;
const SPINS_MAX = 100_000_000;
/** More than two: the first two that run take part, see ping_pong_one_dispatch.wgsl. */
const GROUP_COUNT = 16;
/** Raised by the floor's kernel when a workgroup gave up. */
const NO_PROGRESS_WORD = 64;

/** Two workgroups toggle two words. */
export const oneDispatchPingPong: Control = {
  name: "live_ping_pong",
  setup: () => prepareOneDispatchPingPong("atomicStore(&words[word], turn);"),
};

/** The simplest call, from which the sweep moves one axis at a time. */
const ONE_CALL = { portCount: 1, laneCount: 1, lock: "fetch-or" } as const;

/** A call between two workgroups of one dispatch; a turn is one round trip inside it. */
export const gpuLive: Scenario<typeof axes> = {
  name: "gpu_live",
  question: "What does a call cost when client and server run in one dispatch?",
  axes,
  floor: oneDispatchPingPong,
  needsAdapter: true,
  points: () => oneAxisAtATime(axes, ONE_CALL),
  targets: [{
    text: "a live call between two workgroups, in bare ping-pongs of two atomics",
    where: ONE_CALL,
    figure: { kind: "timesFloor" },
    bound: "at most",
    limit: 3,
  }],
  setup: prepareOneDispatch,
};

/**
 * Prepares calls of one workgroup to another, on a channel of any packet layout.
 *
 * @throws {DOMException} `NotSupportedError` where the first call is not answered
 */
export async function prepareOneDispatch(
  shape: OneDispatchPoint & Pick<ChannelShape, "packetLayout">,
): Promise<Trial> {
  const gpu = await requestGpuDevice();
  const usage = GPUBufferUsage.STORAGE;
  const counts = gpu.device.createBuffer({ size: shape.laneCount * 4, usage });
  const program = await OneDispatch.create(gpu, {
    ...shape,
    clientCount: 1,
    spinsMax: SPINS_MAX,
    source: oneDispatchText,
    buffers: [{ buffer: counts }],
  });
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    await program.runAsync(0);
    program.destroy();
    counts.destroy();
  });
  await makeCalls(program, 1);
  const kept = stack.move();
  return {
    adapter: gpu.adapterName,
    run: (callCount) => inPortions(callCount, (portion) => makeCalls(program, portion)),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function makeCalls(program: OneDispatch, callCount: number): Promise<void> {
  const report = program.readback === "eager"
    ? program.run(callCount)
    : await program.runAsync(callCount);
  if (report.callCount === callCount && report.madeProgress) return;
  throw new DOMException(`Cannot measure: ${report.detail}`, "NotSupportedError");
}

async function inPortions(total: number, run: (portion: number) => Promise<void>): Promise<void> {
  for (let left = total; left > 0; left -= TURNS_MAX) await run(Math.min(left, TURNS_MAX));
}

/**
 * Prepares turns of two workgroups that flip a word each.
 *
 * @param flip WGSL that gives `words[word]` the number `turn`, which is one more than it has
 */
export async function prepareOneDispatchPingPong(flip: string): Promise<Trial> {
  const { device, adapterName } = await requestGpuDevice();
  const { STORAGE, COPY_SRC, COPY_DST, UNIFORM } = GPUBufferUsage;
  const words = device.createBuffer({ size: 512, usage: STORAGE | COPY_SRC | COPY_DST });
  const limits = device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST });
  const code = `${pingPongText}fn flip(word: u32, turn: u32) { ${flip} }`;
  const module = device.createShaderModule({ code });
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
  const bindGroup = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [words, limits].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const readback = await createReadback(device, { bytes: 512 });
  const encode = (encoder: GPUCommandEncoder, copyOut: CopyOut, turnCount: number) => {
    device.queue.writeBuffer(limits, 0, Uint32Array.of(turnCount, SPINS_MAX, 0, 0));
    encoder.clearBuffer(words);
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(GROUP_COUNT);
    pass.end();
    copyOut(words, 0, 0, 512);
  };
  const turns = function* (turnCount: number): DeviceTask<void> {
    yield {
      what: "dispatch",
      encode: (encoder, copyOut) => encode(encoder, copyOut, turnCount),
      use: checkProgress,
    };
  };
  return {
    adapter: adapterName,
    run: (turnCount) =>
      inPortions(turnCount, async (portion) => {
        await readback.runAsync(turns(portion));
      }),
    async [Symbol.asyncDispose]() {
      await readback.settle();
      for (const memory of [words, limits, readback]) memory.destroy();
    },
  };
}

function checkProgress(mapped: Int32Array): void {
  if (mapped[NO_PROGRESS_WORD] === 0) return;
  throw new Error("Cannot measure: no progress on this adapter");
}
