/** Functions and iterators that cross, with a worker at the other end. */
import { assertEquals, assertThrows } from "@std/assert";
import { connect } from "./connect.ts";
import { keepHere } from "./keep_here.ts";
import type { Functions } from "./testdata/math_worker.ts";

const MATH = new URL("./testdata/math_worker.ts", import.meta.url);
const LIMITS = { timeoutSeconds: 30 };

Deno.test("an object stays in its thread, and its methods are called there", async () => {
  using math = await connect<Functions>(MATH, LIMITS);
  const [store, other] = [math.openStore(), math.openStore()];
  store.set("a", 7);
  assertEquals([store.get("a"), await store.get.async("a"), other.get("a")], [7, 7, undefined]);
  assertThrows(() => keepHere({ size: 3 }), TypeError, "no methods that could be called");
});
