import type { Token, TokenRange } from "../syntax/tokens.ts";
import type { ScalarName } from "../syntax/value_type.ts";
import type { Conversion } from "../../text/conversion.ts";
import { refuseAt } from "./printf_error.ts";

/** What a literal is, and what would print it. */
interface Literal {
  readonly type: string;
  readonly wayOut: string;
}

function literalOf(texts: readonly string[]): Literal | undefined {
  const [sign, text = ""] = texts.length === 2 ? texts : ["", texts[0]];
  if (texts.length > 2 || (texts.length === 2 && sign !== "-")) return undefined;
  if (text.startsWith('"')) return { type: "a string", wayOut: "write %s" };
  if (text === "true" || text === "false") {
    return { type: "a bool", wayOut: `write %u and select(0u, 1u, ${text})` };
  }
  if (!/^\.?\d/.test(text)) return undefined;
  if (/^0[xX]/.test(text) ? /[.pP]|h$/.test(text) : /[.eE]|[fh]$/.test(text)) {
    return { type: text.endsWith("h") ? "f16" : "f32", wayOut: "write %f" };
  }
  if (text.endsWith("u")) return { type: "u32", wayOut: "write %u" };
  if (text.endsWith("i")) return { type: "i32", wayOut: "write %d" };
  return { type: sign === "-" ? "negative" : "", wayOut: "write %d" };
}

/** Numbers without a suffix become what is asked for. */
function fits({ type }: Literal, scalar: ScalarName): boolean {
  return type === "" || type === scalar || (type === "negative" && scalar !== "u32");
}

/**
 * Refuses a literal of a type that a conversion does not take. Any other expression is left to the
 * compiler, which knows its type.
 */
export function refuseLiteral(
  { source, tokens }: { readonly source: string; readonly tokens: readonly Token[] },
  range: TokenRange,
  { conversion, scalar }: { readonly conversion: Conversion; readonly scalar: ScalarName },
): void {
  const texts = tokens.slice(range.start, range.end).map(({ text }) => text);
  const literal = literalOf(texts);
  if (!literal || (fits(literal, scalar) && conversion.size <= 1)) return;
  const taken = conversion.size > 1 ? `vec${conversion.size}<${scalar}>` : scalar;
  const is = literal.type === "" ? "a number" : literal.type;
  refuseAt(
    source,
    tokens[range.start]!.index,
    `${conversion.text} takes ${taken} and ${texts.join("")} is ${is}: ${literal.wayOut}`,
  );
}
