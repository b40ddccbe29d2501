import type { ValueCodec } from "../../call/codec.ts";
import { fnv1a } from "../declare/fnv1a.ts";
import { type ApiFunction, fn } from "../declare/signature.ts";
import { nothing } from "../declare/kind.ts";

/** The one function by which the methods of an object are called: a method's name and its arguments. */
export function objectFunction(name: string, { name: codecName }: ValueCodec): ApiFunction {
  const text = `object ${JSON.stringify(name)} by ${codecName}`;
  return { signature: fn([], nothing), name: `object ${name}`, text, hash: fnv1a(text) };
}

/** How values cross, and how many bytes of them. */
export interface ObjectCallOptions {
  /** The same on both sides. When absent: V8's, which keeps what `structuredClone` keeps, in Deno and
   * Node; JSON in pages. */
  readonly codec?: ValueCodec;
  /** The most bytes of the values that come from the other side; 1 MiB when absent. */
  readonly limitBytes?: number;
}

/** The limit where none is told. */
export const OBJECT_LIMIT_BYTES = 1 << 20;
