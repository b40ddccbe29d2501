import fc from "fast-check";
import { assertAlmostEquals, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import type { Point } from "../../scenarios/axis.ts";
import type { Scenario } from "../../scenarios/scenario.ts";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { roundTrip } from "../../scenarios/worker/round_trip.ts";
import { manyClients } from "../../scenarios/worker/many_clients.ts";
import { namedPoint, type PlannedPoint, planSweep, seededRandom, shuffled } from "./plan_sweep.ts";

function idsOf(plan: readonly PlannedPoint[]): string[] {
  return plan.map(({ scenario, pointId }) => `${scenario.name} ${pointId}`);
}

Deno.test("planSweep() visits every point once a round, in an order that the seed decides", () => {
  const plan = planSweep([pingPong, roundTrip], { seed: 1, rounds: 2 });
  const [first, second] = [0, 1].map((round) =>
    idsOf(plan.filter((planned) => planned.round === round))
  );
  assertEquals(first!.length, 35);
  assertEquals(new Set(first).size, 35);
  assertEquals(first!.toSorted(), second!.toSorted());
  assertNotEquals(first, second);
  assertEquals(idsOf(plan), idsOf(planSweep([pingPong, roundTrip], { seed: 1, rounds: 2 })));
  assertNotEquals(idsOf(plan), idsOf(planSweep([pingPong, roundTrip], { seed: 2, rounds: 2 })));
});

Deno.test("planSweep() moves axes where a scenario has them and they take the values", () => {
  const axisValues = { portCount: [2, 8], laneCount: [1], waiting: ["park"] };
  const plan = planSweep([pingPong, roundTrip, manyClients], { seed: 1, rounds: 1, axisValues });
  assertEquals(idsOf(plan).filter((id) => id.startsWith("ping_pong")), ["ping_pong "]);
  const trips = plan.filter(({ scenario }) => scenario === roundTrip);
  assertEquals(trips.length, 2 * 7);
  assertEquals(new Set(trips.map(({ point }) => point.laneCount)), new Set([1]));
  const crowds = plan.filter(({ scenario }) => scenario === manyClients);
  assertEquals(new Set(crowds.map(({ point }) => point.waiting)), new Set(["park"]));
});

Deno.test("planSweep() names points that mean nothing first, once, with the reason", () => {
  const reason = "a mask has 32 bits";
  const narrow = {
    ...roundTrip,
    skip: ({ laneCount = 0 }) => laneCount > 32 ? reason : undefined,
  };
  const axisValues = { portCount: [1, 4], laneCount: [32, 64], waiting: ["spin+spin"] };
  const plan = planSweep([narrow], { seed: 1, rounds: 2, axisValues });
  const lanes = plan.map(({ point, round, skipReason }) => [point.laneCount, round, skipReason]);
  assertEquals(lanes, [
    [64, 0, reason],
    [64, 0, reason],
    [32, 0, undefined],
    [32, 0, undefined],
    [32, 1, undefined],
    [32, 1, undefined],
  ]);
});

Deno.test("planSweep() divides the points among shards, whatever their seeds are", () => {
  const whole = planSweep([pingPong, roundTrip], { seed: 1, rounds: 2 });
  const shards = [1, 2, 3].map((index) =>
    planSweep([pingPong, roundTrip], { seed: index, rounds: 2, shard: { index, count: 3 } })
  );
  assertEquals(shards.map(({ length }) => length), [24, 24, 22]);
  assertEquals(idsOf(shards.flat()).toSorted(), idsOf(whole).toSorted());
});

Deno.test("planSweep() keeps the points whose name contains a text", () => {
  const plan = planSweep([pingPong, roundTrip], { seed: 1, rounds: 1, filter: "laneCount=8;" });
  assertEquals(plan.length, 7);
  assertEquals(new Set(plan.map(({ point }) => point.laneCount)), new Set([8]));
  assertEquals(planSweep([roundTrip], { seed: 1, rounds: 1, filter: "ping" }), []);
});

Deno.test("namedPoint() finds the point of a record, or says what is unknown", () => {
  const planned = namedPoint({ scenario: "ping_pong", pointId: "" });
  assertEquals(planned.scenario, pingPong);
  assertThrows(() => namedPoint({ scenario: "ping", pointId: "" }), RangeError, "ping_pong");
  assertThrows(() => namedPoint({ scenario: "ping_pong", pointId: "x=1" }), SyntaxError);
});

Deno.test("planSweep() visits one point, or the smallest of each scenario, when it is told so", () => {
  const point = "portCount=3;laneCount=8;waiting=spin+spin";
  const one = planSweep([roundTrip], { seed: 1, rounds: 2, pointId: point });
  assertEquals(one.map(({ pointId, round }) => [pointId, round]), [[point, 0], [point, 1]]);
  const quick = planSweep([pingPong, roundTrip], { seed: 1, rounds: 1, isQuick: true });
  assertEquals(idsOf(quick).toSorted(), [
    "ping_pong ",
    "round_trip portCount=1;laneCount=1;waiting=spin+spin",
  ]);
});

Deno.test("planSweep() refuses more visits than anybody makes, before it writes them down", () => {
  const many = Array.from({ length: 2000 }, (_, at) => at);
  const { axes: _, ...plain } = pingPong;
  const large = { ...plain, axes: { one: many, other: many } };
  const endless = {
    ...pingPong,
    *points() {
      while (true) yield {};
    },
  };
  const axisValues = { portCount: many, laneCount: many };
  const plans: readonly (() => unknown)[] = [
    () => planSweep([pingPong], { seed: 1, rounds: 1e9 }),
    () => planSweep([roundTrip], { seed: 1, rounds: 1, axisValues }),
    () => planSweep([large], { seed: 1, rounds: 1 }),
    () => planSweep([large], { seed: 1, rounds: 1, isQuick: true }),
    () => planSweep([endless], { seed: 1, rounds: 1 }),
  ];
  for (const plan of plans) {
    assertThrows(plan, RangeError, "may have 1000000 visits, rounds times points");
  }
});

Deno.test("planSweep() names the scenario whose skip says neither yes nor why not", () => {
  const skip = (() => false) as unknown as () => string;
  assertThrows(
    () => planSweep([{ ...pingPong, skip }], { seed: 1, rounds: 1 }),
    TypeError,
    "Cannot plan the points of ping_pong: its skip must return a text, or undefined for a point to " +
      "measure: it returned false",
  );
  const wrong = [
    { skip: () => JSON.parse("no JSON") },
    { points: () => [{ one: 1 }, 7], axes: { one: [1] } },
    { points: () => 7 },
    { points: () => [{ other: 1 }], axes: { one: [1] } },
    { points: () => [{ one: {} }], axes: { one: [1] } },
    { points: () => [{ one: "second" }], axes: { one: ["first"] } },
  ] as unknown as readonly (typeof pingPong)[];
  for (const part of wrong) {
    assertThrows(
      () => planSweep([{ ...pingPong, ...part }], { seed: 1, rounds: 1 }),
      TypeError,
      "Cannot plan the points of ping_pong: ",
    );
  }
});

Deno.test("shuffled() keeps every value, and its argument as it was", () => {
  fc.assert(fc.property(fc.array(fc.integer()), fc.nat(), (values, seed) => {
    const before = [...values];
    assertEquals(shuffled(values, seed).sort(), [...values].sort());
    assertEquals(values, before);
  }));
});

Deno.test("shuffled() depends on the seed alone", () => {
  const values = Array.from({ length: 50 }, (_, index) => index);
  assertEquals(shuffled(values, 5), shuffled(values, 5));
  assertNotEquals(shuffled(values, 5), shuffled(values, 6));
});

Deno.test("shuffled() finds each of the six orders of three equally often", () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 6000; seed++) {
    const order = shuffled(["a", "b", "c"], seed).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assertEquals(counts.size, 6);
  for (const count of counts.values()) assertAlmostEquals(count, 1000, 150);
});

Deno.test("seededRandom() stays from 0 to below 1", () => {
  const random = seededRandom(0xffffffff);
  for (let draw = 0; draw < 10_000; draw++) {
    const value = random();
    assertEquals(value >= 0 && value < 1, true);
  }
});

Deno.test("planSweep() keeps points that are compared together, in a round and in a shard", () => {
  const copy: Scenario = {
    ...{ name: "copy", question: "Which?", axes: { size: [1, 2, 3], way: ["a", "b"] } },
    compares: "way",
    setup: () => Promise.reject(new Error("never")),
  };
  const pairs = (plan: readonly { readonly point: Point }[]) =>
    plan.flatMap(({ point }, at) => at % 2 === 0 ? [[point.size, plan[at + 1]?.point.size]] : []);
  for (const seed of [1, 2, 3]) {
    for (const [size, next] of pairs(planSweep([copy], { seed, rounds: 4 }))) {
      assertEquals(size, next);
    }
  }
  const shards = [1, 2].map((index) =>
    planSweep([copy], { seed: 1, rounds: 1, shard: { index, count: 2 } })
  );
  assertEquals(shards.map(({ length }) => length), [4, 2]);
  for (const [size, next] of shards.flatMap(pairs)) assertEquals(size, next);
});
