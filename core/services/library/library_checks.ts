import { checkService } from "../../memory/sync_result.ts";
import type { ApiFunction, ApiServer, FunctionSignature, HostApi } from "../../signature/mod.ts";
import { functionsOf } from "../../signature/declare/signature.ts";
import { nameHint } from "../../text/nearest.ts";
import type { LibrarySource } from "./serve_library.ts";

/** Looks at the arguments of a call, and throws where C must not have them. */
export type Check = ((...values: unknown[]) => unknown) | undefined;
/** Ends the handles that a call ends. */
export type End = (values: readonly unknown[]) => void;

/** A name that is misspelt would be passed over without a word. */
export function checkSource(api: HostApi, { symbols = {}, checks = {} }: LibrarySource): void {
  const names = functionsOf(api).map(([key]) => key);
  for (const name of [...Object.keys(symbols), ...Object.keys(checks)]) {
    if (names.includes(name)) continue;
    throw new TypeError(
      `Cannot serve a library as ${api.name} has no function ${name}: ${nameHint(name, names)}`,
    );
  }
}

/** What stands before a function; one that the author wrote knows what C does with null. */
export function checkOf(
  { checks = {} }: LibrarySource,
  key: string,
  target: ApiFunction,
): Check {
  const check: unknown = Object.hasOwn(checks, key) ? checks[key] : undefined;
  if (check === undefined) return nullCheck(target);
  checkService(`a check of ${key}`, check);
  return check as Check;
}

/** Where there is no array there is no length: C would read from address 0 on. */
function nullCheck({ name, signature: { parameters } }: ApiFunction): Check {
  const lengths = parameters.flatMap((parameter, index) => {
    const of = parameter.kind === "nullable" ? parameter.of : undefined;
    return of?.kind === "bytes" && of.length ? [{ index, length: of.length }] : [];
  });
  if (lengths.length === 0) return undefined;
  return (...values) => {
    for (const { index, length } of lengths) {
      const due = length.of(values);
      if (values[index] !== null || due === 0) continue;
      throw new RangeError(
        `Cannot call ${name} as argument ${index} is null: the others say ${due} bytes`,
      );
    }
  };
}

/** What C is told of the length must be true: else a caller has C write anywhere. */
export function checkLengths(name: string, { parameters }: FunctionSignature): void {
  const index = parameters.findIndex((parameter) => {
    const kind = parameter.kind === "nullable" ? parameter.of : parameter;
    return kind.kind === "bytes" && kind.length === undefined;
  });
  if (index < 0) return;
  throw new TypeError(
    `Cannot serve ${name} of a library as parameter ${index} is bytes whose length C cannot know: ` +
      "declare it by lengthOf() or fixedLength(), or give the function a check",
  );
}

/**
 * Ends the handles of what the library frees, however often it returned the pointer: nobody may use it
 * afterwards.
 */
export function endOf(server: ApiServer, { signature: { parameters } }: ApiFunction): End {
  const ending = parameters.flatMap((parameter, index) => {
    const kind = parameter.kind === "nullable" ? parameter.of : parameter;
    return kind.kind === "handle" && kind.isEnd ? [{ index, names: kind.name.split("|") }] : [];
  });
  return (values) => {
    for (const { index, names } of ending) {
      for (const name of names) server.takeBack(name, values[index]);
    }
  };
}
