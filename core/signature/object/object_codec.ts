import { jsonCodec, richestCodec, type ValueCodec } from "../../call/codec.ts";

/**
 * How the values of an object cross: by the codec that is asked for, or by what keeps most here. What
 * would arrive as another value is refused by its name.
 *
 * @param object its name, for messages
 *
 * @example
 * ```ts
 * import { objectCodec } from "./object_codec.ts";
 * const { decode, encode } = objectCodec("store");
 * if (!Number.isNaN(decode(encode(NaN)))) throw new Error("the same value");
 * ```
 */
export function objectCodec(
  object: string,
  codec: ValueCodec = richestCodec(),
): ValueCodec {
  return {
    name: codec.name,
    encode(value) {
      try {
        if (codec === jsonCodec) checkJson(value);
        return codec.encode(value);
      } catch (error) {
        throw new TypeError(
          `Cannot send a value from or to ${object} by ${codec.name} as it must be data: ${
            (error as Error)?.message ?? error
          }`,
          { cause: error },
        );
      }
    },
    decode: (bytes) => codec.decode(bytes),
  };
}

/** Refuses what `JSON.stringify` drops or changes; `undefined` alone crosses. */
function checkJson(value: unknown): void {
  if (value === undefined) return;
  JSON.stringify(value, function (this: Record<string, unknown>, key) {
    const one = this[key]; // before its `toJSON` was asked
    if (keepsJson(one)) return one;
    const shown = Object.is(one, -0) ? "-0" : typeof one === "object" ? tagOf(one) : String(one);
    throw new TypeError(
      `${
        key === "" ? "it" : JSON.stringify(key)
      } must be a string, a finite number, a boolean, null, ` +
        `an array or an object of these, or both sides take v8Codec: current value is ${shown}`,
    );
  });
}

function keepsJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
  if (value === null) return true;
  // No holes, and nothing beside the elements.
  if (Array.isArray(value)) return Object.keys(value).length === value.length;
  return tagOf(value) === "[object Object]" && !("toJSON" in value);
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
