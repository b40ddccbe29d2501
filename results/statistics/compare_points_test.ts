import { assertEquals } from "@std/assert";
import { comparePoints, compareValues } from "./compare_points.ts";

Deno.test("compareValues() orders numbers by size and texts by letters", () => {
  assertEquals([256, 16, 4].toSorted(compareValues), [4, 16, 256]);
  assertEquals(["fetch-or", "cas"].toSorted(compareValues), ["cas", "fetch-or"]);
  assertEquals(compareValues("cas", "cas"), 0);
});

Deno.test("comparePoints() orders by the first axis that differs", () => {
  const [one, two] = [{ portCount: 4, lock: "cas" }, { portCount: 16, lock: "cas" }];
  const three = { portCount: 4, lock: "fetch-or" };
  assertEquals([two, three, one].toSorted(comparePoints), [one, three, two]);
  assertEquals(comparePoints(one, three, { axes: ["portCount"] }), 0);
  assertEquals(comparePoints(three, two, { axes: ["lock", "portCount"] }), 1);
});
