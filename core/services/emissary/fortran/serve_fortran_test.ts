import { assertEquals, assertThrows } from "@std/assert";
import { ApiServer, connectApi } from "../../../signature/mod.ts";
import { oneThread } from "../../../testing/fixtures/one_thread.ts";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { startServer } from "../../../worker/start_server.ts";
import { fortranApi } from "./fortran_api.ts";
import { GfortranLibrary } from "./gfortran/gfortran_library.ts";
import { isUnitOpen } from "./gfortran/perform_statement.ts";
import { serveFortran } from "./serve_fortran.ts";
import {
  type At,
  compiledOutput,
  filled,
  FortranHere,
  type FortranStubs,
  fortranTest,
  type Written,
} from "./with_gfortran_test.ts";
import { CallError } from "../../../call/call_error.ts";

const REFERENCE = new URL("./testdata/reference.f90", import.meta.url);

fortranTest("statements write what a program compiled by gfortran writes", () => {
  using here = new FortranHere();
  const { f } = here;
  const list = (...values: Written[]) => here.write(10, "*", ...values);
  const formatted = (format: string, ...values: Written[]) => here.write(10, format, ...values);
  here.open(10, "out.txt");
  list(
    (at) => f.OutputInteger8(at, -128),
    (at) => f.OutputInteger16(at, 32767),
    -2147483648n,
    (at) => f.OutputInteger64(at, 2n ** 63n - 1n),
  );
  list(
    (at) => f.OutputInteger128(at, 2n ** 64n - 1n, 2n ** 63n - 1n),
    (at) => f.OutputInteger128(at, 2n ** 64n - 1n, -1n),
  );
  const singles = [0.1, 3.4028235e38, 1.401298464324817e-45, -0.0, 1].map(Math.fround);
  list(...singles.map((value) => (at: At) => f.OutputReal32(at, value)));
  list(0.1, Number.MAX_VALUE, Number.MIN_VALUE, -0.0, 1e10);
  list(
    NaN,
    Infinity,
    -Infinity,
    (at) => f.OutputReal32(at, NaN),
    (at) => f.OutputReal32(at, -Infinity),
  );
  list((at) => f.OutputComplex32(at, 1.5, -2.5), (at) => f.OutputComplex64(at, 0.1, -1e100));
  list(true, false);
  list(`It's a "text"`, "next", "", (at) => f.OutputCharacter(at, encode(" blank ")));
  list("x =", 42n, 2.5, true, "end");
  list(1n, "a", "b", 2n);
  list();
  list(...integers(12).map((index) => index * 1000n));
  list(...integers(6).map((index) => 1 / Number(index)));
  list("0123456789".repeat(12), 7n);
  formatted("(I5)", 42n);
  formatted("(I3)", 12345n);
  formatted("(I6.4,I0,1X,Z8,O6,B8.8)", 42n, -7n, 255n, 8n, 5n);
  formatted("(F8.3,ES12.4,E12.4E3,EN12.3,G12.4)", 3.14159, 12345.678, -1e-10, 1e5, 0.5);
  formatted("(F0.2,1X,F5.1,1X,D12.5)", -0.004, 99999.9, 2);
  formatted("(F8.3,ES12.4)", NaN, -Infinity);
  formatted("(A,A5,A2,L3,L1)", "abc", "de", "wxyz", true, false);
  formatted('(2(I3,1X),3X,"text",T20,A)', 1n, 2n, "end");
  formatted("(I2,/,I4)", 1n, 2n);
  formatted("(3I4)", ...integers(7));
  formatted('("first",2(I3,","),:,"more")', 1n, 2n, 3n);
  formatted("(SP,I4,F7.2,S,I4)", 5n, 1.5, 6n);
  formatted("(2F8.2)", (at) => f.OutputComplex32(at, 1.5, -2.5));
  const part = here.begin(10, "(A)");
  f.SetAdvance(part, "no");
  f.OutputAscii(part, "one ");
  f.EndIoStatement(part);
  formatted("(A)", "line");
  for (const [format, value] of [["(I5)", 1.5], ["(Q7)", 1n]] as const) {
    const wrong = here.begin(10, format);
    f.EnableHandlers(wrong, true, false, false, false, true);
    here.put(wrong, value);
    const message = here.message(wrong);
    formatted("(I0,1X,A)", BigInt(f.EndIoStatement(wrong)), message);
  }
  here.do("BeginClose", 10);
  const expected = compiledOutput(Deno.readTextFileSync(REFERENCE)) ??
    Deno.readTextFileSync(new URL("./reference.txt", REFERENCE));
  assertEquals(here.text("out.txt"), expected);
});

function integers(count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => BigInt(index) + 1n);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

fortranTest("what is written to unit 6 stands in order with the project's own output", () => {
  const script = new URL("./testdata/print_in_order.ts", import.meta.url);
  const { stdout, success } = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-ffi", "--no-check", script.href],
  }).outputSync();
  assertEquals(new TextDecoder().decode(stdout), " Fortran 1\nhost 1\n Fortran 2\nhost 2\n");
  assertEquals(success, true);
});

Deno.test("serveFortran() says what to install where the library is absent, and checks limits", () => {
  const server = new ApiServer(oneThread({ portCount: 1, laneCount: 1 }).server);
  const library = { files: ["libportlab_absent.so"], packageHint: "the package of it" };
  assertThrows(() => serveFortran(server, { library }), Error, "it comes with the package of it");
  for (const name of ["statementsMax", "itemsMax", "bytesMax"]) {
    for (const value of [0, -1, 0.5, NaN, Infinity]) {
      assertThrows(() => serveFortran(server, { library, [name]: value }), RangeError, name);
    }
  }
});

fortranTest("ServedFortran serves no longer when it is disposed, and leaves no unit open", () => {
  using library = new GfortranLibrary(); // keeps the units where they are
  const here = new FortranHere();
  here.open(10, "a.txt");
  here.write(10, "(A)", "text");
  here.served[Symbol.dispose]();
  here.served[Symbol.dispose]();
  assertEquals([here.text("a.txt"), isUnitOpen(library.symbols, 10)], ["text\n", false]);
  assertThrows(() => here.f.BeginClose(10, 1), Error, "fortran.BeginClose");
  using _again = serveFortran(here.host); // the names are free
  here.remove();
});

/** Stubs of a server worker, which ends with its block. */
async function inWorker(stack: AsyncDisposableStack): Promise<FortranStubs> {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const services = [new URL("./testdata/fortran_service.ts", import.meta.url)];
  stack.use(await startServer(channel, { services }));
  return connectApi(new Client(channel), fortranApi);
}

fortranTest("workers write to one unit at once, each line whole", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = Deno.makeTempDirSync();
  stack.defer(() => Deno.removeSync(folder, { recursive: true }));
  const [first, second] = [await inWorker(stack), await inWorker(stack)];
  const open = await first.BeginOpenUnit.async(10, 1);
  await first.SetFile.async(open, `${folder}/a.txt`);
  await first.EndIoStatement.async(open);
  const write = async (f: FortranStubs, name: string) => {
    for (let line = 0; line < 100; line++) {
      const at = await f.BeginExternalListOutput.async(10, 1);
      await f.OutputAscii.async(at, name.repeat(30));
      await f.OutputInteger32.async(at, line);
      await f.EndIoStatement.async(at);
    }
  };
  await Promise.all([write(first, "a"), write(second, "b")]);
  await first.EndIoStatement.async(await first.BeginClose.async(10, 1));
  const lines = Deno.readTextFileSync(`${folder}/a.txt`).trimEnd().split("\n");
  for (const name of ["a", "b"]) {
    const own = lines.filter((line) => line.includes(name));
    const expected = own.map((_, line) => ` ${name.repeat(30)}${`${line}`.padStart(12)}`);
    assertEquals([own.length, own], [100, expected]);
  }
});

fortranTest("values are read back as they were written", () => {
  using here = new FortranHere();
  const { f } = here;
  here.open(10, "a.txt");
  here.write(10, "*", -7n, 2.5, true, "word", (at) => f.OutputComplex64(at, 1, -2));
  here.write(10, "(I4,F8.3,L2,A6)", 1234n, -0.125, false, "ab cd");
  here.do("BeginRewind", 10);
  const list = here.read(f.BeginExternalListInput(10, 3), "i2 r4 l c6 z4");
  assertEquals(list, [-7n, 2.5, true, "word        ", 6, 1, -2]);
  const formatted = f.BeginExternalFormattedInput("(I4,F8.3,L2,A6)", 10, 4);
  const values = here.read(formatted, "i8 r8 l c6");
  assertEquals(values, [1234n, -0.125, false, " ab cd      ", 6]);
});

fortranTest("integers of each kind are read, and refused where they are too large", () => {
  using here = new FortranHere();
  const read = (text: string, type: string) =>
    here.read(here.f.BeginInternalListInput(encode(text), 1), type);
  const least = { i1: -128n, i2: -32768n, i4: -2147483648n, i8: -9223372036854775807n };
  for (const [type, value] of Object.entries(least)) assertEquals(read(`${value}`, type), [value]);
  assertThrows(() => read("256", "i1"), CallError, "iostat 50");
  assertThrows(() => read("1", "i3"), CallError, "kind must be 1, 2, 4 or 8");
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
  assertEquals(here.read(read, "i4 r8"), [123n, 456.78]);
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
