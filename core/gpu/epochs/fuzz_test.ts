import { assert, assertEquals } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { recvStream, sendStream } from "../../call/stream.ts";
import { Server } from "../../toggle/server/server.ts";
import { Status } from "../../memory/status.ts";
import { increment } from "../../testing/conformance/services.ts";
import { Kernel } from "./kernel.ts";
import { onDevice } from "../device/on_device_test.ts";
import type { GpuDevice } from "../device/device.ts";

const ECHO = 40_001;
const INCREMENT = 40_000;

/**
 * Writes random words over everything that the device may write: mailboxes, locks, the report,
 * headers, packets, and the spares of streams. Half of the words are random, the others look right:
 * bits, opcodes that have handlers, masks that fit, lengths.
 */
function scribble(seed: number): string {
  return /* wgsl */ `
    var<private> chance: u32;
    fn random() -> u32 {
      chance = chance * 1664525u + 1013904223u;
      return (chance >> 16u) ^ (chance << 13u) ^ chance;
    }
    fn word() -> u32 {
      switch random() % 8u {
        case 0u: { return random() & 1u; }
        case 1u: { return ${INCREMENT}u; }
        case 2u: { return ${ECHO}u; }
        case 3u: { return random() % 16u; }
        case 4u: { return random() % 8192u; }
        default: { return random(); }
      }
    }
    fn step_0() {
      chance = ${seed}u + wave_index * 7919u;
      for (var count = 0u; count < 40u; count++) {
        if random() % 2u == 0u {
          payload[random() % arrayLength(&payload)] = word();
        } else {
          atomicStore(&channel[CLIENT_OUTBOX_WORD + random() % PORT_COUNT], word());
        }
        atomicStore(&channel[REPORT_SUSPENDED_WORD + random() % 32u], word());
        atomicStore(&channel[CLIENT_LOCK_WORD + random() % PORT_COUNT], word());
      }
      if random() % 4u == 0u {
        stream_set_length(random() % 256u);
        exchange_streams(${ECHO}u);
        return;
      }
      packet_set(0u, word());
      call(random() % 3u + 39999u);
    }
    fn step_1() { go(0u); }`;
}

const SANE = "fn step_0() { packet_set(0u, 41u); call(40000u); }";

const EXPECTED = [Status.unhandledOpcode, Status.badMask];
/** With which statuses the server refused calls, over all seeds. */
const refused = new Set<number>();
const SEED_COUNT = 6;
/** By measurement one seed in four makes the rarer of the two: 0.75 ** 100 is never. */
const SEEDS_MAX = 100;

for (let seed = 1; seed <= SEED_COUNT; seed++) {
  onDevice(
    `random words over all that the device writes harm nobody, seed ${seed}`,
    (gpu) => runWild(gpu, seed),
  );
}

// Waves race for the same words, so how often what is refused differs from run to run.
onDevice("the random words did reach the server, which refused what was wrong", async (gpu) => {
  const missing = () => EXPECTED.filter((status) => !refused.has(status));
  let seed = SEED_COUNT;
  while (missing().length > 0 && seed < SEEDS_MAX) await runWild(gpu, ++seed);
  assertEquals(missing(), [], `after ${seed} seeds`);
});

async function runWild(gpu: GpuDevice, seed: number): Promise<void> {
  const channel = Channel.create({ portCount: 8, laneCount: 4 });
  await scribbleOver(gpu, channel, seed);
  assertEquals(await answersOfSane(gpu, channel), 3, "later calls are served");
}

async function scribbleOver(gpu: GpuDevice, channel: Channel, seed: number): Promise<void> {
  let badMailboxCount = 0;
  const kernel = await Kernel.create(gpu, {
    channel,
    waveCount: 12,
    source: scribble(seed),
    onBadMailbox: () => badMailboxCount++,
  });
  const server = serverOf(channel, kernel);
  // However it ends: by itself, at the limit, or with a fault that the kernel has made up.
  await kernel.runAsync(server, { epochsMax: 60, refusals: "count" }).catch((error: Error) => {
    assert(["TimeoutError", "KernelError"].includes(error.name), `${error.stack}`);
  });
  assert(badMailboxCount > 0, "the kernel did write what no client writes");
  kernel.destroy();
}

/** How often a new kernel on the channel is answered; what the wild one left is served first. */
async function answersOfSane(gpu: GpuDevice, channel: Channel): Promise<number> {
  const kernel = await Kernel.create(gpu, { channel, waveCount: 3, source: SANE });
  const server = serverOf(channel, kernel);
  while (server.runAll() > 0);
  let answered = 0;
  server.operatePort(INCREMENT, (port) =>
    port.recvAndSend((packet) => {
      assertEquals(packet.getUint32(packet.firstLane, 0), 41);
      answered++;
    }));
  await kernel.runAsync(server, { epochsMax: 100 });
  kernel.destroy();
  return answered;
}

function serverOf(channel: Channel, { portWaiter }: Kernel): Server {
  const onFault = ({ status }: { status: number }) => void refused.add(status);
  const server = new Server(channel, { portWaiter, onFault });
  server.operate(INCREMENT, increment);
  server.operatePort(ECHO, (port) => sendStream(port, recvStream(port, { limitBytes: 4096 })));
  return server;
}
