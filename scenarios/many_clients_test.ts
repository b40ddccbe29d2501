import { assertEquals } from "@std/assert";
import { manyClients } from "./many_clients.ts";
import { Partner } from "./partner.ts";

Deno.test("manyClients begins its points with the crowd on the usual channel", () => {
  const [first] = manyClients.points!();
  assertEquals(first, { clientCount: 8, portCount: 64, waiting: "adaptive" });
});

Deno.test("manyClients compares with one client on a channel of its own", async () => {
  await using partner = new Partner();
  const point = { clientCount: 2, portCount: 8, waiting: "adaptive" } as const;
  const oneClient = manyClients.controls!.find(({ name }) => name === "one_client")!;
  await using crowd = await manyClients.setup(point, partner);
  await using alone = await oneClient.setup(point, partner);
  for (const trial of [crowd, alone, crowd]) {
    trial.wake!();
    trial.run(101);
    trial.rest!();
  }
});
