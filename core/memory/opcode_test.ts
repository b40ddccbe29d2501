import { assert, assertThrows } from "@std/assert";
import { checkOpcode, checkUserOpcode, Opcode, OPCODE_MAX, USER_OPCODE_FIRST } from "./opcode.ts";

Deno.test("the library's opcodes are below the user's, and all are good", () => {
  for (const opcode of Object.values(Opcode)) assert(opcode < USER_OPCODE_FIRST);
  for (const opcode of [0, USER_OPCODE_FIRST, OPCODE_MAX]) checkOpcode(opcode);
});

Deno.test("checkOpcode() rejects what does not fit 16 bits, and names it", () => {
  for (const opcode of [-1, 65_536, 1.5, NaN, Infinity]) {
    assertThrows(() => checkOpcode(opcode), RangeError, `current value is ${opcode}`);
  }
});

Deno.test("checkUserOpcode() leaves the library its own", () => {
  for (const opcode of [USER_OPCODE_FIRST, OPCODE_MAX]) checkUserOpcode(opcode);
  for (const opcode of [0, USER_OPCODE_FIRST - 1]) {
    assertThrows(() => checkUserOpcode(opcode), RangeError, `current value is ${opcode}`);
  }
  assertThrows(() => checkUserOpcode(OPCODE_MAX + 1), RangeError, "from 0 to 65535");
});
