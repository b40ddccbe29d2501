import type { ErrorMeaning } from "./errno.ts";
import { Length, lengthFrom } from "./length.ts";
import type { HostApi } from "./signature.ts";

/**
 * An API as data that another isolate can get by `postMessage`: lengths are classes, and what errors mean
 * is a function, which do not cross. Of an error that has a meaning of its own, its number is left.
 */
export function packApi(api: HostApi): unknown {
  return mapped(api, (value) => {
    if (value instanceof Length) return { lengthText: `${value}` };
    return typeof value === "function" ? { isMeaning: true } : undefined;
  });
}

/** What {@linkcode packApi} packed, in this isolate. */
export function unpackApi(packed: unknown): HostApi {
  return mapped(packed, (value) => {
    const { lengthText, isMeaning } = value as Readonly<Record<string, unknown>>;
    if (typeof lengthText === "string") return lengthFrom(lengthText);
    return isMeaning === true ? meaningByNumber : undefined;
  }) as HostApi;
}

function meaningByNumber(errno: number): ErrorMeaning {
  return { code: `${errno}`, text: "an error that has a meaning of its own" };
}

/** A copy, with other things in place of those objects for which there are such. */
function mapped(value: unknown, change: (value: object) => unknown): unknown {
  if (Object(value) !== value) return value;
  const changed = change(value as object);
  if (changed !== undefined) return changed;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, one]) => [key, mapped(one, change)]),
  );
}
