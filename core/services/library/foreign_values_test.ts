import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import * as s from "../../signature/mod.ts";
import { foreignValue, hostResult, type StructBack, takeBack } from "./foreign_values.ts";

const pair = s.struct({ left: s.i32, right: s.i32 });

Deno.test("foreignValue() gives texts a NUL, structs their bytes, and notes those that come back", () => {
  const backs: StructBack[] = [];
  assertEquals(foreignValue(s.string, "ab", backs), new Uint8Array([97, 98, 0]));
  assertEquals(foreignValue(s.nullable(s.string), null, backs), null);
  const value = { left: 1, right: -1 };
  const bytes = foreignValue(pair, value, backs);
  assertEquals(bytes, new Uint8Array([1, 0, 0, 0, 255, 255, 255, 255]));
  foreignValue(s.pointer("in", pair), value, backs);
  assertEquals(backs, []);
  const written = foreignValue(s.pointer("inout", pair), value, backs) as Uint8Array;
  written[0] = 7;
  takeBack(backs);
  assertEquals(value, { left: 7, right: -1 });
  assertThrows(
    () => foreignValue(pair, { left: 1 }, backs),
    TypeError,
    "its field right is no i32",
  );
});

Deno.test("hostResult() reads structs, and keeps null", () => {
  assertEquals(hostResult(pair, new Uint8Array([2, 0, 0, 0, 3, 0, 0, 0])), { left: 2, right: 3 });
  assertEquals(hostResult(s.nullable(s.string), null), null);
  assertStrictEquals(hostResult(s.i32, 5), 5);
});

Deno.test("handles are addresses in C, in structs as well, and 0 where there is none", () => {
  const file = s.nullable(s.handle("File"));
  const inner = s.struct({ file });
  const holding = s.struct({ log: s.handle("Log"), inner });
  assertEquals([foreignValue(file, null, []), foreignValue(file, 5n, [])], [0n, 5n]);
  assertEquals([hostResult(file, 0n), hostResult(file, 5n)], [null, 5n]);
  const bytes = foreignValue(holding, { log: 2n ** 63n, inner: { file: null } }, []) as Uint8Array;
  assertEquals([...bytes], [0, 0, 0, 0, 0, 0, 0, 128, ...new Uint8Array(8)]);
  const backs: StructBack[] = [];
  const target = { log: null, inner: { file: null } };
  const written = foreignValue(s.pointer("out", holding), target, backs) as Uint8Array;
  written[8] = 7;
  takeBack(backs);
  assertEquals(target, { log: null, inner: { file: 7n } } as unknown as typeof target);
});
