import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../../call/call_error.ts";
import type { FortranStopReport } from "./fortran_host.ts";
import { type At, FortranHere, fortranTest } from "./with_gfortran_test.ts";

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
  const ended = (at: At) => {
    f.EnableHandlers(at, true, false, false, false, true);
    return [here.message(at), f.EndIoStatement(at)];
  };
  const many = f.BeginInternalListOutput(4, 1);
  const added = [1, 2, 3].map((value) => f.OutputInteger8(many, value));
  assertEquals(added, [true, true, false]);
  assertEquals(ended(many), ["Refused: more than 2 values", 6000]);
  const long = here.begin(6, "*");
  assertEquals([f.OutputAscii(long, "x".repeat(20)), f.OutputAscii(long, "x")], [true, false]);
  assertEquals(ended(long), ["Refused: more than 20 bytes", 6000]);
  // A caller's number alone takes no memory.
  const huge = [f.BeginInternalListOutput(2 ** 32 - 1, 1), here.begin(6, `("${"x".repeat(20)}")`)];
  const read = f.BeginExternalListInput(5, 1);
  assertEquals(f.InputCharacter(read, 2 ** 32 - 1), -1);
  for (const at of [...huge, read]) assertEquals(ended(at)[1], 6000);
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
    mapFile: (name): string => {
      asked.push(name);
      if (name.startsWith("..")) throw new Error("outside");
      return here.path(`mapped_${name}`);
    },
  });
  const { f } = here;
  const open = (file: string | undefined, ...statuses: string[]) => {
    const at = f.BeginOpenUnit(10, 1);
    f.EnableHandlers(at, true, false, false, false, true);
    if (file !== undefined) f.SetFile(at, file);
    for (const status of statuses) f.SetStatus(at, status);
    return [here.message(at), f.EndIoStatement(at)];
  };
  assertEquals(open("../a"), ["Refused: File ../a may not be opened: outside", 6000]);
  assertEquals(open(undefined), [
    "Refused: OPEN must name a file, or have status scratch",
    6000,
  ]);
  assertEquals(open("a.txt  ", "new"), ["", 0]);
  here.write(10, "*", "text");
  assertEquals([here.text("mapped_a.txt"), asked], [" text\n", ["../a", "a.txt"]]);
  assertEquals(open("b.txt", "old")[1] === 0, false);
  assertEquals(open("a.txt", "nonsense")[1] === 0, false);
});

fortranTest("a server that is not told otherwise opens scratch files only", () => {
  using here = new FortranHere({ mapFile: undefined as never });
  const { f } = here;
  const named = f.BeginOpenNewUnit(1);
  f.EnableHandlers(named, true, false, false, false, true);
  f.SetFile(named, "a.txt");
  assertEquals([here.message(named), f.EndIoStatement(named)], [
    "Refused: This server opens no files",
    6000,
  ]);
  const scratch = f.BeginOpenNewUnit(1);
  f.SetStatus(scratch, "SCRATCH ");
  const unit = f.GetNewUnit(scratch);
  assertEquals([unit < 0, f.EndIoStatement(scratch)], [true, 0]);
  here.write(unit, "(I3)", 12n);
  here.do("BeginRewind", unit);
  const read = f.BeginExternalListInput(unit, 1);
  f.InputInteger(read, 4);
  assertEquals(f.GetInteger(read, 0), 12n);
  f.EndIoStatement(read);
});

fortranTest("a unit that is not open is refused, and no file appears", () => {
  const before = [...Deno.readDirSync(".")].length;
  using here = new FortranHere();
  const { f } = here;
  const ended = (unit: number) => {
    const at = here.begin(unit, "*");
    f.EnableHandlers(at, true, false, false, false, true);
    return [here.message(at), f.EndIoStatement(at)];
  };
  assertEquals(ended(11), ["Refused: Unit 11 is not open", 6000]);
  assertEquals(ended(-1), ["Refused: Unit -1 is not open", 6000]);
  here.open(11, "a.txt");
  assertEquals(ended(11), ["", 0]);
  assertEquals([here.do("BeginClose", 11), here.do("BeginClose", 11)], [0, 0]);
  assertEquals(ended(11)[1], 6000);
  assertEquals([...Deno.readDirSync(".")].length, before);
});

fortranTest("the units of the process are not opened, closed or moved", () => {
  using here = new FortranHere();
  const { f } = here;
  const forms = ["OpenUnit", "Close", "Rewind", "Backspace", "Endfile"] as const;
  for (const form of forms) {
    for (const unit of [0, 5, 6]) {
      const at = f[`Begin${form}`](unit, 1);
      f.EnableHandlers(at, true, false, false, false, true);
      if (form === "OpenUnit") f.SetFile(at, "a.txt");
      const refusal =
        `Refused: Unit ${unit} is the process's own, for WRITE and READ only: take another unit`;
      assertEquals([here.message(at), f.EndIoStatement(at)], [refusal, 6000]);
    }
  }
});

fortranTest("a unit goes on as it was after an OPEN of it that failed", () => {
  using here = new FortranHere();
  const { f } = here;
  here.open(10, "a.txt");
  const again = f.BeginOpenUnit(10, 1);
  f.EnableHandlers(again, true, false, false, false, false);
  f.SetFile(again, "a.txt");
  f.SetStatus(again, "replace");
  assertEquals(f.EndIoStatement(again), 5002);
  here.write(10, "(A)", "still open");
  const delim = f.BeginOpenUnit(10, 1);
  f.SetDelim(delim, "quote");
  f.EndIoStatement(delim);
  here.write(10, "*", 'a "word"');
  assertEquals(here.text("a.txt"), 'still open\n "a ""word"""\n');
});

fortranTest(
  "the place in a file changes by REWIND, BACKSPACE, ENDFILE and the options of OPEN",
  () => {
    using here = new FortranHere();
    const { f } = here;
    here.open(10, "a.txt");
    for (const text of ["one", "two", "three"]) here.write(10, "(A)", text);
    here.do("BeginBackspace", 10);
    here.write(10, "(A)", "3");
    assertEquals(here.text("a.txt"), "one\ntwo\n3\n");
    here.do("BeginRewind", 10);
    here.write(10, "(A)", "1");
    here.do("BeginEndfile", 10);
    here.do("BeginClose", 10);
    assertEquals(here.text("a.txt"), "1\n");
    const open = (action: string, position: string) => {
      const at = f.BeginOpenUnit(10, 1);
      f.SetFile(at, "a.txt");
      f.SetAction(at, action);
      f.SetPosition(at, position);
      f.EndIoStatement(at);
    };
    open("write", "append");
    here.write(10, "(A)", "last");
    here.do("BeginClose", 10);
    assertEquals(here.text("a.txt"), "1\nlast\n");
    open("read", "rewind");
    const write = here.begin(10, "*");
    f.EnableHandlers(write, true, false, false, false, true);
    assertEquals(here.message(write).length > 0, true);
    assertEquals(f.EndIoStatement(write) > 0, true);
    const close = f.BeginClose(10, 1);
    f.SetStatus(close, "delete");
    f.EndIoStatement(close);
    assertEquals([...Deno.readDirSync(here.path("."))], []);
  },
);

fortranTest("a unit that the library used for a text in memory is nobody's", () => {
  using here = new FortranHere();
  const { f } = here;
  const newUnit = () => {
    const at = f.BeginOpenNewUnit(1);
    f.SetStatus(at, "scratch");
    const unit = f.GetNewUnit(at);
    f.EndIoStatement(at);
    return unit;
  };
  const readText = () => {
    const at = f.BeginInternalListInput(new TextEncoder().encode("7"), 1);
    f.InputInteger(at, 4);
    return f.EndIoStatement(at);
  };
  const ended = (at: At) => {
    f.EnableHandlers(at, true, false, false, false, true);
    return [here.message(at), f.EndIoStatement(at)];
  };
  const unit = newUnit();
  here.write(unit, "*", 1n);
  assertEquals([here.do("BeginClose", unit), readText()], [0, 0]);
  const refused = [`Refused: Unit ${unit} is not open`, 6000];
  assertEquals(ended(here.begin(unit, "*")), refused);
  assertEquals(ended(f.BeginClose(unit, 1)), refused);
  assertEquals(ended(f.BeginOpenUnit(unit, 1)), refused);
  here.write(newUnit(), "*", 1n);
});
