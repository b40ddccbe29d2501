import { assert, assertEquals } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { recvBytes, sendBytes } from "../../call/stream.ts";
import { Server } from "../../toggle/server/server.ts";
import { Status } from "../../memory/status.ts";
import { Epochs } from "./epochs.ts";
import { Kernel } from "./kernel.ts";
import { onDevice } from "../device/on_device_test.ts";

const ECHO = 40_001;
const INCREMENT = 40_000;

/**
 * Writes random words over everything that the device may write: mailboxes, locks, the report,
 * headers and packets. Half of the words are random, the others look right: bits, opcodes that
 * have handlers, masks that fit, lengths.
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
      packet_set(0u, word());
      call(random() % 3u + 39999u);
    }
    fn step_1() { go(0u); }`;
}

const SANE = "fn step_0() { packet_set(0u, 41u); call(40000u); }";

/** What the server refused, over all seeds. */
const refusals = new Map<number, number>();

for (let seed = 1; seed <= 6; seed++) {
  onDevice(
    `random words over all that the device writes harm nobody, seed ${seed}`,
    async (gpu) => {
      const channel = Channel.create({ portCount: 8, laneCount: 4 });
      const faults = new Map<number, number>();
      let badMailboxCount = 0;
      let server: Server | undefined;
      const attach = (epochs: Epochs) => {
        server = new Server(channel, {
          portWaiter: epochs.portWaiter,
          onFault: ({ status }) => faults.set(status, (faults.get(status) ?? 0) + 1),
        });
        server.register(
          INCREMENT,
          (port) =>
            port.recvAndSend((packet) =>
              packet.forEachLane((lane) => packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1))
            ),
        );
        server.register(ECHO, (port) => {
          const bytes = recvBytes(port, { limitBytes: 4096 });
          sendBytes(port, bytes);
        });
        return server;
      };
      const wild = await Kernel.create(gpu, { channel, waveCount: 12, source: scribble(seed) });
      const wildEpochs = await Epochs.create(wild, { onBadMailbox: () => badMailboxCount++ });
      const wildServer = attach(wildEpochs);
      // However it ends: by itself, at the limit, or with a fault that the kernel has made up.
      await wildEpochs.run(wildServer, { epochsMax: 60, refusals: "count" }).catch(
        (error: Error) => {
          assert(["TimeoutError", "KernelError"].includes(error.name), `${error.stack}`);
        },
      );
      assert(badMailboxCount > 0, "the kernel did write what no client writes");
      for (const [status, count] of faults) {
        refusals.set(status, (refusals.get(status) ?? 0) + count);
      }
      wildEpochs.destroy();

      // A new kernel on the same channel: what the wild one has left is served first.
      const saneEpochs = await Epochs.create(
        await Kernel.create(gpu, { channel, waveCount: 3, source: SANE }),
      );
      const saneServer = attach(saneEpochs);
      while (saneServer.serveAll() > 0);
      let answered = 0;
      saneServer.register(INCREMENT, (port) =>
        port.recvAndSend((packet) => {
          assertEquals(packet.getUint32(packet.firstLane, 0), 41);
          answered++;
        }));
      await saneEpochs.run(saneServer, { epochsMax: 100 });
      assertEquals(answered, 3, "later calls are served");
      saneEpochs.destroy();
    },
  );
}

onDevice("the random words did reach the server, which refused what was wrong", () => {
  const expected = [Status.unhandledOpcode, Status.badMask];
  assertEquals(expected.filter((status) => !refusals.has(status)), []);
});
