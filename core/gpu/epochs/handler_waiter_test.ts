import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { recvStream, recvStreamAsync } from "../../call/stream.ts";
import type { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import type { Server } from "../../toggle/server/server.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";
import { onDevice } from "../device/on_device_test.ts";
import { READBACK_NAMES } from "../device/readback.ts";
import { runKernel } from "./kernel_run_test.ts";

const shape = { portCount: 2, laneCount: 1, waveCount: 1 };
const CALL = "fn step_0() { call(50000u); }";

onDevice("a handler gets the packets of a call from later epochs", async (gpu) => {
  const seen: number[] = [];
  const source = `
    fn step_0() { packet_set(0u, 1u); begin(50000u); }
    fn step_1() { packet_set(0u, 2u); send(); }
    fn step_2() { close(); }`;
  const { faults } = await runKernel(gpu, {
    ...shape,
    source,
    register: (server) =>
      server.operatePort(50_000, (port) => {
        const take = (packet: { getUint32(lane: number, word: number): number }) =>
          seen.push(packet.getUint32(0, 0));
        port.recv(take).recv(take);
      }),
  });
  assertEquals([seen, faults], [[1, 2], []]);
});

for (
  const [way, readback, reason] of [
    ["operatePort", "eager", "its wave has left it"],
    ["operatePort", "awaited", "as the readback is awaited"],
    ["operatePortAsync", "eager", "its wave has left it"],
    ["operatePortAsync", "awaited", "its wave has left it"],
  ] as const
) {
  onDevice(
    `a handler of ${way} that waits in vain fails and says why, ${readback}`,
    async (gpu) => {
      const { faults } = await runKernel(gpu, {
        ...{ ...shape, readback, refusals: "count" },
        source: "fn step_0() { cast_call(50000u); }",
        register: (server) =>
          way === "operatePort"
            ? server.operatePort(50_000, (port) => port.recv(() => {}).recv(() => {}))
            : server.operatePortAsync(50_000, async (port) => {
              await port.recvAsync(() => {});
              await port.recvAsync(() => {});
            }),
      });
      assertStringIncludes(`${faults[0]?.cause}`, reason);
    },
  );
}

const TWO_PACKETS = `
  fn step_0() { packet_set(0u, 1u); begin(50000u); }
  fn step_1() { packet_set(0u, 2u); send(); }
  fn step_2() { recv(); }
  fn step_3() { results[wave_index] = reply(0u); close(); }
  @group(1) @binding(0) var<storage, read_write> results: array<u32>;`;

for (const readback of READBACK_NAMES) {
  onDevice(`an asynchronous handler gets packets of later epochs, ${readback}`, async (gpu) => {
    const register = (server: Server) =>
      server.operatePortAsync(50_000, async (port) => {
        let sum = 0;
        const add = (packet: Packet) => sum += packet.getUint32(0, 0);
        await port.recvAsync(add);
        await port.recvAsync(add);
        await port.sendAsync((packet) => packet.setUint32(0, 0, 10 * sum));
      });
    const many = { portCount: 2, laneCount: 1, waveCount: 4, resultWords: 4 };
    const run = await runKernel(gpu, { ...many, source: TWO_PACKETS, readback, register });
    assertEquals([[...run.results], run.faults], [[30, 30, 30, 30], []]);
  });

  for (const waits of ["blocking", "asynchronous"] as const) {
    onDevice(
      `a stream comes with one epoch, to a handler that is ${waits}, ${readback}`,
      async (gpu) => {
        const texts: string[] = [];
        const long = "z".repeat(200);
        const source = `
        fn step_0() { put("${long}"); if wave_index == 1u { put("!"); } call_with_stream(50000u); }
        fn step_1() { results[wave_index] = reply(0u); }
        @group(1) @binding(0) var<storage, read_write> results: array<u32>;`;
        const answer = (port: ServerPort, [bytes]: readonly (Uint8Array | undefined)[]) => {
          texts.push(new TextDecoder().decode(bytes));
          port.send((packet) => packet.setUint32(0, 0, bytes!.length));
        };
        const register = (server: Server) =>
          waits === "blocking"
            ? server.operatePort(50_000, (port) => answer(port, recvStream(port)))
            : server.operatePortAsync(
              50_000,
              async (port) => answer(port, await recvStreamAsync(port)),
            );
        const many = { portCount: 2, laneCount: 1, waveCount: 2, resultWords: 2 };
        const { report, results } = await runKernel(gpu, { ...many, source, readback, register });
        assertEquals([texts, [...results]], [[long, `${long}!`], [200, 201]]);
        assertEquals(report.packetCount, 8);
        assert(report.epochCount <= 3, "one to send, one to go on, and one while promises resolve");
      },
    );
  }

  onDevice(`a handler that leaves a stream is told of its rest, ${readback}`, async (gpu) => {
    const source = `
      fn step_0() { put("${"z".repeat(200)}"); call_with_stream(50000u); }
      fn step_1() { results[wave_index] = reply_status(); packet_set(0u, 1u); call(40000u); }
      fn step_2() { results[2u + wave_index] = reply(0u); }
      @group(1) @binding(0) var<storage, read_write> results: array<u32>;`;
    const { results, faults } = await runKernel(gpu, {
      ...{ portCount: 3, laneCount: 1, waveCount: 2, resultWords: 4 },
      source,
      readback,
      refusals: "count",
      register: (server) => server.operatePort(50_000, (port) => void port.recv(() => {})),
    });
    assertEquals([...results], [Status.outOfStep, Status.outOfStep, 2, 2]);
    assertEquals(faults.map(({ status }) => status), [Status.outOfStep, Status.outOfStep]);
  });
}

const WAITS: readonly (readonly [what: string, register: (server: Server) => void])[] = [
  [
    "an asynchronous handler",
    (server) =>
      server.operateAsync(50_000, () => new Promise((resolve) => setTimeout(resolve, 40))),
  ],
  ["a call that is pending", (server) => {
    let looks = 0;
    server.operate(50_000, () => new Pending({ poll: () => ++looks < 20 ? undefined : () => {} }));
  }],
];

for (const [what, register] of WAITS) {
  onDevice(`a run makes no epochs while it waits for ${what}`, async (gpu) => {
    const { report } = await runKernel(gpu, { ...shape, source: CALL, register });
    assertEquals([report.epochCount, report.packetCount], [3, 1]);
  });
}

onDevice("a run that waits for an asynchronous handler can be aborted", async (gpu) => {
  const controller = new AbortController();
  const register = (server: Server) =>
    server.operateAsync(50_000, async (_, { signal }) => {
      controller.abort(new Error("enough"));
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }, { timeoutSeconds: 1 });
  const options = { ...shape, source: CALL, register, signal: controller.signal };
  await assertRejects(() => runKernel(gpu, options), Error, "enough");
  await new Promise((resolve) => setTimeout(resolve, 1100));
});

onDevice("a run that is aborted cancels the calls that are pending", async (gpu) => {
  const controller = new AbortController();
  const notes: string[] = [];
  const register = (server: Server) =>
    server.operate(50_000, () =>
      new Pending({
        poll: () => void controller.abort(new Error("enough")),
        cancel: ({ message }) => notes.push(message),
      }));
  const options = { ...shape, source: CALL, register, signal: controller.signal };
  await assertRejects(() => runKernel(gpu, options), Error, "enough");
  assertEquals(notes, ["The run of the kernel has ended"]);
});

for (const readback of READBACK_NAMES) {
  onDevice(`a call that is pending lets other waves go on (${readback})`, async (gpu) => {
    let message = 0;
    const { results, report } = await runKernel(gpu, {
      // The first wave waits for what the last one sends, after calls of its own.
      source: `
        @group(1) @binding(0) var<storage, read_write> results: array<u32>;
        @service(50000) fn take() -> u32;
        @service(50001) fn give(value: u32) -> u32;
        fn kernel() {
          if wave_index == 0u { results[0] = take(); return; }
          for (var turn = 0u; turn < 3u; turn++) { results[1] += give(0u); }
          results[1] += give(41u);
        }`,
      portCount: 2,
      laneCount: 1,
      waveCount: 2,
      resultWords: 2,
      readback,
      register(server) {
        server.operate(50_000, () =>
          new Pending({
            poll: () => message ? (packet: Packet) => packet.setUint32(0, 0, message) : undefined,
          }));
        server.operate(50_001, (packet) => {
          message ||= packet.getUint32(0, 0);
          packet.setUint32(0, 0, 1);
        });
      },
    });
    assertEquals([[...results], report.packetCount], [[41, 4], 5]);
  });
}
