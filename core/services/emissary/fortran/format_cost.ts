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
  for (const part of partsOf(format)) {
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
  const parts = [...partsOf(format)];
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

/** Numbers, and everything else as text. */
function* partsOf(format: string): Generator<number | string> {
  let last = 1;
  PART.lastIndex = 0;
  for (let at = 0; at < format.length;) {
    PART.lastIndex = at;
    const [found = " "] = PART.exec(format) ?? [];
    const letters = found.replaceAll(BLANKS, "").toUpperCase();
    at += found.length;
    if (/^\d/.test(found)) yield last = Number(letters);
    else if (/^H/.test(letters)) {
      at += last - found.length + 1; // the text of so many characters behind it
    } else if (/^[A-Z]{2}$/.test(letters) && !TWO_LETTERS.test(letters)) {
      at -= found.length - 1;
      yield letters[0]!;
    } else if (letters !== "") yield /^['"]/.test(found) ? found : letters;
  }
}
