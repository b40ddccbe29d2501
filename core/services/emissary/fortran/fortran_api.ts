import {
  bool,
  type Bytes,
  bytes,
  f32,
  f64,
  fn,
  type FunctionSignature,
  handle,
  type HandleKind,
  type HostApi,
  hostApi,
  i16,
  i32,
  i64,
  i8,
  nothing,
  type Parameter,
  type Scalar,
  string,
  type Text,
  u32,
  u64,
  type Void,
} from "../../../signature/mod.ts";

/** A statement that has begun and not ended: flang's cookie. */
export type IoStatementHandle = HandleKind<"IoStatement">;

/** What begins a statement. */
export type FortranBegin<Ps extends readonly Parameter[]> = FunctionSignature<
  Ps,
  IoStatementHandle
>;
/** What adds to a statement; false where it has too much already. */
export type FortranAdd<Ps extends readonly Parameter[]> = FunctionSignature<
  readonly [IoStatementHandle, ...Ps],
  Scalar<"bool">
>;
/** What asks for a value to be read; its number in the statement, -1 where it has too much already. */
export type FortranInput<Ps extends readonly Parameter[]> = FunctionSignature<
  readonly [IoStatementHandle, ...Ps],
  Scalar<"i32">
>;
/** What a variable has before it is read. */
export type FortranKeep<P extends Parameter> = FunctionSignature<
  readonly [IoStatementHandle, Scalar<"u32">, P],
  Void
>;
/** What a statement has given, which performs it. */
export type FortranGet<
  Ps extends readonly Parameter[],
  T extends "i32" | "i64" | "u32" | "f64" | "bool",
> = FunctionSignature<readonly [IoStatementHandle, ...Ps], Scalar<T>>;

/** The functions of {@linkcode fortranApi}. */
export type FortranFunctions = {
  readonly BeginExternalListOutput: FortranBegin<readonly [Scalar<"i32">, Scalar<"i32">]>;
  readonly BeginExternalFormattedOutput: FortranBegin<
    readonly [Text, Scalar<"i32">, Scalar<"i32">]
  >;
  readonly BeginExternalListInput: FortranBegin<readonly [Scalar<"i32">, Scalar<"i32">]>;
  readonly BeginExternalFormattedInput: FortranBegin<readonly [Text, Scalar<"i32">, Scalar<"i32">]>;
  readonly BeginInternalListOutput: FortranBegin<readonly [Scalar<"u32">, Scalar<"i32">]>;
  readonly BeginInternalFormattedOutput: FortranBegin<
    readonly [Scalar<"u32">, Text, Scalar<"i32">]
  >;
  readonly BeginInternalListInput: FortranBegin<readonly [Bytes<"in">, Scalar<"i32">]>;
  readonly BeginInternalFormattedInput: FortranBegin<readonly [Bytes<"in">, Text, Scalar<"i32">]>;
  readonly BeginOpenUnit: FortranBegin<readonly [Scalar<"i32">, Scalar<"i32">]>;
  readonly BeginOpenNewUnit: FortranBegin<readonly [Scalar<"i32">]>;
  readonly BeginClose: FortranBegin<readonly [Scalar<"i32">, Scalar<"i32">]>;
  readonly BeginRewind: FortranBegin<readonly [Scalar<"i32">, Scalar<"i32">]>;
  readonly BeginBackspace: FortranBegin<readonly [Scalar<"i32">, Scalar<"i32">]>;
  readonly BeginEndfile: FortranBegin<readonly [Scalar<"i32">, Scalar<"i32">]>;
  readonly EnableHandlers: FunctionSignature<
    readonly [
      IoStatementHandle,
      Scalar<"bool">,
      Scalar<"bool">,
      Scalar<"bool">,
      Scalar<"bool">,
      Scalar<"bool">,
    ],
    Void
  >;
  readonly SetAdvance: FortranAdd<readonly [Text]>;
  readonly SetFile: FortranAdd<readonly [Text]>;
  readonly SetStatus: FortranAdd<readonly [Text]>;
  readonly SetPosition: FortranAdd<readonly [Text]>;
  readonly SetAction: FortranAdd<readonly [Text]>;
  readonly SetDelim: FortranAdd<readonly [Text]>;
  readonly OutputInteger8: FortranAdd<readonly [Scalar<"i8">]>;
  readonly OutputInteger16: FortranAdd<readonly [Scalar<"i16">]>;
  readonly OutputInteger32: FortranAdd<readonly [Scalar<"i32">]>;
  readonly OutputInteger64: FortranAdd<readonly [Scalar<"i64">]>;
  readonly OutputInteger128: FortranAdd<readonly [Scalar<"u64">, Scalar<"i64">]>;
  readonly OutputReal32: FortranAdd<readonly [Scalar<"f32">]>;
  readonly OutputReal64: FortranAdd<readonly [Scalar<"f64">]>;
  readonly OutputComplex32: FortranAdd<readonly [Scalar<"f32">, Scalar<"f32">]>;
  readonly OutputComplex64: FortranAdd<readonly [Scalar<"f64">, Scalar<"f64">]>;
  readonly OutputLogical: FortranAdd<readonly [Scalar<"bool">]>;
  readonly OutputAscii: FortranAdd<readonly [Text]>;
  readonly OutputCharacter: FortranAdd<readonly [Bytes<"in">]>;
  readonly InputInteger: FortranInput<readonly [Scalar<"i32">]>;
  readonly InputReal32: FortranInput<readonly []>;
  readonly InputReal64: FortranInput<readonly []>;
  readonly InputComplex32: FortranInput<readonly []>;
  readonly InputComplex64: FortranInput<readonly []>;
  readonly InputLogical: FortranInput<readonly []>;
  readonly InputCharacter: FortranInput<readonly [Scalar<"u32">]>;
  readonly KeepInteger: FortranKeep<Scalar<"i64">>;
  readonly KeepReal: FortranKeep<Scalar<"f64">>;
  readonly KeepImaginary: FortranKeep<Scalar<"f64">>;
  readonly KeepLogical: FortranKeep<Scalar<"bool">>;
  readonly KeepCharacter: FortranKeep<Bytes<"in">>;
  readonly GetInteger: FortranGet<readonly [Scalar<"u32">], "i64">;
  readonly GetReal: FortranGet<readonly [Scalar<"u32">], "f64">;
  readonly GetImaginary: FortranGet<readonly [Scalar<"u32">], "f64">;
  readonly GetLogical: FortranGet<readonly [Scalar<"u32">], "bool">;
  readonly GetCharacter: FortranGet<readonly [Scalar<"u32">, Bytes<"out">], "u32">;
  readonly GetInternal: FortranGet<readonly [Bytes<"out">], "u32">;
  readonly GetNewUnit: FortranGet<readonly [], "i32">;
  readonly GetIoMsg: FortranGet<readonly [Bytes<"out">], "u32">;
  readonly EndIoStatement: FortranGet<readonly [], "i32">;
  readonly StopStatement: FunctionSignature<
    readonly [Scalar<"i32">, Scalar<"bool">, Scalar<"bool">],
    Void
  >;
  readonly StopStatementText: FunctionSignature<
    readonly [Text, Scalar<"bool">, Scalar<"bool">],
    Void
  >;
};

const STATEMENT = handle("IoStatement");

function begin<const Ps extends readonly Parameter[]>(...parameters: Ps): FortranBegin<Ps> {
  return fn(parameters, STATEMENT);
}

function add<const Ps extends readonly Parameter[]>(...parameters: Ps): FortranAdd<Ps> {
  return fn([STATEMENT, ...parameters], bool);
}

function input<const Ps extends readonly Parameter[]>(...parameters: Ps): FortranInput<Ps> {
  return fn([STATEMENT, ...parameters], i32);
}

function keep<P extends Parameter>(value: P): FortranKeep<P> {
  return fn([STATEMENT, u32, value], nothing);
}

/**
 * Fortran's READ, WRITE, OPEN, CLOSE and STOP by the runtime functions of LLVM's compiler flang, which a
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
export const fortranApi: HostApi<FortranFunctions> = hostApi("fortran", {
  BeginExternalListOutput: begin(i32, i32),
  BeginExternalFormattedOutput: begin(string, i32, i32),
  BeginExternalListInput: begin(i32, i32),
  BeginExternalFormattedInput: begin(string, i32, i32),
  BeginInternalListOutput: begin(u32, i32),
  BeginInternalFormattedOutput: begin(u32, string, i32),
  BeginInternalListInput: begin(bytes("in"), i32),
  BeginInternalFormattedInput: begin(bytes("in"), string, i32),
  BeginOpenUnit: begin(i32, i32),
  BeginOpenNewUnit: begin(i32),
  BeginClose: begin(i32, i32),
  BeginRewind: begin(i32, i32),
  BeginBackspace: begin(i32, i32),
  BeginEndfile: begin(i32, i32),
  EnableHandlers: fn([STATEMENT, bool, bool, bool, bool, bool], nothing),
  SetAdvance: add(string),
  SetFile: add(string),
  SetStatus: add(string),
  SetPosition: add(string),
  SetAction: add(string),
  SetDelim: add(string),
  OutputInteger8: add(i8),
  OutputInteger16: add(i16),
  OutputInteger32: add(i32),
  OutputInteger64: add(i64),
  OutputInteger128: add(u64, i64),
  OutputReal32: add(f32),
  OutputReal64: add(f64),
  OutputComplex32: add(f32, f32),
  OutputComplex64: add(f64, f64),
  OutputLogical: add(bool),
  OutputAscii: add(string),
  OutputCharacter: add(bytes("in")),
  InputInteger: input(i32),
  InputReal32: input(),
  InputReal64: input(),
  InputComplex32: input(),
  InputComplex64: input(),
  InputLogical: input(),
  InputCharacter: input(u32),
  KeepInteger: keep(i64),
  KeepReal: keep(f64),
  KeepImaginary: keep(f64),
  KeepLogical: keep(bool),
  KeepCharacter: keep(bytes("in")),
  GetInteger: fn([STATEMENT, u32], i64),
  GetReal: fn([STATEMENT, u32], f64),
  GetImaginary: fn([STATEMENT, u32], f64),
  GetLogical: fn([STATEMENT, u32], bool),
  GetCharacter: fn([STATEMENT, u32, bytes("out")], u32),
  GetInternal: fn([STATEMENT, bytes("out")], u32),
  GetNewUnit: fn([STATEMENT], i32),
  GetIoMsg: fn([STATEMENT, bytes("out")], u32),
  EndIoStatement: fn([STATEMENT], i32),
  StopStatement: fn([i32, bool, bool], nothing),
  StopStatementText: fn([string, bool, bool], nothing),
});
