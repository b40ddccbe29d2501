import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import type { RunRecord } from "../../bench/record/record.ts";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { compareAt, findingText, type FoundBetween } from "./finding.ts";

/** Five rounds by a lock; the machine is another time as slow in each, and its floor with it. */
function rounds(lock: string, timesFloor: number): RunRecord[] {
  return [1, 2, 3, 4, 5].map((slowness, round) => {
    const seconds = [1, 2, 3, 4, 5, 6].map((noise) => slowness * (1 + noise / 1000));
    return {
      ...sampleRecord,
      scenario: "locks",
      round,
      point: { lock, ports: 4 },
      pointId: lock,
      latencySeconds: seconds.map((one) => one * timesFloor * (1 + round / 1e4)),
      controlSeconds: seconds,
      references: { other: { callsPerSample: 1, latencySeconds: seconds.map(() => 1) } },
    };
  });
}

const records = [...rounds("cas", 2), ...rounds("add", 3), ...rounds("or", 2.001)];
const between: FoundBetween = {
  scenario: "locks",
  at: { ports: 4 },
  baseline: { lock: "cas" },
  candidate: { lock: "add" },
};

Deno.test("compareAt() takes both points in their own floors, so that a slow minute falls out", () => {
  const { ratio, verdict } = compareAt(records, between);
  assertAlmostEquals(ratio.center, 1.5, 1e-3);
  assertEquals(verdict, "slower");
  for (const unit of ["other", "seconds"]) {
    assertEquals(compareAt(records, { ...between, unit }).verdict, "undecided");
  }
  const steady = records.map((record) => ({
    ...record,
    latencySeconds: record.controlSeconds.map(() => record.pointId === "add" ? 2 : 1),
  }));
  assertEquals(compareAt(steady, between).verdict, "undecided");
  assertEquals(compareAt(steady, { ...between, unit: "seconds" }).verdict, "slower");
});

Deno.test("compareAt() is not moved by one round of nine in which the machine was busy", () => {
  const many = ["cas", "add"].flatMap((lock) =>
    [0, 5].flatMap((later) =>
      rounds(lock, lock === "cas" ? 2 : 3).map((record) => ({
        ...record,
        round: record.round + later,
      }))
    )
  );
  const busy = many.map((record) =>
    record.round === 9
      ? { ...record, latencySeconds: record.latencySeconds.map((seconds) => seconds * 100) }
      : record
  );
  assertEquals(compareAt(busy, between).verdict, "slower");
  assertAlmostEquals(compareAt(busy, between).ratio.center, 1.5, 1e-3);
});

Deno.test("findingText() says what was compared, by how much, and what that means", () => {
  assertEquals(
    findingText(records, between),
    "ports 4: lock add takes 1.50 (1.50 to 1.50) times as long as lock cas: slower",
  );
  const { at: _, ...anywhere } = { ...between, candidate: { lock: "or" } };
  assertEquals(
    findingText(records, anywhere),
    "lock or takes 1.00 (1.00 to 1.00) times as long as lock cas: the same within 5 %",
  );
  assertEquals(
    findingText([records[0]!, records[5]!], between).split(": ").at(-1),
    "no difference found",
  );
});

Deno.test("compareAt() refuses what is not one point, and a control that there is not", () => {
  const wrong: [FoundBetween, string][] = [
    [{ ...between, candidate: { lock: "xor" } }, "ports 4, lock xor: current value is 0"],
    [{ ...between, candidate: {} }, "current value is 3"],
    [{ ...between, unit: "none" }, "no samples of its control: none"],
  ];
  for (const [one, text] of wrong) assertThrows(() => compareAt(records, one), RangeError, text);
});
