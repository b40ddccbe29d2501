/** Texts, numbers, edit descriptors of two letters, other signs; blanks count in texts only. */
const PART = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\d[\d \t]*|[A-Z][ \t]*[A-Z]?|[^ \t]/giy;
/** What the library passes over outside of texts. */
const BLANKS = /[ \t]/g;
const MOVE = /^T[LR]?$/;
const DATA_EDIT = /^(E[NSX]|DT|[IBOZFEDGAL])$/;
const REAL_EDIT = /^(E[NSX]?|[FDG])$/;
const TWO_LETTERS = /^(E[NSX]|DT|T[LR]|B[NZ]|D[CP]|R[UDZNCP]|S[PS])$/;

/** A group in parentheses that is being read. */
interface Group {
  readonly repeat: number;
  cost: number;
  /** Whether each turn of it takes a value: then there are no more turns than values. */
  takesValue: boolean;
}

/**
 * How much a format does between one value and the next, at most, in characters that it writes or
 * passes over. A few signs can ask for what takes for ever: `(1000000(1000000('')))`.
 *
 * Of a text that is no format it says anything: the library refuses that at once.
 *
 * @param format one character for each byte, as the library counts them behind `5H`
 *
 * @example
 * ```ts
 * import { formatCost } from "./format_cost.ts";
 * if (formatCost("(1000(1000X))") < 1e6) throw new Error("a million blanks");
 * if (formatCost("(1000000I5)") > 100) throw new Error("no more often than there are values");
 * ```
 */
export function formatCost(format: string): number {
  const groups: Group[] = [{ repeat: 1, cost: 0, takesValue: false }];
  let repeat = 1;
  let isWidth = false;
  for (const { part } of partsOf(format)) {
    const group = groups.at(-1)!;
    if (typeof part === "number" && !isWidth) {
      repeat = part;
      continue;
    }
    if (typeof part === "number") group.cost += part;
    else if (part === "(") groups.push({ repeat, cost: 1, takesValue: false });
    else if (part === ")") close(groups);
    else {
      group.takesValue ||= DATA_EDIT.test(part);
      group.cost += DATA_EDIT.test(part) ? 1 : part.length * repeat;
      isWidth = DATA_EDIT.test(part) || MOVE.test(part) || (isWidth && part === ".");
      repeat = 1;
      continue;
    }
    if (typeof part !== "number") isWidth = false;
    repeat = 1;
  }
  while (groups.length > 1) close(groups);
  return groups[0]!.cost;
}

function close(groups: Group[]): void {
  if (groups.length === 1) return;
  const { repeat, cost, takesValue } = groups.pop()!;
  const outer = groups.at(-1)!;
  outer.cost += takesValue ? cost : cost * repeat;
  outer.takesValue ||= takesValue;
}

/**
 * How many digits a real number of a format may have beside those before its point: the most behind a point,
 * of an exponent, and of a scale factor together. The library writes reals to 384 bytes, which a
 * double has 309 of, and checks no end: `(400P,F0.3)` destroys its stack.
 *
 * @example
 * ```ts
 * import { formatDigits } from "./format_cost.ts";
 * if (formatDigits("(2P,F0.3,ES12.4E3)") !== 9) throw new Error("2, 4 and 3");
 * ```
 */
export function formatDigits(format: string): number {
  const most = { point: 0, exponent: 0, scale: 0 };
  const parts = [...partsOf(format)].map(({ part }) => part);
  for (const [at, part] of parts.entries()) {
    const [number, name] = part === "P" ? [parts[at - 1], "scale"] as const : [part, placeOf(at)];
    if (typeof number === "number" && name) most[name] = Math.max(most[name], number);
  }
  return most.point + most.exponent + most.scale;

  function placeOf(at: number): "point" | "exponent" | undefined {
    if (parts[at - 1] === "." && REAL_EDIT.test(`${parts[at - 3]}`)) return "point";
    return parts[at - 1] === "E" && parts[at - 3] === "." ? "exponent" : undefined;
  }
}

/**
 * A format up to the parenthesis that ends it; `undefined` where there is none. Where a format ends before,
 * libgfortran may read its end again and again, and behind it, too, if something is wrong before:
 * `(F5.2E` and `(F)E` never come back. What is behind means nothing.
 *
 * @example
 * ```ts
 * import { closedFormat } from "./format_cost.ts";
 * if (closedFormat("(2(I5),')') I7") !== "(2(I5),')')") throw new Error("two groups and a text");
 * if (closedFormat("(F5.2E") !== undefined) throw new Error("not closed");
 * ```
 */
export function closedFormat(format: string): string | undefined {
  let depth = 0;
  for (const { part, end } of partsOf(format)) {
    if (part === "(") depth++;
    else if (part === ")" && --depth <= 0) return format.slice(0, end);
  }
  return undefined;
}

/** Numbers, and everything else as text, each with where it ends. */
function* partsOf(
  format: string,
): Generator<{ readonly part: number | string; readonly end: number }> {
  let last = 1;
  PART.lastIndex = 0;
  for (let at = 0; at < format.length;) {
    PART.lastIndex = at;
    const [found = " "] = PART.exec(format) ?? [];
    const letters = found.replaceAll(BLANKS, "").toUpperCase();
    at += found.length;
    if (/^\d/.test(found)) {
      last = Number(letters);
      yield { part: last, end: at };
    } else if (/^H/.test(letters)) {
      at += last - found.length + 1; // the text of so many characters behind it
    } else if (/^[A-Z]{2}$/.test(letters) && !TWO_LETTERS.test(letters)) {
      at -= found.length - 1;
      yield { part: letters[0]!, end: at };
    } else if (letters !== "") {
      yield { part: /^['"]/.test(found) ? found : letters, end: at };
    }
  }
}
