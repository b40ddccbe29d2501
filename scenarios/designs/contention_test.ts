import { Partner } from "../partner/partner.ts";
import { contention } from "./contention.ts";

for (const portLock of contention.axes.portLock) {
  Deno.test(`contention makes checked calls of 8 clients on 4 ports by ${portLock}`, async () => {
    await using partner = new Partner();
    const point = { portLock, clientCount: 8, serverCount: 2, portCount: 4 } as const;
    await using trial = await contention.setup(point, partner);
    trial.wake!();
    trial.run(20);
    trial.rest!();
  });
}
