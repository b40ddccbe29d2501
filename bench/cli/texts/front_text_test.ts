import { assert, assertEquals } from "@std/assert";
import type { Point } from "../../../scenarios/axis.ts";
import { pointId } from "../../../scenarios/axis.ts";
import type { RunRecord } from "../../record/record.ts";
import { sampleRecord } from "../../record/testdata/sample_record.ts";
import { frontText, wrapped } from "./front_text.ts";

const { mainReference: _, compares: __, references: ___, ...plain } = sampleRecord;

/** A record of a point whose call takes so many floors; the floor takes 100 ns. */
function recordAt(point: Point, floors: number, more: Partial<RunRecord> = {}): RunRecord {
  return {
    ...plain,
    point,
    pointId: pointId(Object.fromEntries(Object.keys(point).map((axis) => [axis, []])), point),
    latencySeconds: [floors * 1e-7],
    controlSeconds: [1e-7],
    references: { post: { callsPerSample: 1, latencySeconds: [100 * floors * 1e-7] } },
    titles: { ping_pong: "a bare round trip", post: "a message there and back" },
    ...more,
  };
}

const BASE = { portCount: 1, laneCount: 1, waiting: "spin" };
const SWEEP = [
  recordAt(BASE, 2),
  recordAt({ ...BASE, portCount: 4 }, 2.1),
  recordAt({ ...BASE, portCount: 64 }, 2.04),
  ...[8, 16, 32, 64].map((laneCount) => recordAt({ ...BASE, laneCount }, 2 + laneCount / 16)),
  recordAt({ ...BASE, waiting: "park" }, 200),
];

Deno.test("frontText() tells a call beside its floor and references, then what each axis does", () => {
  const [, ...lines] = frontText(SWEEP).split("\n\n");
  assertEquals(lines.join("\n\n").split("\n"), [
    "What does one synchronous call cost as ports and lanes grow?",
    "                                x floor   a call     calls",
    "  a bare round trip                1.00   100 ns  10.0 M/s",
    "  a message there and back          200  20.0 µs  50.0 k/s",
    "  a call: 1 port, 1 lane, spin     2.00   200 ns  5.00 M/s",
    "    with 4 ports                   2.10   210 ns  4.76 M/s",
    "    with 64 ports                  2.04   204 ns  4.90 M/s",
    "    with 16 lanes                  3.00   300 ns  3.33 M/s",
    "    with 64 lanes                  6.00   600 ns  1.67 M/s",
    "    with park                       200  20.0 µs  50.0 k/s",
    "A call takes 2.00 times as long as a bare round trip; a message there and back",
    "  takes 100 times as long as a call.",
    "64 ports cost what 1 port costs.",
    "64 lanes cost 3.00 times 1 lane.",
    "park costs 100 times spin.",
  ]);
});

Deno.test("frontText() compares in floors where all points have the same one, else in seconds", () => {
  // The machine became slower by half between the points, and both floors with it.
  const drifted = { latencySeconds: [6e-7], controlSeconds: [1.5e-7] };
  const records = [recordAt(BASE, 2), recordAt({ ...BASE, laneCount: 64 }, 1, drifted)];
  assert(frontText(records).endsWith("64 lanes cost 2.00 times 1 lane."));
  const own = records.map((record) => ({ ...record, hasFixedFloor: false }));
  assert(frontText(own).endsWith("64 lanes cost 3.00 times 1 lane."));
});

Deno.test("frontText() answers which value is fastest, where a scenario compares", () => {
  const records = ["a", "b"].flatMap((way, at) =>
    [0, 1, 2, 3, 4].map((round) =>
      recordAt({ entries: 16, way }, 1 + at, { compares: "way", round, references: {} })
    )
  );
  const lines = frontText(records).split("\n");
  assertEquals(lines.slice(4), [
    "  entries 16, a     1.00  100 ns  10.0 M/s",
    "  entries 16, b     2.00  200 ns  5.00 M/s",
    "round_trip: a is 2.0 (2.0 to 2.0) times faster than b",
  ]);
});

Deno.test("frontText() says what was counted, where that is what a scenario asks", () => {
  const figure = { kind: "counted", count: "forbidden" } as const;
  const target = {
    text: "forbidden outcomes",
    where: {},
    figure,
    bound: "at most",
    limit: 0,
  } as const;
  const text = frontText([recordAt(BASE, 2, { counts: { forbidden: 0 }, targets: [target] })]);
  assert(text.endsWith("grow?\nround_trip: No forbidden outcomes at any of 1 points"), text);
});

Deno.test("frontText() fits on a screen, however many questions and points a run has", () => {
  const points = Array.from({ length: 30 }, (_, at) => recordAt({ ...BASE, laneCount: at + 1 }, 2));
  const many = Array.from(
    { length: 40 },
    (_, at) =>
      points.map((record) => ({ ...record, scenario: `question_${at}`, question: `Is it ${at}?` })),
  ).flat();
  const lines = frontText(many).split("\n");
  assert(lines.length <= 30 && lines.every((line) => line.length <= 80), lines.join("\n"));
  assertEquals(lines.at(-1), "and 34 questions more");
});

Deno.test("frontText() shows what is only compared with where nothing else was measured", () => {
  const { control: _, ...alone } = recordAt({}, 1, { scenario: "ping_pong", references: {} });
  assertEquals(frontText([{ ...alone, controlSeconds: [] }]).split("\n").slice(2), [
    plain.question,
    "          a call     calls",
    "  a call  100 ns  10.0 M/s",
  ]);
  assertEquals(frontText([]), "");
});

Deno.test("wrapped() breaks between words", () => {
  assertEquals(wrapped("word ".repeat(20)).map((line) => line.length), [79, 21]);
  assertEquals(wrapped("x".repeat(99)), ["x".repeat(99)]);
  assertEquals(wrapped(""), []);
});
