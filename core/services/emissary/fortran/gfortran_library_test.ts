import { assertEquals, assertThrows } from "@std/assert";
import { GfortranLibrary } from "./gfortran_library.ts";
import { fortranTest } from "./with_gfortran_test.ts";

Deno.test("GfortranLibrary says what to install where it is absent", () => {
  const library = {
    files: ["libportlab_absent.so"],
    packageHint: "the Debian package libgfortran5",
  };
  const error = assertThrows(() => new GfortranLibrary(library), Error, "libportlab_absent.so: ");
  assertEquals(error.message.includes("it comes with the Debian package libgfortran5"), true);
});

fortranTest("GfortranLibrary leaves the signals of the process alone", () => {
  const masks = () => /^SigCgt:.*$/m.exec(Deno.readTextFileSync("/proc/self/status"))?.[0];
  const before = Deno.build.os === "linux" ? masks() : undefined;
  using _library = new GfortranLibrary();
  assertEquals(Deno.build.os === "linux" ? masks() : undefined, before);
});
