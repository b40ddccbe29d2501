import { type TypedName, variableAt, type VariableDeclaration } from "./declarations.ts";
import { type Expression, readExpression } from "./expression.ts";
import { concreteType, typeOfExpression } from "./expression_type.ts";
import { type Token, type TokenRange, TokenReader } from "./tokens.ts";
import { namedType, type Scope, type ValueType } from "./value_type.ts";

/** Names that kernels have without a declaration, with their types. */
export const RUNTIME_NAMES: Readonly<Record<string, ValueType>> = {
  lane_index: { name: "u32", args: [] },
  wave_index: { name: "u32", args: [] },
};

/**
 * The type of an expression of a text whose names nobody has resolved; `undefined` where it does not
 * show. A number without a suffix is `int` or `float`: see `concreteType`.
 */
export function typeOfRange(scope: Scope, range: TokenRange): ValueType | undefined {
  const expression = expressionOf(scope, range);
  const typeOfName = (at: number) => {
    const declared = declarationOf(scope, at);
    return declared ? typeOfDeclared(scope, declared) : RUNTIME_NAMES[scope.tokens[at]!.text];
  };
  return expression && typeOfExpression({ ...scope, typeOfName }, expression);
}

/** What some tokens say as one expression, if they are one. */
export function expressionOf(
  { tokens }: Scope,
  { start, end }: TokenRange,
): Expression | undefined {
  const reader = new TokenReader(tokens, start, (_, reason) => {
    throw new SyntaxError(reason);
  });
  try {
    const expression = readExpression(reader);
    return reader.at === end ? expression : undefined;
  } catch {
    return undefined;
  }
}

/** The type of a declaration: the one that it names, or that of its initialiser. */
function typeOfDeclared(
  scope: Scope,
  declared: TypedName | VariableDeclaration,
): ValueType | undefined {
  const { name, type, value } = declared;
  if (type.end > type.start) return namedType(scope, type);
  const { followed = [] } = scope;
  if (followed.includes(name)) return undefined;
  const found = typeOfRange({ ...scope, followed: [...followed, name] }, value);
  return found &&
    ("keyword" in declared && declared.keyword === "const" ? found : concreteType(found));
}

/** The declaration that a name means at a token: the nearest one whose block is still open. */
export function declarationOf(
  { tokens, declarations }: Scope,
  at: number,
): TypedName | VariableDeclaration | undefined {
  const { text } = tokens[at]!;
  const inside = declarations.functions.find(({ body }) => at >= body.start && at < body.end);
  return (inside && localOf(tokens, at, inside.body.start)) ??
    [...inside?.parameters ?? [], ...declarations.variables].find(({ name }) => name.text === text);
}

/** The local variable that a token names: blocks that end before it are passed over. */
function localOf(
  tokens: readonly Token[],
  at: number,
  start: number,
): VariableDeclaration | undefined {
  let depth = 0;
  for (let before = at - 1; before >= start; before--) {
    const { text } = tokens[before]!;
    if (text === "}") depth++;
    else if (text === "{" && depth > 0) {
      depth--;
      if (depth === 0 && tokens[before - 1]?.text === ")") before = headOf(tokens, before - 1);
    } else if (depth === 0) {
      const declared = variableAt(tokens, before);
      // A variable is not there yet in its own initialiser.
      const isOwn = declared && declared.value.start <= at && at < declared.value.end;
      if (declared?.name.text === tokens[at]!.text && !isOwn) return declared;
    }
  }
  return undefined;
}

/** Where the head of a block begins that ends with a parenthesis: a `for` declares in it. */
function headOf(tokens: readonly Token[], closing: number): number {
  let [at, depth] = [closing, 1];
  while (at > 0 && depth > 0) {
    at--;
    depth += tokens[at]!.text === ")" ? 1 : tokens[at]!.text === "(" ? -1 : 0;
  }
  return at;
}
