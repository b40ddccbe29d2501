import { assertEquals, assertThrows } from "@std/assert";
import { onLinux } from "../../testing/fixtures/on_linux.ts";
import { ErrnoError } from "../../signature/mod.ts";
import { confinedFiles } from "../sandbox/files/confined_files.ts";
import { denoFiles, openMode } from "./deno_files.ts";
import { boundedFiles, FileBound, filesMaxOf } from "./deno_file_bound.ts";

Deno.test("filesMaxOf() leaves most descriptors to the process, and 1024 are enough", () => {
  const line = (count: number | string) =>
    `Max processes 9 9\nMax open files            ${count}    1048576   files\n`;
  const cases = [[line(1024), 256], [line(1_048_576), 1024], [line(64), 16], ["", 64], [
    undefined,
    64,
  ]] as const;
  for (const [limits, most] of cases) assertEquals(filesMaxOf(limits), most);
  for (const wrong of [0, -1, 0.5, NaN]) {
    assertThrows(
      () => boundedFiles(denoFiles, wrong),
      RangeError,
      `filesMax must be an integer from 1: current value is ${wrong}`,
    );
  }
});

/** Takes files until none is left; returns how many. */
function fill(bound: FileBound): number {
  let count = 0;
  for (; !bound.isFull; count++) bound.take("open");
  assertEquals(
    assertThrows(() => bound.take("open a"), ErrnoError, "Cannot open a").code,
    "EMFILE",
  );
  return count;
}

Deno.test("FileBound leaves some files to each server, whatever others take", () => {
  const all = filesMaxOf(Deno.readTextFileSync("/proc/self/limits"));
  const honest = new FileBound();
  const hogs = Array.from({ length: 4 }, () => new FileBound());
  const [first, ...rest] = hogs.map(fill);
  assertEquals([first, rest[0]], [Math.ceil(all / 2) + 8, Math.floor(all / 2) + 8]);
  assertEquals(rest.slice(1), [8, 8]); // what is shared is taken
  assertEquals(fill(honest), 8);
  hogs[0]!.give(); // for everybody again
  assertEquals([fill(honest), fill(hogs[1]!)], [1, 0]);
  const few = new FileBound(3);
  assertEquals(fill(few), 3);
  few.give();
  assertEquals(fill(few), 1);
  const counts = [first! - 1, ...rest, 9, 3];
  for (const [index, bound] of [...hogs, honest, few].entries()) {
    for (let count = 0; count < counts[index]!; count++) bound.give();
  }
  assertEquals(fill(hogs[3]!), first); // all of it was given back
  for (let count = 0; count < first!; count++) hogs[3]!.give();
});

Deno.test("boundedFiles() counts what is open, and gives back what is closed or was not opened", () => {
  const path = Deno.makeTempFileSync();
  const read = openMode("r")!;
  const host = boundedFiles(denoFiles, 2);
  const files = [host.open(path, read)];
  for (let count = 0; count < 9; count++) {
    assertThrows(() => host.open(`${path}.absent`, read), ErrnoError, "ENOENT");
  }
  files.push(host.open(path, read));
  const refused = () => assertThrows(() => host.open(path, read), ErrnoError, path);
  assertEquals(refused().code, "EMFILE");
  files.pop()!.close();
  files.push(host.open(path, read));
  refused();
  for (const file of files) file.close();
  Deno.removeSync(path);
});

onLinux("boundedFiles() counts out what the host closes by itself", () => {
  const folder = Deno.makeTempDirSync();
  Deno.writeTextFileSync(`${folder}/a`, "");
  const takenAll = () => {
    using files = confinedFiles(folder);
    const host = boundedFiles(files);
    let count = 0;
    assertThrows(
      () => {
        for (;; count++) host.open("a", openMode("r")!);
      },
      ErrnoError,
      "EMFILE",
    );
    return count;
  };
  assertEquals(takenAll(), takenAll());
});
