import { assertEquals } from "@std/assert";
import { type At, FortranHere, fortranTest } from "./with_gfortran_test.ts";

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
