import type { Source } from "./source.ts";

// A class of one letter keeps each pattern from finding itself.
const BANNED: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bfor no[w]\b|\bT[O]DO\b|\bFIX[M]E\b|\bX[X]X\b|\bHAC[K]\b/i, "a promise instead of the thing"],
  [/(^|[^\w.])\/(root|home|Users|wor[k])\/\w/, "a path of one machine"],
  [/\/tm[p]\/spec/, "a path of one machine"],
  [
    /registry\.npmj[s]|npmj[s]\.(com|org)|\bjs[r]\.io|deno\.lan[d]|\besm\.s[h]\b|unpk[g]\.com|jsdelivr\.ne[t]/,
    "a package host",
  ],
  [/\bissue #?\d/i, "a number that means nothing outside a tracker"],
  [
    /\b(chatgp[t]|clau[d]e|anthropi[c]|copilo[t]|AI[ -]agen[t])\b/i,
    "about the making, not the thing",
  ],
];

/** What readers of the project must not find in any of its texts. */
export function textIsFinished({ path, text }: Source): string[] {
  return path === "LICENSE"
    ? []
    : text.split("\n").flatMap((line, index) =>
      BANNED.filter(([pattern]) => pattern.test(line)).map(([pattern, why]) =>
        `${path}:${index + 1} says "${pattern.exec(line)![0].trim()}": ${why}`
      )
    );
}
