import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../../call/call_error.ts";
import { type At, FortranHere, fortranTest } from "./with_gfortran_test.ts";

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text that a function fills, and how long it says that it is. */
function filled(get: (target: Uint8Array) => number): [string, number] {
  const target = new Uint8Array(12);
  const length = get(target);
  return [new TextDecoder().decode(target), length];
}

fortranTest("values are read back as they were written", () => {
  using here = new FortranHere();
  const { f } = here;
  here.open(10, "a.txt");
  here.write(10, "*", -7n, 2.5, true, "word", (at) => f.OutputComplex64(at, 1, -2));
  here.write(10, "(I4,F8.3,L2,A6)", 1234n, -0.125, false, "ab cd");
  here.do("BeginRewind", 10);
  const list = f.BeginExternalListInput(10, 3);
  const asked = [
    f.InputInteger(list, 2),
    f.InputReal32(list),
    f.InputLogical(list),
    f.InputCharacter(list, 6),
    f.InputComplex32(list),
  ];
  assertEquals(asked, [0, 1, 2, 3, 4]);
  assertEquals([f.GetInteger(list, 0), f.GetReal(list, 1), f.GetLogical(list, 2)], [
    -7n,
    2.5,
    true,
  ]);
  assertEquals(filled((target) => f.GetCharacter(list, 3, target)), ["word        ", 6]);
  assertEquals([f.GetReal(list, 4), f.GetImaginary(list, 4)], [1, -2]);
  assertEquals(f.EndIoStatement(list), 0);
  const formatted = f.BeginExternalFormattedInput("(I4,F8.3,L2,A6)", 10, 4);
  f.InputInteger(formatted, 8);
  f.InputReal64(formatted);
  f.InputLogical(formatted);
  f.InputCharacter(formatted, 6);
  const values = [f.GetInteger(formatted, 0), f.GetReal(formatted, 1), f.GetLogical(formatted, 2)];
  assertEquals(values, [1234n, -0.125, false]);
  assertEquals(filled((target) => f.GetCharacter(formatted, 3, target)), [" ab cd      ", 6]);
  f.EndIoStatement(formatted);
});

fortranTest("integers of each kind are read, and refused where they are too large", () => {
  using here = new FortranHere();
  const { f } = here;
  const read = (text: string, countBytes: number) => {
    const at = f.BeginInternalListInput(encode(text), 1);
    f.InputInteger(at, countBytes);
    const value = f.GetInteger(at, 0);
    f.EndIoStatement(at);
    return value;
  };
  assertEquals([
    read("-128", 1),
    read("-32768", 2),
    read("2147483647", 4),
    read("-9223372036854775807", 8),
  ], [
    -128n,
    -32768n,
    2147483647n,
    -9223372036854775807n,
  ]);
  assertThrows(() => read("256", 1), CallError, "iostat 50");
  assertThrows(() => read("1", 3), CallError, "kind must be 1, 2, 4 or 8");
});

fortranTest("texts in memory are written and read", () => {
  using here = new FortranHere();
  const { f } = here;
  const list = f.BeginInternalListOutput(14, 1);
  f.OutputInteger32(list, 5);
  assertEquals(filled((target) => f.GetInternal(list, target)), ["           5", 14]);
  f.EndIoStatement(list);
  const short = f.BeginInternalFormattedOutput(3, "(I5)", 1);
  f.OutputInteger32(short, 5);
  assertThrows(() => f.GetInternal(short, new Uint8Array(5)), CallError, "End of record");
  assertThrows(() => f.EndIoStatement(short), CallError, "iostat -2");
  const read = f.BeginInternalFormattedInput(encode("12345678"), "(I3,F5.2)", 1);
  f.InputInteger(read, 4);
  f.InputReal64(read);
  assertEquals([f.GetInteger(read, 0), f.GetReal(read, 1)], [123n, 456.78]);
  f.EndIoStatement(read);
});

fortranTest("an error fails the call where no handler is set, and the process lives", () => {
  using here = new FortranHere();
  const { f } = here;
  here.open(10, "a.txt");
  const wrong = (...handlers: [boolean, boolean, boolean, boolean]) => {
    const at = here.begin(10, "(I5)");
    here.put(at, 1.5);
    f.EnableHandlers(at, ...handlers, true);
    return at;
  };
  const bare = wrong(false, false, false, false);
  const error = assertThrows(() => f.EndIoStatement(bare), CallError, "statement of line 0");
  assertEquals((error.cause as { name: string }).name, "FortranIoError");
  assertThrows(() => f.EndIoStatement(bare), CallError, "has ended");
  assertEquals(f.EndIoStatement(wrong(true, false, false, false)), 5006);
  assertEquals(f.EndIoStatement(wrong(false, true, false, false)), 5006);
  assertThrows(() => f.EndIoStatement(wrong(false, false, true, true)), CallError, "iostat 5006");
  const noted = wrong(true, false, false, false);
  assertEquals(here.message(noted).includes("Expected INTEGER"), true);
  assertThrows(() => f.OutputReal64(noted, 1), CallError, "a result of it was asked for");
  assertEquals(f.EndIoStatement(noted), 5006);
  assertEquals(here.served.statementCount, 0);
});

fortranTest("the end of a file is -1, by whichever handler takes it", () => {
  using here = new FortranHere();
  const { f } = here;
  here.open(10, "a.txt");
  const read = (...handlers: [boolean, boolean, boolean, boolean]) => {
    here.do("BeginRewind", 10);
    const at = f.BeginExternalListInput(10, 7);
    f.InputInteger(at, 4);
    f.EnableHandlers(at, ...handlers, false);
    return f.EndIoStatement(at);
  };
  assertEquals([read(true, false, false, false), read(false, false, true, false)], [-1, -1]);
  assertThrows(() => read(false, true, false, true), CallError, "line 7: End of file (iostat -1)");
});

fortranTest("results are those of their kind, of values that the statement has", () => {
  using here = new FortranHere();
  const { f } = here;
  const read = f.BeginInternalListInput(encode("1 2.5"), 1);
  assertThrows(
    () => f.OutputInteger32(read, 1),
    CallError,
    "Cannot write a value as the statement is another",
  );
  assertThrows(
    () => f.SetFile(read, "a"),
    CallError,
    "Cannot set file as the statement has none",
  );
  f.InputInteger(read, 4);
  f.InputReal64(read);
  const wrong: ((at: At) => unknown)[] = [
    (at) => f.GetReal(at, 0),
    (at) => f.GetInteger(at, 1),
    (at) => f.GetImaginary(at, 1),
    (at) => f.GetLogical(at, 0),
    (at) => f.GetCharacter(at, 0, new Uint8Array(1)),
    (at) => f.GetInteger(at, 2),
  ];
  for (const get of wrong) assertThrows(() => get(read), CallError, "of a statement as it must be");
  assertEquals(f.EndIoStatement(read), 0);
});

fortranTest("an empty text has an address, for descriptors that look at its first byte", () => {
  using here = new FortranHere();
  here.open(10, "out.txt");
  here.write(10, "(L3,B3,'|')", "", "");
  assertEquals(here.text("out.txt"), "  F  0|\n");
});
