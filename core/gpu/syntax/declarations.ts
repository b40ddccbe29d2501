import { closingOf, listParts, type Token, type TokenRange } from "./tokens.ts";

/** An attribute such as `@group(1)`; `args` may be empty. */
export interface Attribute {
  readonly name: string;
  readonly args: TokenRange;
}

/** A parameter of a function, a member of a struct, or a variable. */
export interface TypedName {
  readonly name: Token;
  readonly attributes: readonly Attribute[];
  /** Empty if no type is written. */
  readonly type: TokenRange;
  /** Empty without an initialiser. */
  readonly value: TokenRange;
}

/** A variable of a module or of a function. */
export interface VariableDeclaration extends TypedName {
  readonly keyword: string;
  /** The address space, such as `private`; may be empty. */
  readonly space: string;
}

/** A function of a module. */
export interface FunctionDeclaration {
  /** The whole declaration, including attributes. */
  readonly whole: TokenRange;
  readonly name: Token;
  readonly attributes: readonly Attribute[];
  readonly parameters: readonly TypedName[];
  /** The parameter list, without parentheses. */
  readonly list: TokenRange;
  /** The type after the arrow; may be empty. */
  readonly result: TokenRange;
  /** The body, without braces; empty if there is a semicolon instead. */
  readonly body: TokenRange;
}

/** What a module declares, in the order of the text. */
export interface Declarations {
  /** The tokens that all ranges refer to. */
  readonly tokens: readonly Token[];
  readonly functions: readonly FunctionDeclaration[];
  readonly structs: ReadonlyMap<string, readonly TypedName[]>;
  readonly aliases: ReadonlyMap<string, TokenRange>;
  readonly variables: readonly VariableDeclaration[];
  /** The names of all these declarations. */
  readonly names: readonly Token[];
}

const EMPTY: TokenRange = { start: 0, end: 0 };
const VARIABLE = /^(?:var|let|const|override)$/;

/** Reads attributes from `at`, and returns where they end. */
function attributesAt(tokens: readonly Token[], at: number): [readonly Attribute[], number] {
  const attributes: Attribute[] = [];
  while (tokens[at]?.text === "@") {
    const name = tokens[at + 1]?.text ?? "";
    at += 2;
    const hasArgs = tokens[at]?.text === "(";
    const end = hasArgs ? closingOf(tokens, at) : at;
    attributes.push({ name, args: hasArgs ? { start: at + 1, end } : EMPTY });
    at = hasArgs ? end + 1 : end;
  }
  return [attributes, at];
}

/** Reads `name: type = value` between two tokens; its attributes come before. */
function typedName(tokens: readonly Token[], { start, end }: TokenRange): TypedName {
  const [attributes, at] = attributesAt(tokens, start);
  const isTyped = tokens[at + 1]?.text === ":";
  let typeEnd = isTyped ? at + 2 : at + 1;
  while (typeEnd < end && tokens[typeEnd]!.text !== "=") typeEnd += 1;
  return {
    name: tokens[at] ?? { kind: "name", text: "", index: 0 },
    attributes,
    type: isTyped ? { start: at + 2, end: typeEnd } : EMPTY,
    value: typeEnd < end ? { start: typeEnd + 1, end } : EMPTY,
  };
}

function typedNames(tokens: readonly Token[], list: TokenRange): TypedName[] {
  return listParts(tokens, list).map((part) => typedName(tokens, part));
}

/** Reads the global or local variable whose keyword is at `at`, if there is one. */
export function variableAt(
  tokens: readonly Token[],
  at: number,
): VariableDeclaration | undefined {
  const { kind, text: keyword } = tokens[at] ?? { kind: "mark", text: "" };
  if (kind !== "name" || !VARIABLE.test(keyword)) return undefined;
  const hasSpace = tokens[at + 1]?.kind === "template";
  const start = hasSpace ? closingOf(tokens, at + 1) + 1 : at + 1;
  const space = hasSpace ? tokens[at + 2]!.text : "";
  return { ...typedName(tokens, { start, end: endOfStatement(tokens, start) }), keyword, space };
}

function endOfStatement(tokens: readonly Token[], at: number): number {
  while (at < tokens.length && tokens[at]!.text !== ";") at += 1;
  return at;
}

function functionAt(
  tokens: readonly Token[],
  at: number,
): Omit<FunctionDeclaration, "attributes" | "whole"> {
  const open = at + 2;
  const list = { start: open + 1, end: closingOf(tokens, open) };
  let brace = list.end;
  while (brace < tokens.length && !/^[{;]$/.test(tokens[brace]!.text)) brace += 1;
  const hasResult = tokens[list.end + 1]?.text === "->";
  const result = hasResult ? { start: attributesAt(tokens, list.end + 2)[1], end: brace } : EMPTY;
  const body = tokens[brace]?.text === ";"
    ? { start: brace, end: brace }
    : { start: brace + 1, end: closingOf(tokens, brace) };
  const name = tokens[at + 1] ?? { kind: "name", text: "", index: 0 };
  return { name, list, body, result, parameters: typedNames(tokens, list) };
}

/**
 * Finds the declarations of a WGSL module outside of functions. Invalid WGSL gives fewer declarations,
 * and the compiler says why.
 */
export function declarationsOf(tokens: readonly Token[]): Declarations {
  const functions: FunctionDeclaration[] = [];
  const structs = new Map<string, readonly TypedName[]>();
  const aliases = new Map<string, TokenRange>();
  const variables: VariableDeclaration[] = [];
  const names: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const [attributes, start] = attributesAt(tokens, at);
    const [keyword, name] = [tokens[start]?.text, tokens[start + 1]?.text ?? ""];
    if (/^(?:fn|struct|alias)$/.test(keyword ?? "") && name) names.push(tokens[start + 1]!);
    if (keyword === "fn") {
      const declared = { ...functionAt(tokens, start), attributes };
      const end = declared.body.end + 1;
      functions.push({ ...declared, whole: { start: at, end } });
      at = end;
      continue;
    }
    if (keyword === "struct" && tokens[start + 2]?.text === "{") {
      const members = { start: start + 3, end: closingOf(tokens, start + 2) };
      structs.set(name, typedNames(tokens, members));
      at = members.end + 1;
      continue;
    }
    at = endOfStatement(tokens, start) + 1;
    if (keyword === "alias") aliases.set(name, { start: start + 3, end: at - 1 });
    const variable = variableAt(tokens, start);
    if (!variable) continue;
    variables.push({ ...variable, attributes });
    names.push(variable.name);
  }
  return { tokens, functions, structs, aliases, variables, names };
}

/** Finds the token of a variable's `var`, or other keyword. */
export function keywordAt(
  tokens: readonly Token[],
  { name, keyword }: VariableDeclaration,
): number {
  let at = tokens.indexOf(name);
  while (tokens[at]!.text !== keyword) at--;
  return at;
}

/** Finds the names that a function calls, each with the token of its first call. */
export function calledNames(
  { tokens }: Declarations,
  { body }: FunctionDeclaration,
): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (let at = body.start; at < body.end; at++) {
    const { kind, text } = tokens[at]!;
    const isCall = kind === "name" && tokens[at + 1]?.text === "(" && tokens[at - 1]?.text !== ".";
    if (isCall && !names.has(text)) names.set(text, at);
  }
  return names;
}
