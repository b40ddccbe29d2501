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
/** A value that is written. */
export type Written = number | bigint | boolean | string | ((at: At) => boolean);
/** A statement under way. */
export type At = ReturnType<FortranStubs["BeginClose"]>;

/** Clients and a server of Fortran in one thread: while a client waits, the server serves. */
export class FortranHere implements Disposable {
  readonly served: ServedFortran;
  readonly host: ApiServer;
  readonly f: FortranStubs;
  readonly clientId: number;
  readonly #ends;
  readonly #folder = Deno.makeTempDirSync();

  constructor(options: FortranOptions = {}) {
    this.#ends = oneThread({ portCount: 4, laneCount: 64 });
    this.host = new ApiServer(this.#ends.server);
    this.served = serveFortran(this.host, {
      mapFile: (name) => `${this.#folder}/${name}`,
      ...options,
    });
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

  /** Opens a new file as a unit. */
  open(unit: number, name: string): void {
    const at = this.f.BeginOpenUnit(unit, 0);
    this.f.SetFile(at, name);
    this.f.SetStatus(at, "replace");
    this.f.EndIoStatement(at);
  }

  /** Performs a statement without values. */
  do(name: "BeginClose" | "BeginRewind" | "BeginBackspace" | "BeginEndfile", unit: number): number {
    return this.f.EndIoStatement(this.f[name](unit, 0));
  }

  /** WRITE; an asterisk is the format of a list. Returns where to end it. */
  begin(unit: number, format: string): At {
    return format === "*"
      ? this.f.BeginExternalListOutput(unit, 0)
      : this.f.BeginExternalFormattedOutput(format, unit, 0);
  }

  /** A whole WRITE: doubles, 32-bit integers as bigints, texts, logicals, others by a function. */
  write(unit: number, format: string, ...values: readonly Written[]): void {
    const at = this.begin(unit, format);
    for (const value of values) this.put(at, value);
    this.f.EndIoStatement(at);
  }

  /** Adds a value to a WRITE. */
  put(at: At, value: Written): boolean {
    if (typeof value === "function") return value(at);
    if (typeof value === "string") return this.f.OutputAscii(at, value);
    if (typeof value === "boolean") return this.f.OutputLogical(at, value);
    return typeof value === "bigint"
      ? this.f.OutputInteger32(at, Number(value))
      : this.f.OutputReal64(at, value);
  }

  /**
   * Reads values of a READ by their types, and ends it: `i4`, `r8`, `l`, `z4` (a complex value as its two parts),
   * and `c6`, with the length that it says.
   */
  read(at: At, types: string): unknown[] {
    const { f } = this;
    const all = types.split(" ").map((type) => [type[0]!, Number(type.slice(1))] as const);
    for (const [type, bytes] of all) {
      if (type === "i") f.InputInteger(at, bytes);
      else if (type === "c") f.InputCharacter(at, bytes);
      else if (type === "l") f.InputLogical(at);
      else f[`Input${type === "r" ? "Real" : "Complex"}${bytes === 4 ? 32 : 64}`](at);
    }
    const values = all.flatMap(([type], index): unknown[] => {
      if (type === "i") return [f.GetInteger(at, index)];
      if (type === "l") return [f.GetLogical(at, index)];
      if (type === "r") return [f.GetReal(at, index)];
      if (type === "z") return [f.GetReal(at, index), f.GetImaginary(at, index)];
      return filled((target) => f.GetCharacter(at, index, target));
    });
    assertEquals(f.EndIoStatement(at), 0);
    return values;
  }

  /** What a file has by now. */
  text(name: string): string {
    return Deno.readTextFileSync(`${this.#folder}/${name}`);
  }

  /** Where a file of this object is. */
  path(name: string): string {
    return `${this.#folder}/${name}`;
  }

  /** The IOMSG of a statement, which performs it. */
  message(at: At): string {
    const text = new Uint8Array(200);
    this.f.GetIoMsg(at, text);
    return new TextDecoder().decode(text).trimEnd();
  }

  /** Ends a statement by a handler of every end: its IOMSG and its IOSTAT. */
  ended(at: At): [message: string, iostat: number] {
    this.f.EnableHandlers(at, true, false, false, false, true);
    return [this.message(at), this.f.EndIoStatement(at)];
  }

  /** Opens a scratch file; its unit. */
  scratch(): number {
    const at = this.f.BeginOpenNewUnit(1);
    this.f.SetStatus(at, "SCRATCH ");
    const unit = this.f.GetNewUnit(at);
    this.f.EndIoStatement(at);
    return unit;
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

/** The text that a function fills, and how long it says that it is. */
export function filled(get: (target: Uint8Array) => number): [string, number] {
  const target = new Uint8Array(12);
  const length = get(target);
  return [new TextDecoder().decode(target), length];
}

/** The output of a Fortran program that writes to the file that it is given; without a compiler nothing. */
export function compiledOutput(source: string): string | undefined {
  const folder = Deno.makeTempDirSync();
  try {
    const run = (command: string, ...args: string[]) =>
      new Deno.Command(command, { args, cwd: folder, stdout: "piped", stderr: "piped" })
        .outputSync();
    Deno.writeTextFileSync(`${folder}/program.f90`, source);
    const { success, stderr } = run(
      "gfortran",
      "-O0",
      "-ffree-line-length-none",
      "-fno-range-check",
      "-w",
      "program.f90",
      "-o",
      "program",
    );
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
