import { assertEquals, assertThrows } from "@std/assert";
import { checkGfortran, GfortranLibrary, type GfortranSymbols } from "./gfortran_library.ts";
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

/** A library of which one function does something else. */
function changed(
  symbols: GfortranSymbols,
  name: keyof GfortranSymbols,
  change: (block: Uint8Array, call: (block: Uint8Array) => void) => void,
): GfortranSymbols {
  const call = symbols[name] as unknown as (block: Uint8Array) => void;
  return { ...symbols, [name]: (block: Uint8Array) => change(block, call) };
}

/** As a library that looks for a field elsewhere would find nothing there. */
function without(byte: number, countBytes: number) {
  return (block: Uint8Array, call: (block: Uint8Array) => void) => {
    block.fill(0, byte, byte + countBytes);
    call(block);
  };
}

const WRONG: readonly (readonly [
  what: string,
  name: keyof GfortranSymbols,
  change: (block: Uint8Array, call: (block: Uint8Array) => void) => void,
])[] = [
  ["a list", "_gfortran_transfer_integer_write", () => {}],
  ["a list", "_gfortran_st_write", without(120, 8)], // a text in memory without a length
  ["a format", "_gfortran_transfer_logical_write", () => {}],
  ["values", "_gfortran_transfer_real", () => {}],
  ["values", "_gfortran_transfer_integer", () => {}],
  ["an error", "_gfortran_st_read", without(24, 8)], // no room for its message
  ["an OPEN", "_gfortran_st_open", () => {}],
  ["an OPEN", "_gfortran_st_open", without(80, 8)], // a status without a length
  ["a wrong CLOSE", "_gfortran_st_close", () => {}],
  ["a CLOSE", "_gfortran_st_close", without(56, 8)],
  ["an open unit", "_gfortran_st_inquire", () => {}],
];

fortranTest("checkGfortran() refuses a library that takes statements in another way", () => {
  using library = new GfortranLibrary();
  for (const [what, name, change] of WRONG) {
    const other = changed(library.symbols, name, change);
    assertThrows(
      () => checkGfortran(other),
      Error,
      `Cannot use libgfortran as ${what} must come out as`,
      `${name}: ${what}`,
    );
  }
  checkGfortran(library.symbols);
});
