import { assertEquals } from "@std/assert";
import { ApiServer, connectApi, type HostStubs } from "../../../signature/mod.ts";
import { oneThread } from "../../../testing/fixtures/one_thread.ts";
import { Client } from "../../../toggle/client/client.ts";
import type { PortWaiter } from "../../../wait/inbox_waiter.ts";
import { fortranApi, type FortranFunctions } from "./fortran_api.ts";
import { GfortranLibrary } from "./gfortran/gfortran_library.ts";
import { type FortranOptions, type ServedFortran, serveFortran } from "./serve_fortran.ts";

/** Why there is no library here, if there is none. */
const absence = reasonOf(() => new GfortranLibrary()[Symbol.dispose]());

function reasonOf(work: () => void): string | undefined {
  try {
    work();
  } catch (error) {
    // One that is there and is refused has to fail the tests.
    const isAbsent = error instanceof Deno.errors.NotFound ||
      `${error}`.includes("no file of it can be used");
    return isAbsent ? "libgfortran.so.5 is absent" : undefined;
  }
}

/** Whether there is one. */
export const isGfortranHere = absence === undefined;

/** A test that needs libgfortran; where there is none it is skipped, and its name says so. */
export function fortranTest(name: string, test: () => void | Promise<void>): void {
  Deno.test({
    name: absence ? `${name} (skipped: ${absence}, install libgfortran5)` : name,
    ignore: absence !== undefined,
    fn: test,
  });
}

/** As {@linkcode fortranTest}, for a test that compares with programs of gfortran's. */
export function compilerTest(name: string, test: () => void): void {
  const hasCompiler = reasonOf(() => void new Deno.Command("gfortran").outputSync()) === undefined;
  if (hasCompiler) return fortranTest(name, test);
  Deno.test({ name: `${name} (skipped: gfortran is absent)`, ignore: true, fn: test });
}

/** The functions of Fortran as a caller has them. */
export type FortranStubs = HostStubs<FortranFunctions>;
/** A statement under way. */
export type At = ReturnType<FortranStubs["BeginClose"]>;

/** A number in Fortran's source, as literals and bits have it; then all values that {@linkcode FortranHere} writes. */
const NUMBER = String.raw`transfer\(-?\d+_[48], 1\.0_[48]\)|-?\d+(?:\.\d+(?:e-?\d+)?)?(?:_\d+)?`;
const VALUE = new RegExp(
  String.raw`'(?:[^']|'')*'|\.(?:true|false)\.|cmplx\(.*?, kind=[48]\)|${NUMBER}|status|message`,
  "g",
);
const WRITE = /^ *write\((\d+), (\*|wrong|'[^']*')(.*?)\)(?: |$)(.*)$/;

/** How many bytes a number has, what it is, and whether it is an integer. */
function numberOf(source: string): { size: number; value: bigint | number } {
  const [, text, size = "4"] = /(-?\d[\d.e-]*)(?:_(\d+))?/.exec(source)!;
  if (!source.startsWith("transfer")) {
    return { size: Number(size), value: /[.e]/.test(text!) ? Number(text) : BigInt(text!) };
  }
  const bits = BigInt64Array.of(BigInt(text!));
  const [value] = new (size === "4" ? Float32Array : Float64Array)(bits.buffer);
  return { size: Number(size), value: value! };
}

/** Clients and a server of Fortran in one thread: while a client waits, the server serves. */
export class FortranHere implements Disposable {
  readonly served: ServedFortran;
  readonly host: ApiServer;
  readonly f: FortranStubs;
  readonly clientId: number;
  readonly #ends;
  readonly #folder = Deno.makeTempDirSync();
  /** How the last statement ended that {@linkcode run} had end by its own means. */
  #ended: [message: string, iostat: number] = ["", 0];

  constructor(options: FortranOptions = {}) {
    this.#ends = oneThread({ portCount: 4, laneCount: 64 });
    this.host = new ApiServer(this.#ends.server);
    this.served = serveFortran(this.host, { mapFile: (name) => this.path(name), ...options });
    this.clientId = this.#ends.client.id;
    this.f = connectApi(this.#ends.client, fortranApi);
  }

  /** Another client of the same server. */
  other(): FortranStubs {
    const { channel, server } = this.#ends;
    const waiter: PortWaiter = {
      wait: (_index, _foreign, guard) => server.runOnce() || guard.check(),
      waitAsync: () => Promise.resolve(void server.runOnce()),
    };
    return connectApi(new Client(channel, { waiter }), fortranApi);
  }

  /** An OPEN with options by their names, of a unit or of one that the library chooses; not ended. */
  opening(unit: number | "new", options: Readonly<Record<string, string | bigint>>): At {
    const at = unit === "new" ? this.f.BeginOpenNewUnit(1) : this.f.BeginOpenUnit(unit, 1);
    for (const [name, value] of Object.entries(options)) {
      this.f[`Set${name[0]!.toUpperCase()}${name.slice(1)}` as "SetFile"](at, value as string);
    }
    return at;
  }

  /** Opens a new file as a unit. */
  open(unit: number, file: string, options: Readonly<Record<string, string | bigint>> = {}): void {
    assertEquals(this.ended(this.opening(unit, { file, status: "replace", ...options })), ["", 0]);
  }

  /** Opens a scratch file; its unit. */
  scratch(): number {
    const at = this.opening("new", { status: "SCRATCH " });
    const unit = this.f.GetNewUnit(at);
    this.f.EndIoStatement(at);
    return unit;
  }

  /** Performs a statement without values. */
  do(name: "Close" | "Rewind" | "Backspace" | "Endfile", unit: number): number {
    return this.f.EndIoStatement(this.f[`Begin${name}`](unit, 0));
  }

  /** WRITE; an asterisk is the format of a list. Returns where to end it. */
  begin(unit: number, format: string): At {
    return format === "*"
      ? this.f.BeginExternalListOutput(unit, 0)
      : this.f.BeginExternalFormattedOutput(format, unit, 0);
  }

  /** A whole WRITE of values as Fortran's source has them: `42_8, 2.5_4, 'text', .true.`. */
  write(unit: number, format: string, values = ""): void {
    const at = this.begin(unit, format);
    this.put(at, values);
    this.f.EndIoStatement(at);
  }

  /** Adds values to a WRITE, as {@linkcode write} has them. */
  put(at: At, values: string): void {
    for (const [value] of values.matchAll(VALUE)) this.#put(at, value);
  }

  #put(at: At, source: string): boolean {
    const { f } = this;
    if (source === "status") return f.OutputInteger32(at, this.#ended[1]);
    if (source === "message") return f.OutputAscii(at, this.#ended[0]);
    if (source.startsWith(".")) return f.OutputLogical(at, source === ".true.");
    if (source.startsWith("'")) {
      const text = source.slice(1, -1).replaceAll("''", "'");
      // Either function of the two that texts have.
      return text.length % 2 > 0 ? f.OutputAscii(at, text) : f.OutputCharacter(at, encode(text));
    }
    if (source.startsWith("cmplx")) {
      const [left, right] = source.slice(6).match(new RegExp(NUMBER, "g"))!.map(numberOf);
      return f[`OutputComplex${source.endsWith("8)") ? 64 : 32}`](
        at,
        Number(left!.value),
        Number(right!.value),
      );
    }
    const { size, value } = numberOf(source);
    if (typeof value === "number") return f[`OutputReal${size === 4 ? 32 : 64}`](at, value);
    if (size === 16) return f.OutputInteger128(at, BigInt.asUintN(64, value), value >> 64n);
    if (size === 8) return f.OutputInteger64(at, value);
    return f[`OutputInteger${8 * size as 8 | 16 | 32}`](at, Number(value));
  }

  /** Performs a WRITE of Fortran's source, as testdata/reference.f90 has them. */
  run(line: string): void {
    const [, unit, control, options, values] = WRITE.exec(line)!;
    const format = control === "wrong" ? "(Q7)" : control!.replaceAll(/^'|'$/g, "");
    const at = this.begin(Number(unit), format);
    if (options!.includes("advance")) this.f.SetAdvance(at, "no");
    this.put(at, values!);
    if (options!.includes("iostat")) this.#ended = this.ended(at);
    else this.f.EndIoStatement(at);
  }

  /** Asks for a value of a READ: `i4`, `r8`, `l`, `z4` (of two such reals) and `c6`, with its length. */
  ask(at: At, type: string): number {
    const { f } = this;
    const sizeBytes = Number(type.slice(1));
    if (type.startsWith("i")) return f.InputInteger(at, sizeBytes);
    if (type.startsWith("c")) return f.InputCharacter(at, sizeBytes);
    if (type.startsWith("l")) return f.InputLogical(at);
    return f[`Input${type.startsWith("r") ? "Real" : "Complex"}${sizeBytes === 4 ? 32 : 64}`](at);
  }

  /** What a value of a READ is, by the type that it was asked for by. */
  get(at: At, index: number, type: string): readonly unknown[] {
    const { f } = this;
    if (type.startsWith("i")) return [f.GetInteger(at, index)];
    if (type.startsWith("l")) return [f.GetLogical(at, index)];
    if (type.startsWith("r")) return [f.GetReal(at, index)];
    if (type.startsWith("z")) return [f.GetReal(at, index), f.GetImaginary(at, index)];
    return filled((target) => f.GetCharacter(at, index, target));
  }

  /** Reads values of a READ by their types, and ends it. */
  read(at: At, types: string): unknown[] {
    const all = types.split(" ");
    for (const type of all) this.ask(at, type);
    const values = all.flatMap((type, index) => this.get(at, index, type));
    assertEquals(this.f.EndIoStatement(at), 0);
    return values;
  }

  /** A READ of a list in memory, with its values asked for; not ended. */
  reading(list: string, types: string): At {
    const at = this.f.BeginInternalListInput(encode(list), 1);
    for (const type of types.split(" ")) this.ask(at, type);
    return at;
  }

  /** What a file has by now. */
  text(name: string): string {
    return Deno.readTextFileSync(this.path(name));
  }

  /** Where a file of this object is. */
  path(name: string): string {
    return `${this.#folder}/${name}`;
  }

  /** Says which ends of a statement are dealt with: `iostat err end eor`. */
  handle(at: At, names: string): At {
    const has = (name: string) => names.includes(name);
    this.f.EnableHandlers(at, has("iostat"), has("err"), has("end"), has("eor"), true);
    return at;
  }

  /** Ends a statement by a handler of every end: its IOMSG and its IOSTAT. */
  ended(at: At): [message: string, iostat: number] {
    this.handle(at, "iostat");
    const message = new Uint8Array(200);
    this.f.GetIoMsg(at, message);
    return [new TextDecoder().decode(message).trimEnd(), this.f.EndIoStatement(at)];
  }

  /** For a test that ends serving by itself. */
  remove(): void {
    Deno.removeSync(this.#folder, { recursive: true });
  }

  [Symbol.dispose](): void {
    this.served[Symbol.dispose]();
    this.remove();
  }
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text that a function fills, and how long it says that it is. */
export function filled(get: (target: Uint8Array) => number): [string, number] {
  const target = new Uint8Array(12);
  const length = get(target);
  return [new TextDecoder().decode(target), length];
}

const FLAGS = ["-O0", "-ffree-line-length-none", "-fno-range-check", "-w"];

/** The output of a Fortran program that writes to the file that it is given; without a compiler nothing. */
export function compiledOutput(source: string): string | undefined {
  const folder = Deno.makeTempDirSync();
  try {
    const run = (command: string, ...args: string[]) =>
      new Deno.Command(command, { args, cwd: folder, stdout: "piped", stderr: "piped" })
        .outputSync();
    Deno.writeTextFileSync(`${folder}/program.f90`, source);
    const { success, stderr } = run("gfortran", ...FLAGS, "program.f90", "-o", "program");
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    run(`${folder}/program`, "out.txt");
    return Deno.readTextFileSync(`${folder}/out.txt`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** As {@linkcode compiledOutput}, of a program that has unit 10 open. */
export function compiledLines(
  lines: readonly string[],
  declarations: readonly string[] = [],
): readonly string[] {
  const begin = ["program statements", ...declarations, "character(200) :: path"];
  const open = "call get_command_argument(1, path); open(10, file=trim(path), status='replace')";
  return compiledOutput([...begin, open, ...lines, "end program"].join("\n"))!.split("\n");
}
