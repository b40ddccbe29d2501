import { freeName, freePrefix } from "../syntax/tokens.ts";
import { type TextEdit, WgslText } from "../syntax/wgsl_text.ts";

/** The name of what the library declares as `wanted`: another where the author's text declares that. */
export function libraryName({ declarations, tokens }: WgslText, wanted: string): string {
  const isOwn = declarations.names.some(({ text }) => text === wanted);
  return isOwn ? freePrefix(tokens, `${wanted}_`) : wanted;
}

/**
 * Gives what the library declares other names where the author declares these: they are the author's.
 *
 * @param more names other than of members to change in any case, with those that generated steps use
 */
export function withFreeNames(
  library: string,
  author: WgslText,
  more: ReadonlyMap<string, string> = new Map(),
): string {
  const wanted = author.declarations.names.map(({ text }) => text);
  // Nearly no text needs it, and reading the library takes as long as reading the text.
  const declared = new RegExp(
    `\\b(?:fn|const|struct|alias|override|var(?:<[^>]*>)?)\\s+(?:${wanted.join("|")})\\b`,
    "u",
  );
  const isTaken = wanted.length > 0 && declared.test(library);
  if (!isTaken && more.size === 0) return library;
  const read = new WgslText(library);
  const own = new Set(read.declarations.names.map(({ text }) => text));
  const used = new Set([...author.tokens, ...read.tokens].map(({ text }) => text));
  const names = new Map(more);
  for (const name of wanted) {
    if (own.has(name) && !names.has(name)) names.set(name, freeName(`${name}_`, used));
  }
  const edits = read.tokens.flatMap(({ kind, text, index }, at): TextEdit[] => {
    const renamed = kind === "name" ? names.get(text) : undefined;
    // The steps know the members by their names.
    const before = read.tokens[at - 1]?.text;
    const isMember = before === "." ||
      (/^[{,]$/.test(before ?? "") && read.tokens[at + 1]?.text === ":");
    if (renamed === undefined || (isMember && more.has(text))) return [];
    return [{ index, end: index + text.length, text: renamed }];
  });
  return read.edited(edits);
}
