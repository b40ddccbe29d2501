import { builtinType, floating, unified } from "./builtin_types.ts";
import type { Expression } from "./expression.ts";
import { elementType, memberType, namedType, type Scope, type ValueType } from "./value_type.ts";

/** A module, and what the names in its expressions are. */
export interface TypeScope extends Scope {
  /** The type of what a token names; `undefined` where it does not show. */
  readonly typeOfName: (at: number) => ValueType | undefined;
}

const BOOL: ValueType = { name: "bool", args: [] };
const COMPARES = new Set(["==", "!=", "<", ">", "<=", ">="]);
const NUMBER_TYPES: Readonly<Record<string, string>> = { u: "u32", i: "i32", f: "f32", h: "f16" };

function plain(name: string): ValueType {
  return { name, args: [] };
}

/**
 * The type of an expression where it shows; `undefined` for what is not known here, such as the
 * structs that some functions of WGSL have for results. Numbers without a suffix are `int` and
 * `float`, as WGSL's abstract types: see {@linkcode concreteType}.
 */
export function typeOfExpression(scope: TypeScope, expression: Expression): ValueType | undefined {
  const { kind, text, operands } = expression;
  const first = operands[0];
  switch (kind) {
    case "literal":
      return literalType(text);
    case "name":
      return scope.typeOfName(expression.start);
    case "group":
      return typeOfExpression(scope, first!);
    case "member":
      return ifKnown(
        valueBehind(typeOfExpression(scope, first!)),
        (type) => memberType(scope, type, text),
      );
    case "index":
      return ifKnown(valueBehind(typeOfExpression(scope, first!)), elementType);
    case "unary":
      return unaryType(text, typeOfExpression(scope, first!));
    case "binary":
      return binaryType(text, operands.map((operand) => typeOfExpression(scope, operand)));
    case "call":
      return callType(scope, expression);
  }
}

/** What a variable without a written type becomes: `int` is i32, and `float` f32. */
export function concreteType(type: ValueType): ValueType {
  const { name, args } = type;
  const concrete = name === "int" ? "i32" : name === "float" ? "f32" : name;
  return { ...type, name: concrete, args: args.map(concreteType) };
}

function ifKnown<T, R>(value: T | undefined, use: (value: T) => R | undefined): R | undefined {
  return value === undefined ? undefined : use(value);
}

/** A pointer stands for what it points to before `.` and `[`. */
function valueBehind(type: ValueType | undefined): ValueType | undefined {
  return type?.name === "ptr" ? type.args[1] : type;
}

function literalType(text: string): ValueType {
  if (text === "true" || text === "false") return BOOL;
  const isHex = /^0[xX]/.test(text);
  const suffix = /[uih]$/.exec(text)?.[0] ?? (isHex ? undefined : /f$/.exec(text)?.[0]);
  if (suffix) return plain(NUMBER_TYPES[suffix]!);
  if (isHex && /[pP].*f$/.test(text)) return plain("f32");
  return plain((isHex ? /[.pP]/ : /[.eE]/).test(text) ? "float" : "int");
}

function unaryType(operator: string, type: ValueType | undefined): ValueType | undefined {
  if (type === undefined) return undefined;
  if (operator === "&") return { name: "ptr", args: [plain(""), type] };
  return operator === "*" ? valueBehind(type) : type;
}

function binaryType(
  operator: string,
  [left, right]: readonly (ValueType | undefined)[],
): ValueType | undefined {
  if (operator === "&&" || operator === "||") return BOOL;
  const known = left ?? right;
  if (COMPARES.has(operator)) {
    return known && (/^vec/.test(known.name) ? { name: known.name, args: [BOOL] } : BOOL);
  }
  if (operator === "<<" || operator === ">>") return left;
  if (left === undefined || right === undefined) return undefined;
  return operator === "*" ? productType(left, right) : unified(left, right);
}

/** Products of matrices have the rows of the left and the columns of the right. */
function productType(left: ValueType, right: ValueType): ValueType | undefined {
  const [, leftColumns, leftRows] = /^mat(\d)x(\d)$/.exec(left.name) ?? [];
  const [, rightColumns, rightRows] = /^mat(\d)x(\d)$/.exec(right.name) ?? [];
  const { args } = leftRows ? left : right;
  if (leftRows && right.name === `vec${leftColumns}`) return { name: `vec${leftRows}`, args };
  if (rightRows && left.name === `vec${rightRows}`) return { name: `vec${rightColumns}`, args };
  if (leftRows && rightColumns) return { name: `mat${rightColumns}x${leftRows}`, args };
  return unified(left, right);
}

function callType(scope: TypeScope, expression: Expression): ValueType | undefined {
  const { text, start, open = start, operands } = expression;
  const { functions, structs } = scope.declarations;
  const declared = functions.find(({ name }) => name.text === text);
  if (declared) {
    return declared.result.end > declared.result.start
      ? namedType(scope, declared.result)
      : undefined;
  }
  const type = namedType(scope, { start, end: open });
  if (text === "bitcast") return type.args[0];
  if (structs.has(type.name) || /^(?:bool|[uif]32|f16)$/.test(type.name)) return type;
  const types = operands.map((operand) => typeOfExpression(scope, operand));
  if (!/^(?:vec[2-4]|mat[2-4]x[2-4]|array)$/.test(type.name)) return builtinType(text, types);
  return type.args.length > 0 ? type : constructedType(type.name, types);
}

/** `vec3(1, 2, x)` and `array(a, b)` take their type from what they are made of. */
function constructedType(
  name: string,
  types: readonly (ValueType | undefined)[],
): ValueType | undefined {
  const isArray = name === "array";
  const scalars = types.map((type) => !isArray && type?.args[0] ? type.args[0] : type);
  const [first, ...others] = scalars;
  const element = others.reduce((one, other) => one && other && unified(one, other), first);
  if (element === undefined) return undefined;
  if (name.startsWith("mat")) return { name, args: [floating(element)] };
  const length = isArray ? [plain(`${types.length}`)] : [];
  return { name, args: [element, ...length] };
}
