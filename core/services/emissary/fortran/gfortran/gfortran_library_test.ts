import { assertEquals, assertThrows } from "@std/assert";
import { checkGfortran, GfortranLibrary } from "./gfortran_library.ts";
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

type Block = (block: Uint8Array) => void;
/** What a library does instead of one function. */
type Change = (block: Uint8Array, call: Block) => void;

/** As a library that looks for a field elsewhere would find nothing there. */
function without(byte: number, countBytes: number): Change {
  return (block, call) => call(block.fill(0, byte, byte + countBytes));
}

const WRONG: readonly (readonly [what: string, name: string, change?: Change])[] = [
  ["a list", "transfer_integer_write"],
  ["a list", "st_write", without(120, 8)], // a text in memory without a length
  ["a format", "transfer_logical_write"],
  ["values", "transfer_real"],
  ["values", "transfer_integer"],
  ["an error", "st_read", without(24, 8)], // no room for its message
  ["an OPEN", "st_open"],
  ["an OPEN", "st_open", without(80, 8)], // a status without a length
  ["a wrong CLOSE", "st_close"],
  ["a CLOSE", "st_close", without(56, 8)],
  ["an open unit", "st_inquire"],
];

fortranTest("checkGfortran() refuses a library that takes statements in another way", () => {
  using library = new GfortranLibrary();
  for (const [what, shortName, change = () => {}] of WRONG) {
    const name = `_gfortran_${shortName}` as "_gfortran_st_write";
    const call = library.symbols[name] as unknown as Block;
    const other = {
      ...library.symbols,
      [name]: (block: unknown) => change(block as Uint8Array, call),
    };
    const text = `Cannot use libgfortran as ${what} must come out as`;
    assertThrows(() => checkGfortran(other), Error, text, `${name}: ${what}`);
  }
  checkGfortran(library.symbols);
});
