import { assert, assertEquals } from "@std/assert";
import { Channel } from "../toggle/channel.ts";
import { Doorbell } from "./doorbell.ts";
import { ControlWord, doorbellPlace } from "../toggle/layout.ts";

Deno.test("Doorbell: a ring between arm and sleep ends the sleep before it begins", () => {
  const { words, layout } = Channel.create({ portCount: 1, laneCount: 1 });
  const bell = new Doorbell(words, doorbellPlace(layout));
  const armed = bell.arm();
  bell.ring();
  const start = performance.now();
  bell.sleep(armed);
  assert(performance.now() - start < 30_000);
  bell.disarm();
  assertEquals(words.load(layout.controlWord + ControlWord.sleepers), 0);
});

Deno.test("Doorbell.ring() changes nothing while nobody sleeps", () => {
  const { words, layout } = Channel.create({ portCount: 1, laneCount: 1 });
  const bell = new Doorbell(words, doorbellPlace(layout));
  const before = words.load(layout.controlWord + ControlWord.bell);
  bell.ring();
  assertEquals(words.load(layout.controlWord + ControlWord.bell), before);
});
