import { assertEquals, assertThrows } from "@std/assert";
import { GfortranLibrary } from "./gfortran_library.ts";
import { fortranTest } from "../with_gfortran_test.ts";

Deno.test("GfortranLibrary says what to install where it is absent", () => {
  const library = {
    files: ["libportlab_absent.so"],
    packageHint: "the Debian package libgfortran5",
  };
  const error = assertThrows(() => new GfortranLibrary(library), Error, "libportlab_absent.so: ");
  assertEquals(error.message.includes("it comes with the Debian package libgfortran5"), true);
});

/** Opens the library in a process that nobody else has opened it in, and says whether signals changed. */
const SIGNALS = `
  import { GfortranLibrary } from "${new URL("./gfortran_library.ts", import.meta.url)}";
  const caught = () => /^SigCgt:.*$/m.exec(Deno.readTextFileSync("/proc/self/status"))[0];
  const before = caught();
  new GfortranLibrary();
  if (caught() !== before) throw new Error(before + " became " + caught());
`;

fortranTest("GfortranLibrary leaves the signals of the process alone", () => {
  if (Deno.build.os !== "linux") return; // tells by /proc
  const { success, stderr } = new Deno.Command(Deno.execPath(), { args: ["eval", SIGNALS] })
    .outputSync();
  assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
});
