import { innerKind } from "../../signature/declare/kind.ts";
import { functionsOf } from "../../signature/declare/signature.ts";
import type {
  ApiFunction,
  FunctionSignature,
  Parameter,
  Result,
} from "../../signature/declaration_types.ts";
import * as s from "../../signature/mod.ts";
import type { LibraryFiles } from "./foreign_library.ts";
import { withAddresses } from "./foreign_values.ts";
import { handleStruct, mapHandles } from "../../signature/server/struct_handles.ts";

/**
 * An API as it crosses to the process of a library: what is behind a handle is an address there, and a callback
 * is a number by which the process calls back.
 */
export function wireApi(api: s.HostApi): s.HostApi {
  const functions = functionsOf(api).map(([key, { signature }]) =>
    [key, wired(signature)] as const
  );
  return s.hostApi(api.name, Object.fromEntries(functions));
}

function wired({ parameters, result, failsWith, meaningOf }: FunctionSignature): FunctionSignature {
  const isHandle = innerKind(result).kind === "handle";
  const failure = failsWith === undefined || !isHandle ? failsWith : BigInt(failsWith ?? 0);
  return s.fn(parameters.map(wiredKind) as Parameter[], wiredKind(result) as Result, {
    ...(failure !== undefined && { failsWith: failure }),
    ...(meaningOf && { meaningOf }),
  });
}

function wiredKind(kind: Parameter | Result): Parameter | Result {
  const inner = innerKind(kind);
  if (inner.kind === "handle") return s.u64;
  if (inner.kind === "callback") return s.u32;
  const struct = handleStruct(kind);
  if (!struct) return kind;
  const made = withAddresses(struct);
  if (inner.kind !== "reference") return made;
  const reference = s.pointer(inner.direction, made);
  return kind.kind === "nullable" ? s.nullable(reference) : reference;
}

/** What becomes of addresses and callbacks on their way. */
export interface Crossing {
  /** Of what stands behind a handle, or null. */
  readonly address: (value: unknown) => unknown;
  /** Of a callback's parameter, or null. */
  readonly callback: (value: unknown, parameter: Parameter) => unknown;
}

/** The arguments of a call on the other side. */
export function crossValues(
  { signature: { parameters } }: ApiFunction,
  values: readonly unknown[],
  { address, callback }: Crossing,
): unknown[] {
  return parameters.map((parameter, index) => {
    const [value, inner] = [values[index], innerKind(parameter)];
    if (inner.kind === "handle") return address(value);
    if (inner.kind === "callback") return callback(value, parameter);
    const struct = handleStruct(parameter);
    if (!struct || value === null) return value;
    return mapHandles(struct, value, (_, member) => address(member));
  });
}

/** Gives the structs of a call, which its function wrote, the values that they have on this side. */
export function crossBack(
  { signature: { parameters } }: ApiFunction,
  { from, to }: { readonly from: readonly unknown[]; readonly to: readonly unknown[] },
  address: (value: unknown) => unknown,
): void {
  for (const [index, parameter] of parameters.entries()) {
    const struct = handleStruct(parameter);
    const inner = innerKind(parameter);
    if (!struct || inner.kind !== "reference" || inner.direction === "in") continue;
    if (from[index] === null) continue;
    Object.assign(
      to[index] as object,
      mapHandles(struct, from[index], (_, member) => address(member)),
    );
  }
}

/** The result of a call on the other side. */
export function crossResult(
  { signature: { result } }: ApiFunction,
  value: unknown,
  address: (value: unknown) => unknown,
): unknown {
  if (innerKind(result).kind === "handle") return address(value);
  const struct = handleStruct(result);
  return struct ? mapHandles(struct, value, (_, member) => address(member)) : value;
}

/** What a library's process is asked for, once. */
export const libraryApi = s.hostApi("library", {
  /** Opens the library, whose API and files a `cloneCodec` wrote; answers what is wrong, or no text. */
  open: s.fn([s.bytes("in")], s.string),
});

/** What a library's process asks its host for. */
export const callbackApi = s.hostApi("callback", {
  /** Calls a callback by its number, with values that a `cloneCodec` wrote; the answer goes into the bytes. */
  call: s.fn([s.u32, s.bytes("in"), s.bytes("out")], s.u32),
});

/** Room for the answer of a callback, a scalar or the text of an error. */
export const CALLBACK_ANSWER_BYTES = 4096;

/** What a library's process is asked to open. */
export interface LibraryRequest {
  readonly api: unknown;
  readonly files: LibraryFiles;
  readonly limitBytes: number;
}

/** Of the channels between the two. Long, as each packet takes a wake of both. */
export const CHANNEL_SHAPE = { portCount: 16, laneCount: 1, laneBytes: 8192 };
/** How a side sleeps that the other tells of each change. */
export const RUNG_NAPS = { firstMilliseconds: 8, longestMilliseconds: 1000 };
