import type { HostFunctions } from "../../../signature/mod.ts";
import type { FortranFunctions } from "./fortran_api.ts";
import type { FortranHost } from "./fortran_host.ts";
import type { IoStatement } from "./io_statement.ts";
import {
  checkIntegerBytes,
  integerBytes,
  integerOf,
  logicalBytes,
  realBytes,
  realOf,
  wideBytes,
} from "./gfortran/item_values.ts";
import type { TextName } from "./gfortran/parameter_block.ts";
import type { Item, ItemType, StatementForm } from "./gfortran/perform_statement.ts";

const BLANK = 0x20;

type Texts = Partial<Record<TextName, string | Uint8Array | number>>;

/** The functions whose names begin so. */
type Named<Prefix extends string> = Pick<
  HostFunctions<FortranFunctions>,
  Extract<keyof FortranFunctions, `${Prefix}${string}`>
>;

/** What flang's functions do with the statements of a host. */
export function fortranFunctions(host: FortranHost): HostFunctions<FortranFunctions> {
  return {
    ...beginnings(host),
    ...options(host),
    ...outputs(host),
    ...inputs(host),
    ...kept(host),
    ...results(host),
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
  };
}

function outputs(host: FortranHost): Named<"Output"> {
  const put = (at: IoStatement, type: ItemType, bytes: Uint8Array<ArrayBuffer>) =>
    host.own(at).add(type, bytes) >= 0;
  return {
    OutputInteger8: (at, value) => put(at, "integer", integerBytes(BigInt(value), 1)),
    OutputInteger16: (at, value) => put(at, "integer", integerBytes(BigInt(value), 2)),
    OutputInteger32: (at, value) => put(at, "integer", integerBytes(BigInt(value), 4)),
    OutputInteger64: (at, value) => put(at, "integer", integerBytes(value, 8)),
    OutputInteger128: (at, low, high) => put(at, "integer", wideBytes(low, high)),
    OutputReal32: (at, value) => put(at, "real", realBytes(4, value)),
    OutputReal64: (at, value) => put(at, "real", realBytes(8, value)),
    OutputComplex32: (at, real, imaginary) => put(at, "complex", realBytes(4, real, imaginary)),
    OutputComplex64: (at, real, imaginary) => put(at, "complex", realBytes(8, real, imaginary)),
    OutputLogical: (at, value) => put(at, "logical", logicalBytes(value)),
    OutputAscii: (at, text) => put(at, "character", encode(text)),
    OutputCharacter: (at, text) => put(at, "character", new Uint8Array(text)),
  };
}

function inputs(host: FortranHost): Named<"Input"> {
  const ask = (at: IoStatement, type: ItemType, countBytes: number) =>
    host.own(at).add(type, countBytes);
  return {
    InputInteger: (at, countBytes) => ask(at, "integer", checkIntegerBytes(countBytes)),
    InputReal32: (at) => ask(at, "real", 4),
    InputReal64: (at) => ask(at, "real", 8),
    InputComplex32: (at) => ask(at, "complex", 8),
    InputComplex64: (at) => ask(at, "complex", 16),
    InputLogical: (at) => ask(at, "logical", 4),
    InputCharacter: (at, countBytes) => ask(at, "character", countBytes),
  };
}

/** What is read into has a value before: null values leave it as it is. */
function kept(host: FortranHost): Named<"Keep"> {
  const item = (at: IoStatement, index: number, types: readonly ItemType[]) => {
    const kept = itemOf(host.own(at).unread, index, types);
    at.keep(kept);
    return kept;
  };
  const keepReal = ({ type, bytes }: Item, part: 0 | 1, value: number) => {
    const countBytes = type === "complex" ? bytes.length / 2 : bytes.length;
    bytes.set(realBytes(countBytes as 4 | 8, value), part * countBytes);
  };
  return {
    KeepInteger: (at, index, value) => keepInteger(item(at, index, ["integer"]), value),
    KeepReal: (at, index, value) => keepReal(item(at, index, ["real", "complex"]), 0, value),
    KeepImaginary: (at, index, value) => keepReal(item(at, index, ["complex"]), 1, value),
    KeepLogical: (at, index, value) => item(at, index, ["logical"]).bytes.set(logicalBytes(value)),
    KeepCharacter: (at, index, text) => void fill(item(at, index, ["character"]).bytes, text),
  };
}

function keepInteger({ bytes }: Item, value: bigint): void {
  const countBytes = bytes.length as 1 | 2 | 4 | 8;
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
