import { assert, assertEquals, assertThrows } from "@std/assert";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import type { LiveDevice } from "../device/live_device.ts";
import { translate } from "../kernel/live_bed_test.ts";
import { judgeLitmus, Litmus, type LitmusVerdict } from "./litmus.ts";
import { caseOf, LITMUS_CASES, LITMUS_MUTANTS, type LitmusSetting } from "./litmus_table.ts";

/** What is no single step on SwiftShader: a value that the host writes in between is lost. */
const TORN_BY_SWIFTSHADER = ["max", "min"];

function isTornBy({ info }: LiveDevice, name: string): boolean {
  return info.name.startsWith("SwiftShader") && TORN_BY_SWIFTSHADER.includes(name);
}

function verdictOf(
  device: LiveDevice,
  setting: LitmusSetting,
): LitmusVerdict {
  using test = new Litmus(device, setting, { translate });
  test.run(1);
  return judgeLitmus(test.counts, setting);
}

onLiveDevice("Litmus finds what a call needs, on either side of the wave", (device) => {
  for (const test of LITMUS_CASES) {
    if (isTornBy(device, test.name)) continue;
    for (const wave of ["first", "second"] as const) {
      const setting = { test, wave, order: "release" } as const;
      const verdict = verdictOf(device, setting);
      assertEquals([verdict.instanceCount, verdict.forbidden], [1024, []], `${test.name} ${wave}`);
    }
  }
});

onLiveDevice("Litmus plays beside waves that stress the memory", (device) => {
  for (const name of ["store_buffering", "vector", "compare_exchange"]) {
    const setting = { test: caseOf(name), wave: "first", order: "exchange" } as const;
    using litmus = new Litmus(device, setting, { translate, stressCount: 1 });
    // A wave that comes when the others have finished stresses nothing.
    for (let round = 0; litmus.stressTurnCount === 0; round++) {
      assert(round < ROUNDS_MAX, `no stress in ${ROUNDS_MAX} rounds`);
      litmus.run(1);
    }
    assertEquals(judgeLitmus(litmus.counts, setting).forbidden, [], name);
  }
});

/** What a processor with one order of its writes shows; the rest a device must reorder to show. */
const SEEN = LITMUS_MUTANTS.filter(({ name }) =>
  /^(torn|flag_first|packet_first|barrier)/.test(name)
);
/** Some are seen once in thousands of runs. */
const ROUNDS_MAX = 400;

for (const { name, text, setting, run } of SEEN) {
  onLiveDevice(`Litmus shows that ${text}`, (device) => {
    using test = new Litmus(device, run, { translate });
    let forbiddenCount = 0;
    for (let round = 0; round < ROUNDS_MAX && forbiddenCount === 0; round++) {
      test.run(1);
      ({ forbiddenCount } = judgeLitmus(test.counts, setting));
    }
    assert(forbiddenCount > 0, `${name} was not seen in ${ROUNDS_MAX} rounds`);
  });
}

onLiveDevice("Litmus takes a count of waves that stress the memory", (device) => {
  const setting = { test: LITMUS_CASES[0]!, wave: "first", order: "release" } as const;
  for (const stressCount of [-1, 257, 1.5]) {
    const make = () => new Litmus(device, setting, { translate, stressCount });
    assertThrows(make, RangeError, `current value is ${stressCount}`);
  }
});

onLiveDevice("Litmus gives up when its waves do not come to a start", (device) => {
  const test = LITMUS_CASES[0]!;
  const cut = (source: string) =>
    translate(source.replace("start < STARTS; start++", "start < 2u; start++"));
  using litmus = new Litmus(device, { test, wave: "first", order: "release" }, { translate: cut });
  const error = assertThrows(() => litmus.run(1), DOMException, "left the wave's loops early");
  assertEquals(error.name, "NotSupportedError");
});

Deno.test("judgeLitmus() sorts what was seen by what the order allows", () => {
  const test = caseOf("store_buffering");
  const counts = new Map([["0 1 x=1", 5], ["0 0 x=1", 2], ["7 0 x=1", 1]]);
  const ordered = judgeLitmus(counts, { test, wave: "first", order: "release" });
  assertEquals(ordered, {
    ...{ instanceCount: 8, interleavedCount: 5, weakCount: 2, forbiddenCount: 1 },
    forbidden: ["7 0 x=1"],
  });
  const exchanged = judgeLitmus(counts, { test, wave: "first", order: "exchange" });
  assertEquals([exchanged.forbiddenCount, exchanged.forbidden], [3, ["0 0 x=1", "7 0 x=1"]]);
});
