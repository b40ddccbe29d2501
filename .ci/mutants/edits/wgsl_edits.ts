import type { Edit, Operator } from "./mutation.ts";

/** A token of WGSL; comments are none. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The function that it stands in; empty outside. */
  readonly scope: string;
}

type ScopedEdit = Edit & { readonly scope: string };

const TOKEN =
  /\/\/[^\n]*|[A-Za-z_]\w*|0x[0-9a-fA-F]+u?|\d+(?:\.\d+)?[uif]?|->|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|\S/g;
/** Names that take types between angle brackets. */
const GENERIC = /^(array|atomic|ptr|var|bitcast|vec[234])$/;

const TOKENS: Readonly<Record<string, readonly (readonly [Operator, string])[]>> = {
  "==": [["compare", "!="]],
  "!=": [["compare", "=="]],
  "<": [["compare", ">="], ["off-by-one", "<="]],
  "<=": [["compare", ">"], ["off-by-one", "<"]],
  ">": [["compare", "<="], ["off-by-one", ">="]],
  ">=": [["compare", "<"], ["off-by-one", ">"]],
  "&&": [["and-or", "||"]],
  "||": [["and-or", "&&"]],
  "|": [["mask-word", "&"]],
  "^": [["mask-word", "|"]],
  "<<": [["mask-word", ">>"]],
  ">>": [["mask-word", "<<"]],
  "~": [["mask-word", ""]],
  "+": [["arithmetic", "-"]],
  "/": [["arithmetic", "*"]],
  "%": [["arithmetic", "*"]],
  true: [["constant", "false"]],
  false: [["constant", "true"]],
  x: [["mask-word", "y"]],
  y: [["mask-word", "x"]],
};

/** What is between tokens that have several meanings is decided by what stands before them. */
const AFTER_VALUE = /^([A-Za-z_]\w*|0x[0-9a-fA-F]+u?|\d.*|\)|\])$/;

/** Every change of a WGSL text. It is read as tokens: there is nothing here that knows its grammar. */
export function wgslEdits(text: string): ScopedEdit[] {
  const tokens = withoutTypes(tokensOf(text));
  return [
    ...tokens.flatMap((token, index) => tokenEdits(token, tokens[index - 1]?.text ?? "")),
    ...conditionEdits(tokens, text),
    ...statementEdits(tokens, text),
  ].toSorted((left, right) => left.start - right.start);
}

function tokensOf(text: string): Token[] {
  let scope = "";
  let before = "";
  let depth = 0;
  const tokens: Token[] = [];
  for (const { 0: word, index } of text.matchAll(TOKEN)) {
    if (word.startsWith("//")) continue;
    if (before === "fn") scope = word;
    if (word === "{") depth++;
    if (word === "}" && --depth === 0) scope = "";
    before = word;
    tokens.push({ text: word, start: index, end: index + word.length, scope });
  }
  return tokens;
}

/** Without what stands between the angle brackets of types, and without attributes' numbers. */
function withoutTypes(tokens: readonly Token[]): Token[] {
  let depth = 0;
  let before = "";
  return tokens.filter(({ text }) => {
    const opens = text === "<" && (depth > 0 || GENERIC.test(before));
    if (opens) depth++;
    const isInside = depth > 0;
    if (depth > 0 && /^>+$/.test(text)) depth -= text.length;
    before = text;
    return !isInside;
  });
}

function tokenEdits({ text, start, end, scope }: Token, before: string): ScopedEdit[] {
  if (scope === "") return [];
  const isMember = text === "x" || text === "y";
  if (isMember && before !== ".") return [];
  const isBinary = AFTER_VALUE.test(before);
  if (text === "&") {
    return isBinary ? [{ operator: "mask-word", start, end, text: "|", scope }] : [];
  }
  const number = /^(0x[0-9a-fA-F]+|\d+)(u?)$/.exec(text);
  if (number) {
    const value = Number(number[1]);
    const other = `${value === 1 ? 0 : (value + 1) % 2 ** 32}${number[2]}`;
    return [{ operator: "constant", start, end, text: other, scope }];
  }
  if (text === "-" && isBinary) return [{ operator: "arithmetic", start, end, text: "+", scope }];
  return (TOKENS[text] ?? []).map(([operator, other]) => ({
    operator,
    start,
    end,
    text: other,
    scope,
  }));
}

/** From `if` to the brace that follows, or the end of a `break if`. */
function conditionEdits(tokens: readonly Token[], text: string): ScopedEdit[] {
  return tokens.flatMap((token, index) => {
    if (token.text !== "if") return [];
    const { start: end } = tokens.slice(index).find((one) => /^[{;]$/.test(one.text))!;
    const condition = text.slice(token.end, end).trim();
    const operator = "negate-condition" as const;
    const { scope } = token;
    return [{ operator, start: token.end, end, text: ` !(${condition}) `, scope }];
  });
}

/** A statement that stands alone: it begins behind `;`, `{` or `}` and ends with `;`. */
interface Statement {
  readonly first: Token;
  readonly last: Token;
}

function statementsOf(tokens: readonly Token[]): Statement[] {
  const statements: Statement[] = [];
  let begin = 0;
  let depth = 0;
  tokens.forEach((token, index) => {
    if (token.text === "(") depth++;
    if (token.text === ")") depth--;
    if (depth > 0) return; // the head of a loop
    if (token.text === ";" && token.scope !== "") {
      statements.push({ first: tokens[begin]!, last: token });
    }
    if (/^[;{}]$/.test(token.text)) begin = index + 1;
  });
  return statements.filter(({ first, last }) =>
    first !== last && !/^(let|var|const|for|fn|if|else|@|\)|struct)$/.test(first.text)
  );
}

function statementEdits(tokens: readonly Token[], text: string): ScopedEdit[] {
  const statements = statementsOf(tokens);
  const drops = statements.flatMap(({ first, last }) => {
    const { start, scope } = first;
    return first.text === "return" && text.slice(first.end, last.start).trim() !== ""
      ? []
      : [{ operator: dropOperator(first), start, end: last.end, text: "", scope }];
  });
  return [...drops, ...swaps(statements, text)];
}

function dropOperator({ text }: Token): Operator {
  if (/barrier$/i.test(text)) return "drop-barrier";
  return /^(return|break|continue)$/.test(text) ? "drop-guard" : "drop-statement";
}

function swaps(statements: readonly Statement[], text: string): ScopedEdit[] {
  return statements.slice(1).flatMap((second, index) => {
    const first = statements[index]!;
    const between = text.slice(first.last.end, second.first.start);
    const isJump = [first, second].some((one) => /^(return|break|continue)$/.test(one.first.text));
    if (isJump || !/^\s*(\/\/[^\n]*\s*)*$/.test(between)) return [];
    const { start, scope } = first.first;
    const [one, two] = [first, second].map((each) => text.slice(each.first.start, each.last.end));
    return [{
      operator: "swap-statements" as const,
      start,
      end: second.last.end,
      text: `${two}${between}${one}`,
      scope,
    }];
  });
}
