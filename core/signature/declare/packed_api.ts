import { Length, lengthFrom } from "./length.ts";
import type { HostApi } from "./signature.ts";

/**
 * An API as data that another isolate can get by `postMessage`: lengths are classes, which do not cross.
 *
 * @example
 * ```ts
 * import { bytes, nothing, u32 } from "./kind.ts";
 * import { lengthOf } from "./length.ts";
 * import { packApi, unpackApi } from "./packed_api.ts";
 * import { fn, hostApi } from "./signature.ts";
 * const api = hostApi("api", { fill: fn([bytes("out", lengthOf(1).times(4)), u32], nothing) });
 * const { functions } = unpackApi(structuredClone(packApi(api)));
 * if (functions.fill!.text !== api.functions.fill.text) throw new Error("the same signature");
 * ```
 */
export function packApi(api: HostApi): unknown {
  return mapped(api, (value) => value instanceof Length ? { lengthText: `${value}` } : undefined);
}

/** What {@linkcode packApi} packed, in this isolate. */
export function unpackApi(packed: unknown): HostApi {
  return mapped(packed, (value) => {
    const { lengthText } = value as { readonly lengthText?: unknown };
    return typeof lengthText === "string" ? lengthFrom(lengthText) : undefined;
  }) as HostApi;
}

/** A copy, with other things in place of those objects for which there are such. */
function mapped(value: unknown, change: (value: object) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const changed = change(value);
  if (changed !== undefined) return changed;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, mapped(one, change)]),
  );
}
