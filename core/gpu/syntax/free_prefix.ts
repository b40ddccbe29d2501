import type { Token } from "./tokens.ts";

/** A beginning of names that a text does not use: the wanted one, or one that begins with it. */
export function freePrefix(tokens: readonly Token[], wanted: string): string {
  let prefix = wanted;
  while (tokens.some(({ text }) => text.startsWith(prefix))) prefix += "x_";
  return prefix;
}
