import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { translate } from "naga-wasm";
import { CallError } from "../../call/call_error.ts";
import { Status } from "../../memory/status.ts";
import { fn, hostApi, u32 } from "../../signature/mod.ts";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import { gpu as device } from "../device/on_device_test.ts";
import { Kernel } from "../epochs/kernel.ts";
import { liveObstacle } from "../live/device/on_live_device_test.ts";
import { LiveKernel, openLiveGpu, requestLiveDevice } from "../live/mod.ts";
import { KernelError, KernelErrorCode } from "../wgsl/kernel_error.ts";
import { openGpu } from "./gpu.ts";
import { hostLibrary } from "./host_functions.ts";
import type { GpuRunOptions, KernelGpu } from "./run_options.ts";
import { checkOutcome, type RunOutcome } from "./run_report.ts";

const refusal = { opcode: 40_000, status: Status.handlerFailed, detail: "disk full" };
const broken = { waveIndex: 5, code: KernelErrorCode.noPortOpen, step: undefined };
const unfinished = new DOMException("Cannot finish", "TimeoutError");
const NOTHING: RunOutcome = {
  refusal: undefined,
  refusedCount: 0,
  broken: undefined,
  unfinished: undefined,
};

Deno.test("checkOutcome() rejects with a refused call, then a broken rule, then what has not finished", () => {
  const thrown = (outcome: Partial<RunOutcome>, refusals: "reject" | "count") =>
    assertThrows(() => checkOutcome({ ...NOTHING, ...outcome }, { refusals })) as Error;
  const refused = { refusal, refusedCount: 2 };
  const first = thrown({ ...refused, broken, unfinished }, "reject");
  assertEquals(first.name, "CallError");
  assertStringIncludes(
    first.message,
    "disk full (2 failed calls in this run)\n  then: Cannot finish wave 5",
  );
  assertStringIncludes(thrown({ ...refused, unfinished }, "reject").message, "then: Cannot finish");
  assertEquals(thrown({ ...refused, broken, unfinished }, "count").name, "KernelError");
  assertEquals(thrown({ ...refused, unfinished }, "count"), unfinished);
  checkOutcome({ ...NOTHING, ...refused }, { refusals: "count" });
  checkOutcome(NOTHING, { refusals: "reject" });
});

function naga(source: string): Uint32Array {
  return translate({ from: "wgsl", to: "spirv", source }) as Uint32Array;
}
const WAYS = [
  { way: "epochs", open: openGpu, obstacle: device ? undefined : "no GPU adapter" },
  { way: "live", open: () => openLiveGpu({ translate: naga }), obstacle: liveObstacle },
] as const;

function inEachWay(name: string, test: (gpu: KernelGpu, way: string) => Promise<void>): void {
  for (const { way, open, obstacle } of WAYS) {
    Deno.test({
      name: `${way}: ${name}${obstacle ? ` (${obstacle})` : ""}`,
      ignore: obstacle !== undefined,
      async fn() {
        using gpu = await open();
        await test(gpu, way);
      },
    });
  }
}

const down = new Error("database is down");
function find(): never {
  throw down;
}
const libraries = [hostLibrary(hostApi("db", { find: fn([u32], u32) }), { find })];
const functions = { find };
const FIND = "@service fn find(x: u32) -> u32;\n";

/** What a kernel does with the result of a call that has failed. */
const MASKS: Readonly<Record<string, readonly [source: string, options: GpuRunOptions]>> = {
  "an address": [
    `${FIND}fn kernel() { heap_set_u32(find(lane_index), 5u); }`,
    { functions, heapBytes: 65_536, laneCount: 1 },
  ],
  "an address, of a library": [
    "fn kernel() { heap_set_u32(db_find(lane_index), 5u); }",
    { libraries, heapBytes: 65_536, laneCount: 1 },
  ],
  "an assert": [
    `${FIND}fn kernel() { let y = find(3u); assert(y == 9u, "y %u", y); }`,
    { functions, laneCount: 1 },
  ],
  "an assert of one lane of many": [
    `${FIND}fn kernel() { if lane_index == 7u { assert(find(3u) == 9u); } }`,
    { functions, laneCount: 32, waveCount: 2 },
  ],
};

for (const [mask, [source, options]] of Object.entries(MASKS)) {
  inEachWay(
    `a failed function is told with its cause, though its result is used as ${mask}`,
    async (gpu) => {
      const error = await assertRejects(() => gpu.run(source, options as never), CallError);
      assertEquals(error.cause, down);
      assertStringIncludes(error.message, "database is down (");
      assertStringIncludes(error.message, "then: Cannot finish wave ");
      const counted = { ...options, refusals: "count" };
      await assertRejects(
        () => gpu.run(source, counted as never),
        KernelError,
        "Cannot finish wave ",
      );
    },
  );
}

inEachWay(
  "a failed function is told before waves that wait for its result for ever",
  async (gpu, way) => {
    const source = `${FIND}@service fn look() -> u32;
    fn kernel() { let y = find(3u); while look() != y + 1u {} }`;
    const controller = new AbortController();
    let lookCount = 0;
    const look = () => {
      if (++lookCount === 50 && way === "live") controller.abort();
      return 0;
    };
    const { signal } = controller;
    const limits = way === "epochs" ? { epochsMax: 20 } : { signal };
    const run = () =>
      gpu.run(source, { functions: { find, look }, laneCount: 1, ...limits } as never);
    // Who aborts a run hears that, and nothing else.
    if (way === "live") return void await assertRejects(run, DOMException, "aborted");
    const error = await assertRejects(run, CallError, "database is down");
    assertStringIncludes(error.message, "then: Cannot finish the kernel within 20 epochs");
  },
);

for (const [way, { obstacle }] of [["epochs", WAYS[0]], ["live", WAYS[1]]] as const) {
  Deno.test({
    name: `${way}: a server of this thread that would sleep waits as the run does, while it runs`,
    ignore: obstacle !== undefined,
    async fn() {
      const channel = Channel.create({ portCount: 2, laneCount: 4 });
      const server = new Server(channel, { waiter: "park" });
      let byteCount = 0;
      server.operatePort(50_000, (port) => {
        let open = port.recv(() => byteCount++);
        for (let packet = 1; packet < 3; packet++) open = open.recv(() => byteCount++);
      });
      const source = `
        fn step_0() { packet_set(0u, 1u); begin(50000u); }
        fn step_1() { packet_set(0u, 2u); send(); }
        fn step_2() { packet_set(0u, 3u); send(); }
        fn step_3() { close(); }`;
      const shape = { channel, waveCount: 2, source };
      using stack = new DisposableStack();
      if (way === "live") {
        const live = stack.use(requestLiveDevice());
        const memory = live.importBuffer(channel.handle.buffer);
        const kernel = await LiveKernel.create(live, { ...shape, memory, translate: naga });
        await stack.use(kernel).runAsync(server);
      } else {
        const kernel = await Kernel.create(device!, { ...shape, readback: "eager" });
        stack.defer(() => kernel.destroy());
        await kernel.runAsync(server);
      }
      assertEquals(byteCount, 2 * 3);
    },
  });
}

inEachWay(
  "a function of the host that runs a kernel gets its result, or hears why not",
  async (gpu, way) => {
    const inner = "var<storage, read_write> out: array<u32>; fn kernel() { out[0] = 5u; }";
    const source = `@service fn nested(x: u32) -> u32; ${inner.replace("5u", "nested(1u)")}`;
    const options = () => ({ laneCount: 1, buffers: { out: new Uint32Array(1) } });
    const nested = async (x: number) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return (await gpu.run(inner, options())).buffers.out[0]! + x;
    };
    const run = () => gpu.run(source, { ...options(), functions: { nested } });
    if (way === "epochs") return assertEquals((await run()).buffers.out[0], 6);
    const { cause } = await assertRejects(run, CallError);
    assert(cause instanceof TypeError);
    assertStringIncludes(cause.message, "use another LiveDevice");
    assertEquals((await gpu.run(inner, options())).buffers.out[0], 5, "afterwards it runs");
  },
);
