import type { ApiServer, HostFunctions } from "../../../signature/mod.ts";
import { checkChoice, checkOptionNames } from "../../../text/nearest.ts";
import type { LibrarySource } from "../../library/serve_library.ts";
import { fortranApi, type FortranFunctions } from "./fortran_api.ts";
import { type FortranAfterStop, FortranHost, type FortranStopReport } from "./fortran_host.ts";
import { GfortranLibrary } from "./gfortran/gfortran_library.ts";
import type { IoStatement } from "./io_statement.ts";
import {
  checkIntegerBytes,
  CODECS,
  integerBytes,
  integerOf,
  type Item,
  type ItemType,
  realBytes,
  realOf,
} from "./gfortran/item.ts";
import {
  INQUIRED_TEXTS,
  type InquiredNumber,
  type InquiredText,
  type StatementForm,
  type TextName,
} from "./gfortran/perform_statement.ts";

/** How Fortran's statements are served. */
export interface FortranOptions {
  /** Where libgfortran is; the names of version 5 when absent. */
  readonly library?: LibrarySource;
  /**
   * The path of a file by the name that an OPEN has; `undefined`, or a throw that says why, for one that may not be
   * opened. Absent: no file is opened but scratch ones.
   */
  readonly mapFile?: (name: string) => string | undefined;
  /**
   * Told of a STOP; what it throws fails the call. Nothing ends the server.
   */
  readonly onStop?: (report: FortranStopReport) => void;
  /**
   * What becomes of calls that the client makes later: `"refuse"` when absent, which drops what it has
   * under way; `"ignore"` answers them without doing anything, for a host that ends the client anyway.
   */
  readonly afterStop?: FortranAfterStop;
  /** Statements of one client that may be under way; 32 768 when absent. The oldest is dropped. */
  readonly statementsMax?: number;
  /** Values of one statement; 65 536 when absent. */
  readonly itemsMax?: number;
  /**
   * Bytes of the values, the format and the options of one statement; 1 MiB when absent. A format may
   * fill or pass over 64 times as many characters.
   */
  readonly bytesMax?: number;
}

const OPTIONS = [
  ...["library", "mapFile", "onStop", "afterStop"],
  ...["statementsMax", "itemsMax", "bytesMax"],
];

/** Fortran's statements as a server has them; when disposed of, it serves no longer, and closes what was opened. */
export interface ServedFortran extends Disposable {
  /** How many statements have begun and not ended, of all clients. */
  readonly statementCount: number;
  /**
   * Drops what a client that has gone left behind: statements, which are not performed, and that it
   * stopped.
   *
   * @param clientId the client's `id`
   * @returns how many statements that were
   */
  drop(clientId: number): number;
}

/**
 * Serves Fortran's input and output by GCC's runtime library, libgfortran 5: what is written is byte for
 * byte what a program compiled by gfortran writes. Needs Deno, `--allow-ffi`, and a machine of 64 bits.
 *
 * Units are those of the process: 0, 5 and 6 for standard error, input and output, scratch files, and
 * what {@linkcode FortranOptions.mapFile} lets be opened. A READ of standard input holds up its server.
 *
 * @throws {Error} when the library is absent, or is laid out in another way than is known here
 * @throws {RangeError} when a limit is no positive integer, or the server has functions of these names
 *
 * @example
 * ```ts
 * import { Channel, Client, Server } from "../../../mod.ts";
 * import { ApiServer, connectApi } from "../../../signature/mod.ts";
 * import { fortranApi } from "./fortran_api.ts";
 * import { serveFortran } from "./serve_fortran.ts";
 * const channel = Channel.create({ portCount: 4, laneCount: 1 });
 * const server = new Server(channel);
 * try {
 *   using _fortran = serveFortran(new ApiServer(server));
 *   const served = server.runAsync();
 *   const f = connectApi(new Client(channel), fortranApi);
 *   const write = await f.BeginInternalFormattedOutput.async(12, "(I4,F8.3)", 1);
 *   await f.OutputInteger32.async(write, 42);
 *   await f.OutputReal64.async(write, 2.5);
 *   const text = new Uint8Array(12);
 *   await f.GetInternal.async(write, text);
 *   await f.EndIoStatement.async(write);
 *   if (new TextDecoder().decode(text) !== "  42   2.500") throw new Error("twelve characters");
 *   channel.shutDown();
 *   await served;
 * } catch (error) {
 *   if (!`${error}`.includes("libgfortran5")) throw error; // not installed
 * }
 * ```
 */
export function serveFortran(server: ApiServer, options: FortranOptions = {}): ServedFortran {
  checkOptionNames("serve Fortran", options, OPTIONS);
  const { mapFile, onStop = () => {}, afterStop = "refuse" } = options;
  checkChoice("serve Fortran", { afterStop }, ["refuse", "ignore"]);
  const { statementsMax = 1 << 15, itemsMax = 1 << 16, bytesMax = 1 << 20 } = options;
  for (const [name, value] of Object.entries({ statementsMax, itemsMax, bytesMax })) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new RangeError(
      `Cannot serve Fortran as ${name} must be a positive integer: current value is ${value}`,
    );
  }
  using stack = new DisposableStack();
  const library = stack.use(new GfortranLibrary(options.library));
  const limits = { statementsMax, itemsMax, bytesMax };
  const told = { mapFile, onStop, afterStop };
  const host = stack.use(new FortranHost(server, library.symbols, { ...limits, ...told }));
  stack.use(server.serve(fortranApi, fortranFunctions(host)));
  const kept = stack.move(); // which disposes of each once
  return {
    get statementCount() {
      return host.statementCount;
    },
    drop: (clientId) => host.drop(clientId),
    [Symbol.dispose]: () => kept.dispose(),
  };
}

const BLANK = 0x20;

type Texts = Partial<Record<TextName, string | Uint8Array | number>>;

/** The functions whose names begin so. */
type Named<Prefix extends string> = Pick<
  HostFunctions<FortranFunctions>,
  Extract<keyof FortranFunctions, `${Prefix}${string}`>
>;

/** What flang's functions do with the statements of a host. */
function fortranFunctions(host: FortranHost): HostFunctions<FortranFunctions> {
  return {
    ...beginnings(host),
    ...options(host),
    ...outputs(host),
    ...inputs(host),
    ...kept(host),
    ...results(host),
    ...inquiries(host),
    EnableHandlers: (statement: IoStatement, hasIoStat, hasErr, hasEnd, hasEor) =>
      host.own(statement).enableHandlers({ hasIoStat, hasErr, hasEnd, hasEor }),
    EndIoStatement: (statement: IoStatement) => host.end(statement),
    StopStatement: (code, isErrorStop, isQuiet) =>
      host.stop(isErrorStop, { exitCode: code, text: `${code}`, isQuiet }),
    StopStatementText: (text, isErrorStop, isQuiet) =>
      host.stop(isErrorStop, { exitCode: isErrorStop ? 1 : 0, text, isQuiet }),
  };
}

function beginnings(host: FortranHost): Named<"Begin"> {
  const begin = (form: StatementForm, texts: Texts = {}) => (line: number, unit?: number) =>
    beginStatement(host.begin({ form, unit, line }), texts);
  const on = (form: StatementForm) => (unit: number, line: number) => begin(form)(line, unit);
  return {
    BeginExternalListOutput: on("write"),
    BeginExternalFormattedOutput: (format, unit, line) => begin("write", { format })(line, unit),
    BeginExternalListInput: on("read"),
    BeginExternalFormattedInput: (format, unit, line) => begin("read", { format })(line, unit),
    BeginInternalListOutput: (internal, line) => begin("write", { internal })(line),
    BeginInternalFormattedOutput: (internal, format, line) =>
      begin("write", { internal, format })(line),
    BeginInternalListInput: (internal, line) => begin("read", { internal })(line),
    BeginInternalFormattedInput: (internal, format, line) =>
      begin("read", { internal, format })(line),
    BeginOpenUnit: on("open"),
    BeginOpenNewUnit: (line) => begin("open")(line),
    BeginClose: on("close"),
    BeginRewind: on("rewind"),
    BeginBackspace: on("backspace"),
    BeginEndfile: on("endfile"),
    BeginUnformattedOutput: (unit, line) =>
      host.begin({ form: "write", unit, line, isUnformatted: true }),
    BeginUnformattedInput: (unit, line) =>
      host.begin({ form: "read", unit, line, isUnformatted: true }),
    BeginInquireUnit: on("inquire"),
    BeginInquireFile: (file, line) => begin("inquire", { file })(line),
  };
}

function options(host: FortranHost): Named<"Set"> {
  const set = (name: TextName) => (statement: IoStatement, text: string) =>
    host.own(statement).setText(name, encode(text));
  return {
    SetAdvance: set("advance"),
    SetFile: set("file"),
    SetStatus: set("status"),
    SetPosition: set("position"),
    SetAction: set("action"),
    SetDelim: set("delim"),
    SetAccess: set("access"),
    SetForm: set("form"),
    SetRec: (statement: IoStatement, value) => host.own(statement).setRecord("rec", value),
    SetRecl: (statement: IoStatement, value) => host.own(statement).setRecord("recl", value),
  };
}

/** The functions for each type, by what comes before its name. */
function byType<Work>(prefix: string, work: (codec: typeof CODECS["Real32"]) => Work) {
  const entries = Object.entries(CODECS).map((
    [name, codec],
  ) => [`${prefix}${name}`, work(codec as never)]);
  return Object.fromEntries(entries);
}

function outputs(host: FortranHost): Named<"Output"> {
  const put = (at: IoStatement, type: ItemType, bytes: Uint8Array<ArrayBuffer>) =>
    host.own(at).add(type, bytes) >= 0;
  return {
    ...byType(
      "Output",
      ({ type, bytesOf }) => (at: IoStatement, ...values: number[]) =>
        put(at, type, bytesOf(...values)),
    ) as Named<"Output">,
    OutputInteger128: (at, low, high) => put(at, "integer", integerBytes(high << 64n | low, 16)),
    OutputAscii: (at, text) => put(at, "character", encode(text)),
    OutputCharacter: (at, text) => put(at, "character", new Uint8Array(text)),
  };
}

function inputs(host: FortranHost): Named<"Input"> {
  const ask = (at: IoStatement, type: ItemType, countBytes: number) =>
    host.own(at).add(type, countBytes);
  return {
    ...byType(
      "Input",
      ({ type, sizeBytes }) => (at: IoStatement) => ask(at, type, sizeBytes),
    ) as Named<"Input">,
    InputInteger: (at, countBytes) => ask(at, "integer", checkIntegerBytes(countBytes)),
    InputCharacter: (at, countBytes) => ask(at, "character", countBytes),
  };
}

/** What is read into has a value before: null values leave it as it is. */
function kept(host: FortranHost): Named<"Keep"> {
  const item = (at: IoStatement, index: number, types: readonly ItemType[]) => {
    const kept = itemOf(host.own(at).unread, index, types);
    at.keep(kept);
    return kept.bytes;
  };
  const keepReal = (at: IoStatement, index: number, part: 0 | 1, value: number) => {
    const isComplex = host.own(at).unread[index]?.type === "complex";
    const bytes = item(at, index, part === 0 ? ["real", "complex"] : ["complex"]);
    const countBytes = isComplex ? bytes.length / 2 : bytes.length;
    bytes.set(realBytes(countBytes, value), part * countBytes);
  };
  return {
    KeepInteger: (at, index, value) => keepInteger(item(at, index, ["integer"]), value),
    KeepReal: (at, index, value) => keepReal(at, index, 0, value),
    KeepImaginary: (at, index, value) => keepReal(at, index, 1, value),
    KeepLogical: (at, index, value) =>
      item(at, index, ["logical"]).set(CODECS.Logical.bytesOf(value)),
    KeepCharacter: (at, index, text) => void fill(item(at, index, ["character"]), text),
  };
}

function keepInteger(bytes: Uint8Array, value: bigint): void {
  const countBytes = bytes.length;
  if (BigInt.asIntN(8 * countBytes, value) !== value) {
    throw new RangeError(
      `Cannot keep an integer as it must fit ${countBytes} bytes: current value is ${value}`,
    );
  }
  bytes.set(integerBytes(value, countBytes));
}

function results(host: FortranHost): Named<"Get"> {
  const item = (at: IoStatement, index: number, types: readonly ItemType[]) => {
    host.value(at);
    const found = itemOf(at.items, index, types);
    if (!at.isNull(found)) return found;
    const name = `${found.type[0]!.toUpperCase()}${found.type.slice(1)}`;
    throw new TypeError(
      `Cannot get value ${index} as the list has none for it, and Fortran leaves the variable as it was: say what that is by Keep${
        found.type === "complex" ? "Real and KeepImaginary" : name
      }, before the first result`,
    );
  };
  return {
    GetInteger: (at, index) => integerOf(item(at, index, ["integer"])),
    GetReal: (at, index) => realOf(item(at, index, ["real", "complex"]), 0),
    GetImaginary: (at, index) => realOf(item(at, index, ["complex"]), 1),
    GetLogical: (at, index) => integerOf(item(at, index, ["logical"])) !== 0n,
    GetCharacter: (at, index, target) => fill(target, item(at, index, ["character"]).bytes),
    GetInternal: (at, target) => fill(target, host.value(at).internal ?? new Uint8Array()),
    GetNewUnit: (at) => host.value(at).newUnit,
    GetIoMsg: (at, target) => fill(target, encode(host.perform(at).iomsg)),
  };
}

/** What an INQUIRE answers by numbers and truth values. */
const INQUIRED_LOGICALS: readonly string[] = ["exist", "opened", "named"];
const INQUIRED_INTEGERS: readonly string[] = ["number", "nextrec", "recl"];

function inquiries(host: FortranHost): Named<"Inquire"> {
  const find = (at: IoStatement, asked: string, names: readonly string[]) => {
    const { inquiry } = host.value(at);
    const name = asked.trim().toLowerCase();
    if (inquiry && names.includes(name)) return { inquiry, name };
    throw new RangeError(
      `Cannot ask for ${asked} as the statement must be an INQUIRE, and it one of ${
        names.join(", ").toUpperCase()
      }: the statement is ${at.form}`,
    );
  };
  const number = (at: IoStatement, asked: string, names: readonly string[]) => {
    const { inquiry, name } = find(at, asked, names);
    return inquiry.number(name as InquiredNumber);
  };
  return {
    InquireLogical: (at, name) => number(at, name, INQUIRED_LOGICALS) !== 0,
    InquireInteger64: (at, name) => BigInt(number(at, name, INQUIRED_INTEGERS)),
    InquireCharacter: (at, asked, target) => {
      const { inquiry, name } = find(at, asked, [...INQUIRED_TEXTS.keys()]);
      const text = new TextDecoder().decode(inquiry.text(name as InquiredText)).trimEnd();
      return fill(target, encode(text));
    },
  };
}

function beginStatement(statement: IoStatement, texts: Texts): IoStatement {
  for (const [name, text] of Object.entries(texts)) {
    const bytes = typeof text === "string" ? encode(text) : text;
    // What is too long is refused when the statement is performed.
    statement.setText(name as TextName, typeof bytes === "number" ? bytes : new Uint8Array(bytes));
  }
  return statement;
}

function itemOf(items: readonly Item[], index: number, types: readonly ItemType[]): Item {
  const item = items[index];
  if (item && types.includes(item.type)) return item;
  throw new RangeError(
    `Cannot use value ${index} of a statement as it must be ${
      types.join(" or ")
    }: current value is ${item?.type ?? "none"}`,
  );
}

/** Copies what fits, and fills the rest with blanks; how long the text is. */
function fill(target: Uint8Array, text: Uint8Array): number {
  target.fill(BLANK);
  target.set(text.subarray(0, target.length));
  return text.length;
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
