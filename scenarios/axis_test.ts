import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { allPoints, type Axes, oneAxisAtATime, parsePointId, type Point, pointId } from "./axis.ts";

const axes = { portCount: [1, 64], laneCount: [1, 32], waiting: ["spin", "park"] } as const;

/** Axes with their point: names and texts as scenarios choose them, any finite number. */
const anyAxesWithPoint = fc.dictionary(
  fc.stringMatching(/^[a-z][A-Za-z0-9]{0,8}$/),
  fc.oneof(
    fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 3 }),
    fc.array(fc.stringMatching(/^[a-z+-]{1,12}$/), { minLength: 1, maxLength: 3 }),
  ),
  { maxKeys: 5, noNullPrototype: true },
).chain((some: Axes) =>
  fc.tuple(...Object.values(some).map((values) => fc.constantFrom(...values))).map((values) => ({
    some,
    point: Object.fromEntries(Object.keys(some).map((name, at) => [name, values[at]!])) as Point,
  }))
);

Deno.test("pointId() orders its parts as the axes, not as the point", () => {
  const id = pointId(axes, { waiting: "park", laneCount: 32, portCount: 1 });
  assertEquals(id, "portCount=1;laneCount=32;waiting=park");
  assertThrows(
    () => pointId(axes, { portCount: 1, laneCount: 1 } as unknown as Point<typeof axes>),
    TypeError,
    'no value for the axis "waiting"',
  );
});

Deno.test("parsePointId() gives back the point that pointId() named", () => {
  fc.assert(fc.property(anyAxesWithPoint, ({ some, point }) => {
    const positive = Object.entries(point).map(([name, value]) => [name, value === 0 ? 0 : value]);
    assertEquals(parsePointId(some, pointId(some, point)), Object.fromEntries(positive));
  }));
});

Deno.test("parsePointId() takes numbers that the axis does not list, in any order", () => {
  assertEquals(parsePointId(axes, "waiting=spin;laneCount=7;portCount=2"), {
    portCount: 2 as 1,
    laneCount: 7 as 1,
    waiting: "spin",
  });
});

Deno.test("parsePointId() names what is wrong with an id", () => {
  const wrong = {
    "portCount=1;laneCount=1": 'the axis "waiting" is missing',
    "portCount=1;laneCount=1;waiting=spin;x=1": 'the axis "x"',
    "portCount=many;laneCount=1;waiting=spin": "must be a number",
    "portCount=;laneCount=1;waiting=spin": "must be a number",
    "portCount=1;laneCount=1;waiting=nap": "must be one of spin, park",
    "portCount": "each part must be name=value",
  };
  for (const [id, text] of Object.entries(wrong)) {
    assertThrows(() => parsePointId(axes, id), SyntaxError, text);
  }
});

Deno.test("allPoints() gives every combination once", () => {
  const ids = [...allPoints(axes)].map((point) => pointId(axes, point));
  assertEquals(new Set(ids).size, 8);
  assertEquals(ids[1], "portCount=1;laneCount=1;waiting=park");
  assertEquals([...allPoints({})], [{}]);
  assertEquals([...allPoints({ portCount: [] })], []);
});

Deno.test("oneAxisAtATime() moves no two axes together", () => {
  const control = { portCount: 1, laneCount: 1, waiting: "spin" } as const;
  const points = [...oneAxisAtATime(axes, control)];
  assertEquals(points.length, 4);
  for (const point of points) {
    const moved = Object.entries(point).filter(([name, value]) =>
      control[name as keyof typeof control] !== value
    );
    assertEquals(moved.length, point === points[0] ? 0 : 1);
  }
});
