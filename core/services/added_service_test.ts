/** What `docs/contributing.md` says of adding a service, followed step by step. */
import { assertEquals, assertThrows } from "@std/assert";
import { CallError, Channel, Client, laneMask, type Packet, startServer, Status } from "../mod.ts";
import { SUM_DOUBLES } from "./testdata/sum_doubles.ts";

const MODULE = new URL("./testdata/sum_doubles.ts", import.meta.url);

/** The sums of two lanes that sent 1 to 8, and 10 to 17. */
function sumsBy(client: Client): number[] {
  const sums: number[] = [];
  client.call(SUM_DOUBLES, {
    fill(packet: Packet) {
      packet.forEachLane((lane) => {
        for (let double = 0; double < 8; double++) {
          packet.setFloat64(lane, double, 1 + double + 9 * lane);
        }
      });
    },
    use: (packet) => packet.forEachLane((lane) => sums.push(packet.getFloat64(lane, 0))),
  }, { mask: laneMask(0, 1) });
  return sums;
}

Deno.test("a module with addServices(server) serves from the start, by its URL", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 4 });
  await using _server = await startServer(channel, { services: [MODULE] });
  assertEquals(sumsBy(new Client(channel)), [36, 108]);
});

Deno.test("a module with addServices(server) serves from when a running server has loaded it", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 4 });
  await using server = await startServer(channel);
  const client = new Client(channel);
  const refused = assertThrows(() => sumsBy(client), CallError);
  assertEquals(refused.status, Status.unhandledOpcode);
  await server.addServices(MODULE);
  assertEquals(sumsBy(client), [36, 108]);
});
