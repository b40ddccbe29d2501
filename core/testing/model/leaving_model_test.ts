import { assert, assertEquals } from "@std/assert";
import { changedCore } from "../explorer/changed_core.ts";
import { exploreRandom } from "../explorer/explorer.ts";
import { leavingModel } from "./leaving_model.ts";
import { WATCH_ONCE } from "./planted_fault.ts";

const core = await changedCore([WATCH_ONCE]);
/** Random schedules: every one of them has over 14 million states already for one client and one server. */
const SEEDS = Array.from({ length: 400 }, (_, index) => index + 1);

for (const asked of ["server", "client"] as const) {
  for (const [clientCount, serverCount] of [[1, 1], [3, 2]] as const) {
    Deno.test(`leaving model: ${clientCount} clients x ${serverCount} servers, a ${asked} is asked`, () => {
      const model = leavingModel({ core, clientCount, serverCount, asked });
      assertEquals(exploreRandom(model, SEEDS), undefined);
    });
  }
}

Deno.test("leaving model: finds that a client leaves while it holds a port", async () => {
  const faulty = await changedCore([WATCH_ONCE, {
    file: "toggle/port_side.ts",
    from: "if (this.mailboxes.holder(index) === this.ownerId) return;",
    to: "if (index < 0) return;",
  }]);
  const model = leavingModel({ core: faulty, clientCount: 1, serverCount: 1, asked: "client" });
  assert(exploreRandom(model, SEEDS), "the planted fault was not found");
});
