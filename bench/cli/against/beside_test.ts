import { assertEquals } from "@std/assert";
import { Partner } from "../../../scenarios/partner/partner.ts";
import * as besides from "./beside.ts";

Deno.test("beside.ts makes the same calls by the code of two trees", async () => {
  // This tree under another URL is other modules, as another tree is.
  const other = new URL("../../../", import.meta.url).href.replace("file:///", "file:///.//");
  const { calls }: typeof besides = await import(`./beside.ts?before=${encodeURIComponent(other)}`);
  assertEquals([...calls.points!()].length, 12);
  await using partner = new Partner();
  for (const { setup } of [calls, ...calls.references!]) {
    await using trial = await setup({ portCount: 64, laneCount: 32 }, partner);
    trial.wake!();
    trial.run(50);
    trial.rest!();
  }
  assertEquals(calls.references!.map(({ name }) => name), ["before"]);
});

Deno.test("beside.ts compares each scenario with its own reference, too", () => {
  const { pipelined, awaited, messages, streams } = besides;
  const names = [pipelined, awaited, messages, streams].map((one) => one.references![1]!.name);
  assertEquals(names, ["synchronous", "synchronous", "post_message", "plain_set"]);
});
