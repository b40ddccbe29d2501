import { assertEquals, assertMatch } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { copyRecords } from "../testdata/copy_records.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";
import { answersOf, answerText, winnersOf } from "./answer.ts";

function json(way: string, round: number): number {
  return way === "json" ? 1e-6 : (6 + round / 10) * 1e-6;
}

Deno.test("answerText() says how many times faster one of two ways is, with its interval", () => {
  const records = copyRecords({ entries: [1], roundCount: 5, secondsOf: json });
  assertEquals(answerText(records, "copy"), "json is 6.2 (6.0 to 6.4) times faster than clone");
});

Deno.test("answerText() pairs within rounds, so that a machine that changes cancels out", () => {
  const changing = [1, 5, 2, 9, 3];
  const secondsOf = (way: string, round: number) => changing[round]! * (way === "json" ? 1 : 3);
  const records = copyRecords({ entries: [1], roundCount: 5, secondsOf });
  assertEquals(answerText(records, "copy"), "json is 3.0 (3.0 to 3.0) times faster than clone");
});

Deno.test("answerText() names no winner where rounds are too few, or do not agree", () => {
  const two = copyRecords({ entries: [1], roundCount: 2, secondsOf: json });
  assertEquals(
    answerText(two, "copy"),
    "json was 6.0 (6.0 to 6.1) times faster than clone, in fewer than 5 rounds: too few to be sure",
  );
  const secondsOf = (way: string, round: number) =>
    way === "clone" ? 1e-6 : round % 2 === 0 ? 2e-6 : 5e-7;
  const split = copyRecords({ entries: [1], roundCount: 5, secondsOf });
  assertMatch(answerText(split, "copy"), /^No difference found between clone and json: a ratio of/);
  assertEquals(winnersOf(split, "copy").map(({ isSure }) => isSure), [false]);
});

Deno.test("answerText() says where each way wins", () => {
  const same = copyRecords({ entries: [2, 256, 4096], roundCount: 6 });
  assertEquals(
    answerText(same, "copy"),
    "clone is fastest at all 3 points, 4.0 (4.0 to 4.0) times faster than json",
  );
  const some = copyRecords({ entries: [1, 2, 256, 4096], roundCount: 3 });
  assertEquals(
    answerText(some, "copy"),
    "No value is surely fastest at all 4 points (fewer than 5 rounds)",
  );
});

Deno.test("winnersOf() is sure of one of many places by more rounds than of all", () => {
  const placesOf = (roundCount: number, agreeing: number) => {
    const entries = [1, 2, 3, 4, 5, 6];
    const records = entries.flatMap((one) => {
      const secondsOf = (way: string, round: number) =>
        way === "json" ? 2e-6 : one > agreeing && round % 2 === 1 ? 3e-6 : 1e-6;
      return copyRecords({ entries: [one], roundCount, secondsOf });
    });
    return winnersOf(records, "copy").filter(({ isSure }) => isSure).length;
  };
  // All of 5 rounds agree by chance in 1 of 16 places.
  assertEquals([placesOf(5, 6), placesOf(5, 4), placesOf(5, 3)], [6, 4, 0]);
  assertEquals(placesOf(7, 1), 1);
});

Deno.test("answerText() leaves out a round that only one of two ways has", () => {
  const records = copyRecords({ entries: [1], roundCount: 6, secondsOf: json })
    .filter(({ point, round }) => point.way === "clone" || round !== 2);
  assertEquals(winnersOf(records, "copy")[0]!.timesFasterThan.get("clone")!.center, 6.3);
  const alone = records.filter(({ point }) => point.way === "json");
  assertEquals([winnersOf(alone, "copy"), winnersOf(records, "other")], [[], []]);
});

Deno.test("answersOf() says what a call costs where nothing is compared", () => {
  const answers = answersOf(sweepRecords());
  assertEquals([...answers.keys()], ["round_trip", "many_clients"]);
  assertMatch(
    answers.get("many_clients")!,
    /^A call takes .* to .*; it is .* times as fast as one cl/,
  );
  const { control: _, ...bare } = { ...sampleRecord, controlSeconds: [] };
  assertEquals(answerText([bare], "round_trip"), "A call takes 201 ns");
});

Deno.test("answerText() says where something was counted, where that is what a scenario asks", () => {
  const answerOf = (bound: "at most" | "at least", forbidden: readonly number[]) => {
    const target = { text: "forbidden outcomes", where: {}, bound, limit: 1 } as const;
    const figure = { kind: "counted", count: "forbidden" } as const;
    // Each point in two rounds.
    const records = forbidden.flatMap((count, at) =>
      [0, count].map((one, round) => {
        const { control: _, ...rest } = sampleRecord;
        const point = { point: { at }, pointId: `at=${at}`, round };
        const counts = { counts: { forbidden: one, weak: 5 } };
        return {
          ...rest,
          ...point,
          ...counts,
          controlSeconds: [],
          targets: [{ ...target, figure }],
        };
      })
    );
    return answerText(records, "round_trip");
  };
  assertEquals(answerOf("at most", [0, 0]), "No forbidden outcomes at any of 2 points");
  assertEquals(
    answerOf("at most", [0, 45, 0, 3]),
    "Forbidden outcomes at 2 of 4 points: at=1 (45), at=3 (3)",
  );
  assertEquals(answerOf("at least", [1, 45]), "Forbidden outcomes at 2 of 2 points");
  assertEquals(
    answerOf("at least", [1, 0, 45]),
    "Forbidden outcomes at 2 of 3 points; none at at=1",
  );
  assertEquals(answerOf("at least", [0]), "No forbidden outcomes at any of 1 points");
});

Deno.test("winnersOf() compares nothing across machines", () => {
  const records = copyRecords({ entries: [1], roundCount: 5 }).map((record) => ({
    ...record,
    machine: { ...record.machine, cpuModel: String(record.point.way) },
  }));
  assertEquals(winnersOf(records, "copy"), []);
});
