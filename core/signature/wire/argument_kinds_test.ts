import { assertEquals } from "@std/assert";
import * as kind from "../declare/kind.ts";
import { fn } from "../declare/signature.ts";
import {
  argumentKind,
  NULL_LENGTH,
  requestLimitBytes,
  requestSlots,
  resultSlots,
} from "./argument_kinds.ts";

const { bytes, constant, f64, handle, i32, nothing, nullable, pointer, string } = kind;
const struct = kind.struct({ x: f64, at: kind.struct({ y: kind.i8 }) });

Deno.test("requestSlots() and resultSlots() are what the formats say", () => {
  const [both, out] = [pointer("inout", struct), pointer("out", struct)];
  const parameters = [f64, string, constant(i32, 1), struct, both, out];
  assertEquals(parameters.map(requestSlots), [1, 1, 0, 2, 2, 0]);
  const nullables = [string, both, out];
  assertEquals(nullables.map((of) => requestSlots(nullable(of))), [1, 3, 1]);
  assertEquals([nothing, i32, string, struct].map(resultSlots), [0, 1, 1, 2]);
  // Slots, and what fills payloads up.
  assertEquals(requestLimitBytes(fn([], nothing), 100), 108);
  assertEquals(requestLimitBytes(fn([string, struct], nothing), 100), 8 + 16 + 24 + 100);
});

Deno.test("argumentKind() says of what has a length that there is none, and of all else 0", () => {
  const pointers = [bytes("in"), string, handle("F"), pointer("in", struct)].map(nullable);
  const parts = pointers.map((one) => argumentKind(one).write(one, null));
  assertEquals(parts, [{ low: NULL_LENGTH }, { low: NULL_LENGTH }, { low: 0 }, { low: 0 }]);
});
