import type { Callback, Parameter, Result, Struct } from "../../signature/mod.ts";
import type { FunctionSignature } from "../../signature/mod.ts";

/** A pointer behind a handle: its number, as two objects of one pointer would not be the same. */
const ADDRESS = "u64";

/**
 * How a function of C is called by Deno's FFI.
 *
 * @throws {TypeError} for a variadic function: its arguments go where FFI does not put them
 *
 * @example
 * ```ts
 * import { f64, fn } from "../../signature/mod.ts";
 * import { foreignFunction } from "./foreign_types.ts";
 * if (foreignFunction(fn([f64, f64], f64)).result !== "f64") throw new Error("a double");
 * ```
 */
export function foreignFunction(
  { parameters, result }: FunctionSignature,
): { readonly parameters: readonly Deno.NativeType[]; readonly result: Deno.NativeResultType } {
  return { parameters: parameters.map(parameterType), result: resultType(result) };
}

/** How C calls a callback. */
export function callbackDefinition(
  { parameters, result }: Callback,
): Deno.UnsafeCallbackDefinition {
  return { parameters: parameters.map(({ type }) => type), result: resultType(result) };
}

function parameterType(parameter: Parameter): Deno.NativeType {
  switch (parameter.kind) {
    case "scalar":
      return parameter.type;
    case "constant":
      return parameter.of.type;
    case "struct":
      return structType(parameter);
    case "handle":
      return ADDRESS;
    case "callback":
      return "function";
    case "nullable":
      return parameterType(parameter.of);
    case "variadic":
      throw new TypeError(
        "Cannot call a variadic function of a library as its arguments have no types: declare a function of fixed arguments, of the library or of C code of your own around it",
      );
    default:
      return "buffer";
  }
}

function resultType(result: Result): Deno.NativeResultType {
  if (result.kind === "void") return "void";
  if (result.kind === "scalar") return result.type;
  if (result.kind === "struct") return structType(result);
  return (result.kind === "nullable" ? result.of : result).kind === "handle" ? ADDRESS : "pointer";
}

function structType({ fields }: Struct): Deno.NativeStructType {
  const types = Object.values(fields).map((field) => {
    if (field.kind === "struct") return structType(field);
    return field.kind === "scalar" ? field.type : ADDRESS;
  });
  return { struct: types };
}
