import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../../call/call_error.ts";
import type { FortranStopReport } from "./fortran_host.ts";
import { type At, encode, FortranHere, fortranTest } from "./with_gfortran_test.ts";

fortranTest("statements of lanes and clients come out whole, in the order of their ends", () => {
  using here = new FortranHere();
  const { f } = here;
  const other = here.other();
  here.open(10, "a.txt");
  // Both lanes are in their statements at once, and so is another client.
  const [first, second] = f.BeginExternalListOutput.lanes([[10, 1], [10, 1]]) as [At, At];
  const third = other.BeginExternalListOutput(10, 1);
  f.OutputInteger32.lanes([[first, 11], [second, 21]]);
  other.OutputInteger32(third, 31);
  f.OutputInteger32.lanes([[first, 12], [second, 22]]);
  other.OutputInteger32(third, 32);
  f.EndIoStatement(second);
  other.EndIoStatement(third);
  f.EndIoStatement(first);
  const lines = here.text("a.txt").split("\n").map((line) => line.trim().split(/ +/));
  assertEquals(lines, [["21", "22"], ["31", "32"], ["11", "12"], [""]]);
});

fortranTest("a statement is of the client that began it, and goes with it", () => {
  using here = new FortranHere();
  const other = here.other();
  here.open(10, "a.txt");
  const mine = here.begin(10, "*");
  assertThrows(() => other.OutputInteger32(mine, 1), CallError, "another client began it");
  assertThrows(() => other.EndIoStatement(mine), CallError, "another client began it");
  assertEquals(here.f.OutputInteger32(mine, 1), true);
  const theirs = other.BeginExternalListOutput(10, 1);
  assertEquals(here.served.statementCount, 2);
  assertEquals([here.served.drop(here.clientId), here.served.drop(here.clientId)], [1, 0]);
  assertThrows(() => here.f.EndIoStatement(mine), CallError, "has ended");
  other.OutputAscii(theirs, "kept");
  assertEquals([other.EndIoStatement(theirs), here.served.statementCount], [0, 0]);
  assertEquals([here.text("a.txt"), here.host.handleCount], [" kept\n", 0]);
});

fortranTest("a client with too many statements loses its oldest, and no other client does", () => {
  using here = new FortranHere({ statementsMax: 2 });
  const other = here.other();
  here.open(10, "a.txt");
  const theirs = other.BeginExternalListOutput(10, 1);
  const [one, two, three] = [1, 2, 3].map(() => here.begin(10, "*")) as [At, At, At];
  assertThrows(() => here.f.OutputInteger32(one, 1), CallError, "has ended");
  assertEquals([two, three].map((at) => here.f.EndIoStatement(at)), [0, 0]);
  assertEquals(other.EndIoStatement(theirs), 0);
  assertEquals([here.served.statementCount, here.host.handleCount], [0, 0]);
});

fortranTest("a statement has a limit of values and of bytes, and is not performed beyond", () => {
  using here = new FortranHere({ itemsMax: 2, bytesMax: 20 });
  const { f } = here;
  const many = f.BeginInternalListOutput(4, 1);
  assertEquals([1, 2, 3].map((value) => f.OutputInteger8(many, value)), [true, true, false]);
  assertEquals(here.ended(many), ["Refused: more than 2 values", 6000]);
  const long = here.begin(6, "*");
  assertEquals([f.OutputAscii(long, "x".repeat(20)), f.OutputAscii(long, "x")], [true, false]);
  assertEquals(here.ended(long), ["Refused: more than 20 bytes", 6000]);
  // A caller's number alone takes no memory.
  const huge = [f.BeginInternalListOutput(2 ** 32 - 1, 1), here.begin(6, `("${"x".repeat(20)}")`)];
  const read = f.BeginExternalListInput(5, 1);
  assertEquals(f.InputCharacter(read, 2 ** 32 - 1), -1);
  for (const at of [...huge, read]) assertEquals(here.ended(at)[1], 6000);
});

fortranTest("STOP is reported, and ends what its client does, not the server", () => {
  const reports: FortranStopReport[] = [];
  using here = new FortranHere({ onStop: (report) => reports.push(report) });
  const { f } = here;
  const other = here.other();
  here.open(10, "a.txt");
  const at = here.begin(10, "*");
  f.StopStatement(3, false, true);
  const { clientId: callerId } = here;
  assertEquals(reports, [
    { callerId, exitCode: 3, text: "STOP 3", isErrorStop: false, isQuiet: true },
  ]);
  assertEquals([here.served.statementCount, here.host.handleCount], [0, 0]);
  assertThrows(() => f.OutputInteger32(at, 1), CallError, "has ended");
  assertThrows(() => here.begin(10, "*"), CallError, "the program has stopped: STOP 3");
  assertThrows(() => f.StopStatement(0, false, false), CallError, "has stopped: STOP 3");
  const theirs = other.BeginExternalListOutput(10, 1);
  assertEquals(other.EndIoStatement(theirs), 0);
  other.StopStatementText("no convergence", true, false);
  const { exitCode, text, isErrorStop } = reports[1]!;
  assertEquals([exitCode, text, isErrorStop], [1, "ERROR STOP no convergence", true]);
  here.served.drop(callerId);
  assertEquals(f.EndIoStatement(here.begin(10, "*")), 0);
  f.StopStatementText("done", false, false);
  assertEquals([reports[2]!.exitCode, reports[2]!.text], [0, "STOP done"]);
});

fortranTest("calls after a STOP do nothing where they are to be ignored", () => {
  const reports: FortranStopReport[] = [];
  const onStop = (report: FortranStopReport) => reports.push(report);
  using here = new FortranHere({ afterStop: "ignore", onStop });
  const { f } = here;
  here.open(10, "a.txt");
  const before = here.begin(10, "*");
  f.StopStatement(1, true, false);
  f.StopStatement(2, true, false);
  assertEquals(reports.map(({ exitCode }) => exitCode), [1]);
  assertEquals([f.OutputAscii(before, "a"), f.EndIoStatement(before)], [true, 6000]);
  const after = here.begin(10, "(");
  assertEquals([f.OutputAscii(after, "a"), f.EndIoStatement(after)], [true, 6000]);
  assertEquals([here.text("a.txt"), here.served.statementCount], ["", 0]);
  const other = here.other();
  const theirs = other.BeginExternalListOutput(10, 1);
  assertEquals([other.EndIoStatement(theirs), here.text("a.txt")], [0, "\n"]);
});

fortranTest("files are those that the server lets be opened, under the names that it gives", () => {
  const asked: string[] = [];
  using here: FortranHere = new FortranHere({
    mapFile: (name): string | undefined => {
      asked.push(name);
      if (name === "none") return undefined;
      if (name === "odd") return 5 as never;
      if (name.startsWith("..")) throw new Error("outside");
      return here.path(`mapped_${name}`);
    },
  });
  const open = (options: Record<string, string>) => here.ended(here.opening(10, options));
  const odd = "mapFile must give a path, or undefined: current value is 5";
  const refusals: readonly (readonly [Record<string, string>, string])[] = [
    [{ file: "../a" }, "File ../a may not be opened: outside"],
    [{ file: "none" }, "File none may not be opened"],
    [{ file: "odd" }, `File odd may not be opened: ${odd}`],
    [{}, "OPEN must name a file, or have status scratch"],
  ];
  for (const [options, text] of refusals) assertEquals(open(options), [`Refused: ${text}`, 6000]);
  assertEquals(open({ file: "a.txt  ", status: "new" }), ["", 0]);
  here.write(10, "*", "'text'");
  assertEquals([here.text("mapped_a.txt"), asked], [" text\n", ["../a", "none", "odd", "a.txt"]]);
  assertEquals(open({ file: "b.txt", status: "old" })[1] === 0, false);
  assertEquals(open({ file: "a.txt", status: "nonsense" })[1] === 0, false);
});

fortranTest("a server that is not told otherwise opens scratch files only", () => {
  using here = new FortranHere({ mapFile: undefined as never });
  const named = here.opening("new", { file: "a.txt" });
  assertEquals(here.ended(named), ["Refused: This server opens no files", 6000]);
  const unit = here.scratch();
  assertEquals(unit < 0, true);
  here.write(unit, "(I3)", "12");
  here.do("Rewind", unit);
  assertEquals(here.read(here.f.BeginExternalListInput(unit, 1), "i4"), [12n]);
});

fortranTest("a unit that is not open, or is the process's, is refused, and no file appears", () => {
  const before = [...Deno.readDirSync(".")].length;
  using here = new FortranHere();
  const { f } = here;
  const ended = (unit: number) => here.ended(here.begin(unit, "*"));
  const refused = (unit: number) => [`Refused: Unit ${unit} is not open`, 6000];
  for (const unit of [11, -1]) assertEquals(ended(unit), refused(unit));
  here.open(11, "a.txt");
  assertEquals(ended(11), ["", 0]);
  assertEquals([here.do("Close", 11), here.do("Close", 11), ended(11)], [0, 0, refused(11)]);
  assertEquals([...Deno.readDirSync(".")].length, before);
  for (const form of ["OpenUnit", "Close", "Rewind", "Backspace", "Endfile"] as const) {
    for (const unit of [0, 5, 6]) {
      const at = f[`Begin${form}`](unit, 1);
      if (form === "OpenUnit") f.SetFile(at, "a.txt");
      const own = `Unit ${unit} is the process's own, for WRITE and READ only: take another unit`;
      assertEquals(here.ended(at), [`Refused: ${own}`, 6000]);
    }
  }
  // One that the library has for texts in memory, too, is nobody's.
  const unit = here.scratch();
  here.write(unit, "*", "1");
  assertEquals(here.do("Close", unit), 0);
  assertEquals(here.read(f.BeginInternalListInput(encode("7"), 1), "i4"), [7n]);
  const again = [here.begin(unit, "*"), f.BeginClose(unit, 1), f.BeginOpenUnit(unit, 1)];
  for (const at of again) assertEquals(here.ended(at), refused(unit));
  here.write(here.scratch(), "*", "1");
});

fortranTest("who opens units until there are no more is told so, and the process lives", () => {
  using here = new FortranHere();
  const units: number[] = [];
  const fill = () => {
    for (;;) units.push(here.scratch());
  };
  assertThrows(fill, Error, "Too many files are open: close some");
  Deno.openSync("/dev/null").close();
  here.do("Close", units.pop()!);
  here.scratch();
  assertThrows(() => here.scratch(), Error, "Too many files are open");
});

fortranTest("a unit goes on as it was after an OPEN of it that failed", () => {
  using here = new FortranHere();
  here.open(10, "a.txt");
  assertEquals(here.ended(here.opening(10, { file: "a.txt", status: "replace" }))[1], 5002);
  here.write(10, "(A)", "'still open'");
  here.f.EndIoStatement(here.opening(10, { delim: "quote" }));
  here.write(10, "*", `'a "word"'`);
  assertEquals(here.text("a.txt"), 'still open\n "a ""word"""\n');
});

fortranTest("a place in a file changes by REWIND, BACKSPACE, ENDFILE and options of OPEN", () => {
  using here = new FortranHere();
  const { f } = here;
  here.open(10, "a.txt");
  for (const text of ["one", "two", "three"]) here.write(10, "(A)", `'${text}'`);
  here.do("Backspace", 10);
  here.write(10, "(A)", "'3'");
  assertEquals(here.text("a.txt"), "one\ntwo\n3\n");
  here.do("Rewind", 10);
  here.write(10, "(A)", "'1'");
  here.do("Endfile", 10);
  here.do("Close", 10);
  assertEquals(here.text("a.txt"), "1\n");
  const open = (action: string, position: string) =>
    f.EndIoStatement(here.opening(10, { file: "a.txt", action, position }));
  open("write", "append");
  here.write(10, "(A)", "'last'");
  here.do("Close", 10);
  assertEquals(here.text("a.txt"), "1\nlast\n");
  open("read", "rewind");
  const [message, iostat] = here.ended(here.begin(10, "*"));
  assertEquals([message.length > 0, iostat > 0], [true, true]);
  const close = f.BeginClose(10, 1);
  f.SetStatus(close, "delete");
  f.EndIoStatement(close);
  assertEquals([...Deno.readDirSync(here.path("."))], []);
});

fortranTest("records are written and read by their numbers, and as the machine has them", () => {
  using here = new FortranHere();
  const { f } = here;
  here.open(10, "raw", { form: "unformatted" });
  const raw = f.BeginUnformattedOutput(10, 1);
  here.put(raw, "7, 2.5_8, 'ab'");
  assertEquals(f.EndIoStatement(raw), 0);
  // A record has its length in front of it and behind.
  const bytes = Deno.readFileSync(here.path("raw"));
  const view = new DataView(bytes.buffer);
  const ends = [0, bytes.length - 4].map((byte) => view.getInt32(byte, true));
  assertEquals([bytes.length, ...ends, view.getInt32(4, true)], [22, 14, 14, 7]);
  here.do("Rewind", 10);
  const back = here.read(f.BeginUnformattedInput(10, 2), "i4 r8 c2");
  assertEquals(back, [7n, 2.5, "ab".padEnd(12), 2]);
  here.open(11, "numbered", { access: "direct", recl: 16n, form: "formatted" });
  for (const [record, value] of [[3n, "'third'"], [1n, "'first'"]] as const) {
    const at = here.begin(11, "(A)");
    f.SetRec(at, record);
    here.put(at, value);
    assertEquals(f.EndIoStatement(at), 0);
  }
  assertEquals(here.text("numbered").slice(32), "third".padEnd(16));
  const first = f.BeginExternalFormattedInput("(A5)", 11, 4);
  f.SetRec(first, 1n);
  assertEquals(here.read(first, "c5"), ["first".padEnd(12), 5]);
  const long = f.BeginOpenUnit(12, 5);
  assertEquals(f.SetRecl(long, 1n << 40n), false);
  assertThrows(() => f.EndIoStatement(long), CallError, "recl must be 1 to 1048576");
  assertThrows(() => f.SetRec(f.BeginRewind(11, 6), 1n), CallError, "the statement has none");
});

fortranTest("INQUIRE tells of units and of files that may be opened", () => {
  using here: FortranHere = new FortranHere({
    mapFile: (name) => {
      if (name === "secret") throw new RangeError("not that one");
      return here.path(name);
    },
  });
  const { f } = here;
  here.open(10, "a.txt");
  here.write(10, "*", "1");
  const ask = (at: At) => {
    const text = (name: string) => {
      const room = new Uint8Array(16);
      return new TextDecoder().decode(room.subarray(0, f.InquireCharacter(at, name, room))).trim();
    };
    const answers = [
      ...["EXIST", "opened"].map((name) => f.InquireLogical(at, name)),
      f.InquireInteger64(at, "NUMBER"),
      ...["access", "FORM", "Action", "direct"].map(text),
    ];
    f.EndIoStatement(at);
    return answers;
  };
  const open = [true, true, 10n, "SEQUENTIAL", "FORMATTED", "READWRITE", "NO"];
  assertEquals(ask(f.BeginInquireUnit(10, 1)), open);
  assertEquals(ask(f.BeginInquireFile("a.txt", 2)), open);
  assertEquals(ask(f.BeginInquireUnit(77, 3)).slice(0, 3), [true, false, -1n]);
  assertEquals(ask(f.BeginInquireFile("none.txt", 4)).slice(0, 2), [false, false]);
  assertThrows(() => ask(f.BeginInquireFile("secret", 5)), CallError, "not that one");
  const wrong = f.BeginInquireUnit(10, 6);
  assertThrows(() => f.InquireLogical(wrong, "NAME"), CallError, "one of EXIST, OPENED, NAMED");
  assertThrows(() => f.InquireLogical(f.BeginRewind(10, 7), "EXIST"), CallError, "is rewind");
});
