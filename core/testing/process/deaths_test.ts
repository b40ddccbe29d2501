import { assertEquals } from "@std/assert";
import { playDeaths } from "./deaths.ts";

Deno.test({
  name: "processes that die in some step of their calls leave nothing behind, and hold nobody up",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const reports = await playDeaths({ rounds: 6, seed: 3 });
    assertEquals(reports.map(({ side, rounds }) => `${rounds} ${side}`), ["3 client", "3 server"]);
    for (const { answered } of reports) assertEquals(answered >= 12, true);
  },
});
