import { assertEquals, assertStringIncludes } from "@std/assert";
import { callCostChart } from "./gpu_charts.ts";
import { fieldsOf } from "../testdata/fields_of.ts";

Deno.test("callCostChart() draws cost, interval and floor over the count, and names the adapter", () => {
  const cost = { callNanoseconds: 2, loNanoseconds: 1, hiNanoseconds: 3, floorNanoseconds: 1 };
  const spec = callCostChart([{ ...cost, adapter: "An adapter" }], {
    question: "What?",
    floor: "nothing",
    count: { field: "waves", title: "waves" },
    color: { field: "lanes", type: "ordinal" },
  });
  assertEquals(fieldsOf(spec), new Set(["waves", "lanes", ...Object.keys(cost)]));
  assertStringIncludes(JSON.stringify(spec), "An adapter");
});
