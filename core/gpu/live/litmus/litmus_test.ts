import { assert, assertEquals, assertThrows } from "@std/assert";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import type { LiveDevice } from "../device/live_device.ts";
import { translate } from "../kernel/live_bed_test.ts";
import { judgeLitmus, Litmus, type LitmusVerdict } from "./litmus.ts";
import { LITMUS_CASES } from "./litmus_cases.ts";
import { LITMUS_MUTANTS } from "./litmus_mutants.ts";
import type { LitmusSetting } from "./litmus_outcomes.ts";

/** What is no single step on SwiftShader: a value that the host writes in between is lost. */
const TORN_BY_SWIFTSHADER = ["max", "min"];

function isTornBy({ info }: LiveDevice, name: string): boolean {
  return info.name.startsWith("SwiftShader") && TORN_BY_SWIFTSHADER.includes(name);
}

function verdictOf(
  device: LiveDevice,
  setting: LitmusSetting,
  options: { readonly roundCount: number; readonly waveCount?: number },
): LitmusVerdict {
  const { roundCount, ...rest } = options;
  using test = new Litmus(device, setting, { translate, ...rest });
  test.run(roundCount);
  return judgeLitmus(test.counts, setting);
}

onLiveDevice("Litmus finds what a call needs, on either side of the wave", (device) => {
  for (const test of LITMUS_CASES) {
    if (isTornBy(device, test.name)) continue;
    for (const wave of ["first", "second"] as const) {
      const setting = { test, wave, order: "release" } as const;
      const verdict = verdictOf(device, setting, { roundCount: 1 });
      assertEquals([verdict.instanceCount, verdict.forbidden], [1024, []], `${test.name} ${wave}`);
    }
  }
});

onLiveDevice(
  "Litmus hands out the host's side to threads that share out its waves, once",
  (device) => {
    const setting = { test: LITMUS_CASES[0]!, wave: "first", order: "release" } as const;
    using litmus = new Litmus(device, setting, { translate, waveCount: 4 });
    for (const wrong of [0, 3, 8]) {
      assertThrows(() => litmus.handOut(wrong), RangeError, `current value is ${wrong}`);
    }
    assertEquals(litmus.handOut(2).map(({ part }) => [part.thread, part.threadCount]), [[0, 2], [
      1,
      2,
    ]]);
    assertThrows(() => litmus.handOut(1), TypeError, "play it already");
  },
);

onLiveDevice("Litmus plays beside waves that stress the memory", (device) => {
  for (const name of ["store_buffering", "vector", "compare_exchange"]) {
    const test = LITMUS_CASES.find((one) => one.name === name)!;
    const setting = { test, wave: "first", order: "exchange" } as const;
    using litmus = new Litmus(device, setting, { translate, stressCount: 1 });
    // A wave that comes when the others have finished stresses nothing.
    for (let round = 0; litmus.stressTurnCount === 0; round++) {
      assert(round < ROUNDS_MAX, `no stress in ${ROUNDS_MAX} rounds`);
      litmus.run(1);
    }
    assertEquals(judgeLitmus(litmus.counts, setting).forbidden, [], name);
  }
});

onLiveDevice("Litmus plays with several waves at once", (device) => {
  const test = LITMUS_CASES.find(({ name }) => name === "add")!;
  const setting = { test, wave: "first", order: "relaxed" } as const;
  const { instanceCount, forbidden } = verdictOf(device, setting, { roundCount: 1, waveCount: 2 });
  assertEquals([instanceCount, forbidden], [1024, []]);
});

/** What a processor with one order of its writes shows; the rest a device must reorder to show. */
const SEEN = LITMUS_MUTANTS.filter(({ name }) =>
  /^(torn|flag_first|packet_first|barrier)/.test(name)
);
/** Some are seen once in thousands of runs. */
const ROUNDS_MAX = 400;

for (const { name, text, setting, run } of SEEN) {
  onLiveDevice(`Litmus shows that ${text}`, (device) => {
    const { dropsBarriers = false } = run;
    using test = new Litmus(device, run, { translate, dropsBarriers });
    let forbiddenCount = 0;
    for (let round = 0; round < ROUNDS_MAX && forbiddenCount === 0; round++) {
      test.run(1);
      ({ forbiddenCount } = judgeLitmus(test.counts, setting));
    }
    assert(forbiddenCount > 0, `${name} was not seen in ${ROUNDS_MAX} rounds`);
  });
}

onLiveDevice("Litmus takes counts of waves that share out the instances", (device) => {
  const test = LITMUS_CASES[0]!;
  const setting = { test, wave: "first", order: "release" } as const;
  for (
    const wrong of [{ waveCount: 0 }, { waveCount: 3 }, { waveCount: 512 }, { stressCount: -1 }]
  ) {
    const make = () => new Litmus(device, setting, { translate, ...wrong });
    assertThrows(make, RangeError, `current value is ${Object.values(wrong)[0]}`);
  }
});

onLiveDevice("Litmus gives up when its waves do not come to a start", (device) => {
  const test = LITMUS_CASES[0]!;
  const cut = (source: string) =>
    translate(source.replace("start < STARTS; start++", "start < 2u; start++"));
  using litmus = new Litmus(device, { test, wave: "first", order: "release" }, { translate: cut });
  const error = assertThrows(() => litmus.run(1), DOMException, "left the waves' loops early");
  assertEquals(error.name, "NotSupportedError");
});

Deno.test("judgeLitmus() sorts what was seen by what the order allows", () => {
  const test = LITMUS_CASES.find(({ name }) => name === "store_buffering")!;
  const counts = new Map([["0 1 x=1", 5], ["0 0 x=1", 2], ["7 0 x=1", 1]]);
  const ordered = judgeLitmus(counts, { test, wave: "first", order: "release" });
  assertEquals(ordered, {
    ...{ instanceCount: 8, interleavedCount: 5, weakCount: 2, forbiddenCount: 1 },
    forbidden: ["7 0 x=1"],
  });
  const exchanged = judgeLitmus(counts, { test, wave: "first", order: "exchange" });
  assertEquals([exchanged.forbiddenCount, exchanged.forbidden], [3, ["0 0 x=1", "7 0 x=1"]]);
});
