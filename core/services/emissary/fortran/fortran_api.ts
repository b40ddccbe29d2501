import type { HostApi } from "../../../signature/mod.ts";
import type { Bytes, Fns, HandleKind } from "../../../signature/declaration_types.ts";
import * as s from "../../../signature/mod.ts";

/** What the words in `FORTRAN_LINES` stand for, beside scalars and texts. */
export type FortranKinds = {
  /** A statement that has begun and not ended: flang's cookie. */
  readonly Statement: HandleKind<"IoStatement">;
  readonly in: Bytes<"in">;
  readonly out: Bytes<"out">;
};

const KINDS: FortranKinds = {
  Statement: s.handle("IoStatement"),
  in: s.bytes("in"),
  out: s.bytes("out"),
};

/** The functions of {@linkcode fortranApi}, as `fns` takes them. */
export const FORTRAN_LINES = [
  // What begins a statement.
  "BeginExternalListOutput: i32 i32 -> Statement",
  "BeginExternalFormattedOutput: string i32 i32 -> Statement",
  "BeginExternalListInput: i32 i32 -> Statement",
  "BeginExternalFormattedInput: string i32 i32 -> Statement",
  "BeginInternalListOutput: u32 i32 -> Statement",
  "BeginInternalFormattedOutput: u32 string i32 -> Statement",
  "BeginInternalListInput: in i32 -> Statement",
  "BeginInternalFormattedInput: in string i32 -> Statement",
  "BeginOpenUnit: i32 i32 -> Statement",
  "BeginOpenNewUnit: i32 -> Statement",
  "BeginClose BeginRewind BeginBackspace BeginEndfile: i32 i32 -> Statement",
  "BeginUnformattedOutput BeginUnformattedInput BeginInquireUnit: i32 i32 -> Statement",
  "BeginInquireFile: string i32 -> Statement",
  "EnableHandlers: Statement bool bool bool bool bool -> nothing",

  // What adds to a statement; false where it has too much already.
  "SetAdvance SetFile SetStatus SetPosition SetAction SetDelim: Statement string -> bool",
  "SetAccess SetForm: Statement string -> bool",
  "SetRec SetRecl: Statement i64 -> bool",
  "OutputInteger8: Statement i8 -> bool",
  "OutputInteger16: Statement i16 -> bool",
  "OutputInteger32: Statement i32 -> bool",
  "OutputInteger64: Statement i64 -> bool",
  "OutputInteger128: Statement u64 i64 -> bool",
  "OutputReal32: Statement f32 -> bool",
  "OutputReal64: Statement f64 -> bool",
  "OutputComplex32: Statement f32 f32 -> bool",
  "OutputComplex64: Statement f64 f64 -> bool",
  "OutputLogical: Statement bool -> bool",
  "OutputAscii: Statement string -> bool",
  "OutputCharacter: Statement in -> bool",

  // What asks for a value to be read; its number in the statement, -1 where it has too much already.
  "InputInteger: Statement i32 -> i32",
  "InputReal32 InputReal64 InputComplex32 InputComplex64 InputLogical: Statement -> i32",
  "InputCharacter: Statement u32 -> i32",

  // What a variable has before it is read.
  "KeepInteger: Statement u32 i64 -> nothing",
  "KeepReal KeepImaginary: Statement u32 f64 -> nothing",
  "KeepLogical: Statement u32 bool -> nothing",
  "KeepCharacter: Statement u32 in -> nothing",

  // What a statement has given, which performs it.
  "GetInteger: Statement u32 -> i64",
  "GetReal GetImaginary: Statement u32 -> f64",
  "GetLogical: Statement u32 -> bool",
  "GetCharacter: Statement u32 out -> u32",
  "GetInternal GetIoMsg: Statement out -> u32",
  "GetNewUnit EndIoStatement: Statement -> i32",

  // What an INQUIRE answers, by the names of Fortran: EXIST, RECL, ACCESS.
  "InquireLogical: Statement string -> bool",
  "InquireInteger64: Statement string -> i64",
  "InquireCharacter: Statement string out -> u32",

  "StopStatement: i32 bool bool -> nothing",
  "StopStatementText: string bool bool -> nothing",
] as const;

/** The functions of {@linkcode fortranApi}. */
export type FortranFunctions = Fns<typeof FORTRAN_LINES[number], FortranKinds>;

/**
 * Fortran's READ, WRITE, OPEN, CLOSE, INQUIRE and STOP by the runtime functions of LLVM's compiler flang, which a
 * compiled statement calls one after the other: `Begin...`, its options and values, `EndIoStatement`.
 *
 * Two things differ from flang. A statement is recorded, and performed as a whole when it ends, so that
 * statements of many lanes may be under way at once; what a READ is to bring is asked for by `Input...`
 * and had by `Get...`, which performs the statement, and so does `GetIoMsg`. In the place of a source
 * file and a line, the last parameter of `Begin...`, there is the line alone.
 *
 * What a READ gives no value stays as it was: behind an error, behind the end, and where a list has a null
 * value, as in `1,,3` and `1/`. `Keep...` says, before the statement is performed, what it was. Else the
 * `Get...` of a null value fails; behind an error, and for values below 4 bytes, it is 0, false, or blanks.
 *
 * `EndIoStatement` returns Fortran's IOSTAT: 0, above 0 an error, -1 at the end of a file, -2 at the end
 * of a record. Without `EnableHandlers(statement, hasIoStat, hasErr, hasEnd, hasEor, hasIoMsg)` an error
 * fails the call that performs the statement.
 *
 * Source: llvm-project, `flang/include/flang/Runtime/io-api.h` and `stop.h`.
 */
export const fortranApi: HostApi<FortranFunctions> = s.hostApi(
  "fortran",
  s.fns(KINDS, ...FORTRAN_LINES),
);
