import { alignUp } from "../../memory/regions.ts";
import type { TypedName } from "./declarations.ts";
import type { Expression } from "./expression.ts";
import { expressionOf } from "./expression_type.ts";
import { plainText, tokensOf } from "./tokens.ts";
import { namedType, type Scope, typeText, type ValueType } from "./value_type.ts";

/** The memory layout of a type. */
export interface TypeLayout {
  readonly sizeBytes: number;
  /** The type begins at a multiple of this. */
  readonly alignBytes: number;
}

/** A text, with additional information. */
export interface LayoutScope extends Scope {
  /** Constants that the text does not declare. */
  readonly constants?: Readonly<Record<string, number>>;
  /** Whether atomics are allowed, as in memory that lanes share. */
  readonly isShared?: boolean;
  /** Whether bools are counted, as words; they are rejected when absent. */
  readonly countsBools?: boolean;
}

const SCALAR_BYTES: Readonly<Record<string, number>> = { u32: 4, i32: 4, f32: 4, f16: 2 };

/**
 * Computes the layout of a type by the rules of "Alignment and Size" in the WGSL specification. It may
 * be a number, a vector, a matrix, an atomic, an array of a fixed length, or a struct of these. A
 * length is an expression of integers and constants.
 *
 * @throws {TypeError} for any other type
 */
export function typeLayout(
  scope: LayoutScope,
  type: ValueType,
  around: readonly string[] = [],
): TypeLayout {
  const { name, args: [element, length] } = type;
  const scalarBytes = SCALAR_BYTES[name];
  if (name === "bool" && scope.countsBools) return { sizeBytes: 4, alignBytes: 4 };
  if (scalarBytes) return { sizeBytes: scalarBytes, alignBytes: scalarBytes };
  const [, columns = "", size = columns] = /^(?:vec|mat([234])x)([234])$/.exec(name) ?? [];
  if (size !== "") {
    const { sizeBytes } = typeLayout(scope, element ?? type, [...around, name]);
    const column = vectorLayout(Number(size), sizeBytes);
    return columns === "" ? column : arrayLayout(column, Number(columns));
  }
  if (name === "atomic" && element && scope.isShared) return typeLayout(scope, element, around);
  if (name === "array" && length) {
    return arrayLayout(typeLayout(scope, element!, around), lengthOf(scope, length.name));
  }
  const members = scope.declarations.structs.get(name);
  if (!members || around.includes(name)) throw unknownType(typeText(type));
  return structLayout(members.map((member) => memberLayout(scope, member, [...around, name])));
}

/** Computes the layout of consecutive values. */
export function structLayout(members: readonly TypeLayout[]): TypeLayout {
  let [sizeBytes, alignMax] = [0, 1];
  for (const member of members) {
    sizeBytes = alignUp(sizeBytes, member.alignBytes) + member.sizeBytes;
    alignMax = Math.max(alignMax, member.alignBytes);
  }
  return { sizeBytes: alignUp(sizeBytes, alignMax), alignBytes: alignMax };
}

/** Computes the layout of a member, whose attributes may ask for more than its type needs. */
function memberLayout(
  scope: LayoutScope,
  { attributes, type }: TypedName,
  around: readonly string[],
): TypeLayout {
  const { sizeBytes, alignBytes } = typeLayout(scope, namedType(scope, type), around);
  const asked = (wanted: string) => {
    const { args } = attributes.find(({ name }) => name === wanted) ?? {};
    return args ? lengthOf(scope, plainText(scope.tokens, args)) : 0;
  };
  return {
    sizeBytes: Math.max(sizeBytes, asked("size")),
    alignBytes: Math.max(alignBytes, asked("align")),
  };
}

/** Computes the layout of a vector; `vec3` is aligned as `vec4`. */
function vectorLayout(size: number, scalarBytes: number): TypeLayout {
  return { sizeBytes: size * scalarBytes, alignBytes: (size === 2 ? 2 : 4) * scalarBytes };
}

function arrayLayout({ sizeBytes, alignBytes }: TypeLayout, length: number): TypeLayout {
  return { sizeBytes: alignUp(sizeBytes, alignBytes) * length, alignBytes };
}

function lengthOf(scope: LayoutScope, text: string): number {
  const value = valueOf(scope, text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw unknownType(`array of ${text}`);
}

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  "|": (left, right) => left | right,
  "^": (left, right) => left ^ right,
  "&": (left, right) => left & right,
  "<<": (left, right) => left << right,
  ">>": (left, right) => left >> right,
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => Math.trunc(left / right),
  "%": (left, right) => left % right,
};

/** Evaluates an expression of integers and constants of a text; `NaN` if that is not possible. */
export function valueOf(scope: LayoutScope, text: string): number {
  const tokens = tokensOf(text);
  const expression = expressionOf({ tokens }, { start: 0, end: tokens.length });
  return expression ? valueOfExpression({ ...scope, tokens }, expression) : NaN;
}

/** Evaluates an expression whose names are constants of a text; `NaN` if that is not possible. */
export function valueOfExpression(
  scope: LayoutScope,
  { kind, text, start, operands }: Expression,
): number {
  const [left, right] = operands.map((one) => () => valueOfExpression(scope, one));
  switch (kind) {
    case "literal": {
      const [, number] = /^(0[xX][\da-fA-F]+|\d+)[iu]?$/.exec(text) ?? [];
      return Number(number ?? NaN);
    }
    case "name":
      return constantOf(scope, scope.tokens[start]!.text);
    case "group":
      return left!();
    case "unary":
      return text === "-" ? -left!() : text === "~" ? ~left!() : NaN;
    case "binary":
      return OPERATORS[text]?.(left!(), right!()) ?? NaN;
    default:
      return NaN;
  }
}

function constantOf(scope: LayoutScope, name: string): number {
  const { constants = {}, declarations, followed = [] } = scope;
  if (Object.hasOwn(constants, name)) return constants[name]!;
  const declared = declarations.variables.find((one) =>
    one.name.text === name && one.keyword === "const"
  );
  // A constant that depends on itself has no value.
  if (!declared || followed.includes(declared.name)) return NaN;
  const { tokens } = declarations;
  const value = expressionOf({ tokens }, declared.value);
  const inside = { ...scope, tokens, followed: [...followed, declared.name] };
  return value ? valueOfExpression(inside, value) : NaN;
}

function unknownType(type: string): TypeError {
  return new TypeError(
    `Cannot size the frame as its fields must be numbers, vectors, matrices, fixed arrays or structs of these: current value is ${type}`,
  );
}
