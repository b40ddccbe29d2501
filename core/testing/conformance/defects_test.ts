/** What went wrong in LLVM libc or in hostrpc, each as a test. X1 to X10: see `conformance_test.ts`. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Client } from "../../toggle/client/client.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { Status } from "../../memory/status.ts";
import { Opcode } from "../../memory/opcode.ts";
import { echoOnce } from "./wave_programs.ts";
import { oneThread } from "../fixtures/one_thread.ts";
import { statusOf } from "../fixtures/status_of.ts";
import { addServices, increment, TestOpcode } from "./services.ts";
import { TestBed } from "./test_bed.ts";

const INCREMENT = TestOpcode.increment;

Deno.test("X1: with lanes 3, 17 and 31 alone, each gets its own result", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 32 });
  addServices(server);
  const results = new Map<number, number>();
  client.call(INCREMENT, {
    fill: (packet) => packet.forEachLane((lane) => packet.setUint32(lane, 0, lane * 100)),
    use: (packet) => packet.forEachLane((lane) => results.set(lane, packet.getUint32(lane, 0))),
  }, { mask: laneMask(3, 17, 31) });
  assertEquals([...results], [[3, 301], [17, 1701], [31, 3101]]);
});

Deno.test("X3: on one port an asynchronous call is followed by others, and a nested one gives up", async () => {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  const client = new Client(bed.channel);
  for (let repetition = 0; repetition < 100; repetition++) {
    client.cast(Opcode.noop, () => {});
    client.call(INCREMENT, { fill: () => {}, use: () => {} });
  }
  using _held = client.open(INCREMENT);
  assertEquals(client.tryOpen(INCREMENT), undefined);
  const error = assertThrows(() => client.open(INCREMENT, { timeoutSeconds: 0.05 }), DOMException);
  assertEquals(error.name, "TimeoutError");
});

Deno.test("X4: when every port is open the next is refused, and each close makes room for one", () => {
  const { client } = oneThread({ portCount: 300, laneCount: 1 });
  const ports = Array.from({ length: 300 }, () => client.tryOpen(INCREMENT));
  assertEquals(new Set(ports.map((port) => port?.index)).size, 300);
  assertEquals(client.tryOpen(INCREMENT), undefined);
  for (const port of ports) {
    port!.close();
    assertEquals(client.tryOpen(INCREMENT)?.index, port!.index);
    assertEquals(client.tryOpen(INCREMENT), undefined);
  }
});

Deno.test("X7: payloads at every edge of the packets come back whole", async () => {
  await using bed = await TestBed.start({ portCount: 2, laneCount: 2 });
  const client = new Client(bed.channel);
  for (const lengthBytes of [0, 1, 55, 56, 57, 119, 120, 121, 184, 185, 4096]) {
    const payload = Uint8Array.from({ length: lengthBytes }, (_, byte) => byte % 251);
    echoOnce(client, [payload, payload.subarray(0, lengthBytes >> 1)]);
  }
});

Deno.test("X8: a port that is closed without any operation is free, on both sides", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  client.open(INCREMENT).close();
  assertEquals(server.runOnce(), false);
  server.operatePort(INCREMENT, () => {});
  for (let round = 0; round < 2; round++) {
    const call = () => client.call(INCREMENT, { fill: () => {}, use: () => {} });
    assertEquals(statusOf(call), Status.noReply);
  }
  client.open(INCREMENT).send(() => {}).close();
  assertEquals(server.tryOpen()?.close(), undefined);
  assertEquals(server.runOnce(), false);
});

Deno.test("X9: a client on the top port is served within one search for each busy port", () => {
  const portCount = 2048;
  const { client, server } = oneThread({ portCount, laneCount: 1 });
  server.operate(INCREMENT, increment);
  const ports = Array.from({ length: portCount }, () => client.tryOpen(INCREMENT)!);
  ports.sort((left, right) => left.index - right.index);
  const busy = ports.slice(0, 8).map((port) => port.send(() => {}));
  const top = ports.at(-1)!.send(() => {});
  let searches = 0;
  for (; !top.query(); searches++) {
    server.runOnce();
    for (const [place, port] of busy.entries()) {
      if (port.query()) busy[place] = port.recv(() => {}).send(() => {});
    }
  }
  assert(searches <= busy.length + 1, `the top port waited for ${searches} searches`);
});

Deno.test("X10: lanes that are done leave nothing behind in longer streams of others", async () => {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 4 });
  const client = new Client(bed.channel);
  echoOnce(client, [0, 1, 2, 3].map(() => new Uint8Array(300).fill(0xff)));
  echoOnce(client, [new Uint8Array(3), new Uint8Array(200).fill(1), undefined, new Uint8Array(0)]);
});
