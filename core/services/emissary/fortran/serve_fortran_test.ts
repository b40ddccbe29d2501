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
  encode,
  filled,
  FortranHere,
  type FortranStubs,
  fortranTest,
} from "./with_gfortran_test.ts";
import { CallError } from "../../../call/call_error.ts";

const REFERENCE = new URL("./testdata/reference.f90", import.meta.url);

fortranTest("statements write what a program compiled by gfortran writes", () => {
  using here = new FortranHere();
  here.open(10, "out.txt");
  const source = Deno.readTextFileSync(REFERENCE);
  const lines = source.replaceAll(/&\n *&?/g, "").split("\n").filter((line) =>
    /^ *write/.test(line)
  );
  for (const line of lines) here.run(line);
  here.do("Close", 10);
  const expected = compiledOutput(source) ??
    Deno.readTextFileSync(new URL("./reference.txt", REFERENCE));
  assertEquals([lines.length, here.text("out.txt")], [33, expected]);
});

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
  here.write(10, "(A)", "'text'");
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
  here.write(10, "*", "-7, 2.5_8, .true., 'word', cmplx(1.0_8, -2.0_8, kind=8)");
  here.write(10, "(I4,F8.3,L2,A6)", "1234, -0.125_8, .false., 'ab cd'");
  here.do("Rewind", 10);
  const list = here.read(f.BeginExternalListInput(10, 3), "i2 r4 l c6 z4");
  assertEquals(list, [-7n, 2.5, true, "word        ", 6, 1, -2]);
  const formatted = f.BeginExternalFormattedInput("(I4,F8.3,L2,A6)", 10, 4);
  assertEquals(here.read(formatted, "i8 r8 l c6"), [1234n, -0.125, false, " ab cd      ", 6]);
  const least = { i1: -128n, i2: -32768n, i4: -2147483648n, i8: -9223372036854775807n };
  for (const [type, value] of Object.entries(least)) {
    assertEquals(here.read(f.BeginInternalListInput(encode(`${value}`), 1), type), [value]);
  }
});

fortranTest("texts in memory are written and read", () => {
  using here = new FortranHere();
  const { f } = here;
  const list = f.BeginInternalListOutput(14, 1);
  here.put(list, "5");
  assertEquals(filled((target) => f.GetInternal(list, target)), ["           5", 14]);
  f.EndIoStatement(list);
  const short = f.BeginInternalFormattedOutput(3, "(I5)", 1);
  here.put(short, "5");
  assertThrows(() => f.GetInternal(short, new Uint8Array(5)), CallError, "End of record");
  assertThrows(() => f.EndIoStatement(short), CallError, "iostat -2");
  const read = f.BeginInternalFormattedInput(encode("12345678"), "(I3,F5.2)", 1);
  assertEquals(here.read(read, "i4 r8"), [123n, 456.78]);
});

fortranTest("an end fails the call where no handler is for it, and the process lives", () => {
  using here = new FortranHere();
  const { f } = here;
  for (const [unit, file] of [[10, "a.txt"], [11, "empty.txt"]] as const) here.open(unit, file);
  const wrong = (handlers: string) => {
    const at = here.handle(here.begin(10, "(I5)"), handlers);
    here.put(at, "1.5_8");
    return at;
  };
  const atEnd = (handlers: string) => {
    here.do("Rewind", 11);
    const at = here.handle(f.BeginExternalListInput(11, 7), handlers);
    here.ask(at, "i4");
    return at;
  };
  for (const handler of ["iostat", "err"]) assertEquals(f.EndIoStatement(wrong(handler)), 5006);
  for (const handler of ["iostat", "end"]) assertEquals(f.EndIoStatement(atEnd(handler)), -1);
  assertThrows(() => f.EndIoStatement(wrong("end eor")), CallError, "iostat 5006");
  assertThrows(
    () => f.EndIoStatement(atEnd("err eor")),
    CallError,
    "line 7: End of file (iostat -1)",
  );
  const bare = wrong("");
  const error = assertThrows(() => f.EndIoStatement(bare), CallError, "statement of line 0");
  assertEquals((error.cause as { name: string }).name, "FortranIoError");
  assertThrows(() => f.EndIoStatement(bare), CallError, "has ended");
  const noted = wrong("iostat");
  const [message] = filled((target) => f.GetIoMsg(noted, target));
  assertEquals(message, "Expected INT");
  assertThrows(() => f.OutputReal64(noted, 1), CallError, "a result of it was asked for");
  assertEquals([f.EndIoStatement(noted), here.served.statementCount], [5006, 0]);
});

/** What a READ of `1 2.5` as an integer and a real does not do, and what it says. */
const WRONG: readonly (readonly [text: string, work: (f: FortranStubs, at: At) => unknown])[] = [
  ["Cannot write a value as the statement is another", (f, at) => f.OutputInteger32(at, 1)],
  ["Cannot set file as the statement has none", (f, at) => f.SetFile(at, "a")],
  ["kind must be 1, 2, 4 or 8", (f, at) => f.InputInteger(at, 3)],
  ["must be real or complex", (f, at) => f.GetReal(at, 0)],
  ["must be integer", (f, at) => f.GetInteger(at, 1)],
  ["must be complex", (f, at) => f.GetImaginary(at, 1)],
  ["must be logical", (f, at) => f.GetLogical(at, 0)],
  ["must be character", (f, at) => f.GetCharacter(at, 0, new Uint8Array(1))],
  ["current value is none", (f, at) => f.GetInteger(at, 2)],
];

fortranTest("results are those of their kind, of values that the statement has", () => {
  using here = new FortranHere();
  const read = here.reading("1 2.5", "i4 r8");
  for (const [text, work] of WRONG) assertThrows(() => work(here.f, read), CallError, text);
  assertEquals(here.f.EndIoStatement(read), 0);
  assertThrows(() => here.f.GetInteger(here.reading("256", "i1"), 0), CallError, "iostat 50");
});

fortranTest("an empty text has an address, for descriptors that look at its first byte", () => {
  using here = new FortranHere();
  here.open(10, "out.txt");
  here.write(10, "(L3,B3,'|')", "'', ''");
  assertEquals(here.text("out.txt"), "  F  0|\n");
});
