import { assertEquals } from "@std/assert";
import { manyClients } from "./many_clients.ts";
import { Partner } from "../partner/partner.ts";

Deno.test("manyClients sweeps the clients alone", () => {
  const clientCounts = [...manyClients.points!()].map(({ clientCount }) => clientCount);
  assertEquals(clientCounts, [1, 2, 4, 8]);
});

Deno.test("manyClients compares with one client on a channel of its own", async () => {
  await using partner = new Partner();
  const point = { clientCount: 2, portCount: 8, waiting: "adaptive" } as const;
  const [oneClient] = manyClients.references!;
  await using several = await manyClients.setup(point, partner);
  await using alone = await oneClient!.setup(point, partner);
  for (const trial of [several, alone, several]) {
    trial.wake!();
    trial.run(101);
    trial.rest!();
  }
});
