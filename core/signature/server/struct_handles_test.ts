import { assertEquals, assertThrows } from "@std/assert";
import * as kind from "../declare/kind.ts";
import { HandleTable } from "./handle_table.ts";
import { giveHandles, handleStruct, noHandles, takeHandles } from "./struct_handles.ts";
import type { MadeHandle } from "./struct_handles.ts";

const inner = kind.struct({ file: kind.handle("File") });
const struct = kind.struct({ log: kind.nullable(kind.handle("Log")), inner, count: kind.i32 });

Deno.test("handleStruct() finds structs that hold handles, wherever they are", () => {
  const plain = kind.struct({ count: kind.i32 });
  for (const one of [struct, kind.pointer("in", struct), kind.struct({ deep: struct })]) {
    assertEquals(handleStruct(one) !== undefined, true);
  }
  assertEquals(handleStruct(kind.nullable(kind.pointer("out", struct))), struct);
  for (const one of [plain, kind.pointer("in", plain), kind.i32, kind.handle("File")]) {
    assertEquals(handleStruct(one), undefined);
  }
});

Deno.test("giveHandles() makes handles that takeHandles() takes, and changes no object", () => {
  const handles = new HandleTable({ handlesMax: 2 });
  const value = { log: "l", inner: { file: "f" }, count: 3 };
  const made: MadeHandle[] = [];
  const given = giveHandles(handles, { struct, value }, made);
  assertEquals(value, { log: "l", inner: { file: "f" }, count: 3 });
  assertEquals(made.map(({ name, handle }) => handles.get(name, handle)), ["l", "f"]);
  assertEquals(takeHandles(handles, struct, given), value);
  assertEquals(noHandles(struct, value), { log: null, inner: { file: null }, count: 3 });
  const third = { struct: inner, value: { file: "third" } };
  assertThrows(() => giveHandles(handles, third, made), RangeError, "there are 2 already");
});

Deno.test("handles in structs may be absent where that is declared", () => {
  const handles = new HandleTable({ handlesMax: 9 });
  const file = handles.add("File", "f");
  const value = { log: null, inner: { file }, count: 0 };
  assertEquals(takeHandles(handles, struct, value), { ...value, inner: { file: "f" } });
  for (const bad of [null, 0, file + 1]) {
    const wrong = { log: null, inner: { file: bad }, count: 0 };
    assertThrows(() => takeHandles(handles, struct, wrong), RangeError, "never was");
  }
  const logged = { log: file, inner: { file }, count: 0 };
  assertThrows(() => takeHandles(handles, struct, logged), RangeError, "it is one of a File");
  const given = giveHandles(handles, { struct, value: { inner: { file: "f" } } }, []);
  assertEquals(given, { log: null, inner: { file }, count: undefined });
  for (const absent of [{}, { inner: {} }, { inner: { file: null } }]) {
    const call = () => giveHandles(handles, { struct, value: absent }, []);
    assertThrows(call, TypeError, "Cannot make a handle of a File as there is none");
  }
});
