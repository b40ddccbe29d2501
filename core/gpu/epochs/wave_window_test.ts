import { assert, assertEquals } from "@std/assert";
import type { Packet } from "../../memory/packet.ts";
import { onDevice } from "../device/on_device_test.ts";
import { runKernel } from "./kernel_run_test.ts";
import { WaveWindow } from "./wave_window.ts";

const STARVED = { starved: true } as const;

function bounds({ first, end, begunBelow }: WaveWindow): readonly number[] {
  return [first, end, begunBelow];
}

Deno.test("WaveWindow begins with all waves where there are ports for a quarter of them", () => {
  assertEquals(bounds(new WaveWindow({ waveCount: 4096, portCount: 1024 })), [0, 4096, 0]);
  assertEquals(bounds(new WaveWindow({ waveCount: 30, portCount: 2 })), [0, 30, 0]);
});

Deno.test("WaveWindow follows the waves that finish, with four for each port", () => {
  const window = new WaveWindow({ waveCount: 1000, portCount: 8 });
  assertEquals([...bounds(window), window.hasBegunAll], [0, 256, 0, false]);
  window.advance({ ...STARVED, firstUnfinished: 100 });
  assertEquals(bounds(window), [100, 256, 256]);
  window.advance({ ...STARVED, firstUnfinished: 250 });
  assertEquals(bounds(window), [250, 282, 256]);
  window.advance({ ...STARVED, firstUnfinished: 990 });
  assertEquals([...bounds(window), window.hasBegunAll], [990, 1000, 282, false]);
  window.advance({ ...STARVED, firstUnfinished: undefined });
  assertEquals([...bounds(window), window.hasBegunAll], [1000, 1000, 1000, true]);
});

Deno.test("WaveWindow leaves out no wave that has begun and may hold a port", () => {
  const window = new WaveWindow({ waveCount: 1000, portCount: 8 });
  for (let epoch = 0; epoch < 10; epoch++) window.advance({ ...STARVED, firstUnfinished: 3 });
  assertEquals(bounds(window), [3, 256, 256]);
});

Deno.test("WaveWindow grows where ports are left over, and where all waves have finished", () => {
  const window = new WaveWindow({ waveCount: 4096, portCount: 8 });
  window.advance({ starved: false, firstUnfinished: 16 });
  assertEquals(bounds(window), [16, 1040, 256]);
  window.advance({ starved: false, firstUnfinished: undefined });
  assertEquals(bounds(window), [1040, 4096, 1040]);
});

Deno.test("WaveWindow grows where no wave finishes, until all have their turn", () => {
  const window = new WaveWindow({ waveCount: 4096, portCount: 8 });
  const ends: number[] = [];
  for (let epoch = 0; epoch < 64 * 5; epoch++) {
    window.advance({ ...STARVED, firstUnfinished: 0 });
    if (ends.at(-1) !== window.end) ends.push(window.end);
  }
  assertEquals(ends, [256, 512, 1024, 2048, 4096]);
});

Deno.test("WaveWindow lets other waves be the first while the first does not finish", () => {
  const window = new WaveWindow({ waveCount: 30, portCount: 8 });
  const rotationAfter = (epochCount: number) => {
    for (let epoch = 0; epoch < epochCount; epoch++) {
      window.advance({ ...STARVED, firstUnfinished: window.first });
    }
    return window.rotation;
  };
  assertEquals([63, 1, 1, 1, 1].map(rotationAfter), [0, 8, 16, 24, 2]);
  window.advance({ ...STARVED, firstUnfinished: 1 });
  assertEquals(window.rotation, 0);
});

onDevice("no port rests for an epoch while waves wait for one", async (gpu) => {
  const shape = { portCount: 2, laneCount: 2, waveCount: 600 };
  const source = "fn step_0() { call(40000u); }";
  const { report } = await runKernel(gpu, { ...shape, source });
  assertEquals(report.packetCount, 600);
  assert(report.starvedEpochCount > 0, "some go without a port for an epoch");
  // 300 where all ports are busy in every epoch.
  assert(report.epochCount < 360, `${report.epochCount} epochs`);
});

onDevice("waves that wait for a later wave do not keep it from its turn", async (gpu) => {
  const shape = { portCount: 4, laneCount: 1, waveCount: 300 };
  const source = `
    fn step_0() { packet_set(0u, wave_index); call(50000u); }
    fn step_1() { if reply(0u) == 0u { go(0u); } }`;
  let hasLastCalled = 0;
  const register = (server: { operate(opcode: number, work: (packet: Packet) => void): void }) =>
    server.operate(50_000, (packet) => {
      if (packet.getUint32(0, 0) === 299) hasLastCalled = 1;
      packet.setUint32(0, 0, hasLastCalled);
    });
  const { report } = await runKernel(gpu, { ...shape, source, register });
  assert(report.packetCount >= 300);
});
