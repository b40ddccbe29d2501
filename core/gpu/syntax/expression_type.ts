import { type Expression, readExpression } from "./expression.ts";
import {
  elementType,
  memberType,
  namedType,
  type Scope,
  shortType,
  type ValueType,
} from "./value_type.ts";
import { type TypedName, variableAt, type VariableDeclaration } from "./declarations.ts";
import { type Token, type TokenRange, TokenReader } from "./tokens.ts";

/** A module, and the types of the names in its expressions. */
export interface TypeScope extends Scope {
  /** The type of a name at a token; `undefined` if it is unknown. */
  readonly typeOfName: (at: number) => ValueType | undefined;
}

const BOOL: ValueType = { name: "bool", args: [] };
/** Operators that give a bool, or a vector of them. */
export const COMPARES: ReadonlySet<string> = new Set(["==", "!=", "<", ">", "<=", ">="]);
const NUMBER_TYPES: Readonly<Record<string, string>> = { u: "u32", i: "i32", f: "f32", h: "f16" };

function plain(name: string): ValueType {
  return { name, args: [] };
}

/**
 * Infers the type of an expression; `undefined` if it is unknown, such as a struct that only some
 * functions of WGSL return. Numbers without a suffix are `int` and `float`, like WGSL's abstract types:
 * see {@linkcode concreteType}.
 */
export function typeOfExpression(scope: TypeScope, expression: Expression): ValueType | undefined {
  const { kind, text, operands } = expression;
  const types = operands.map((operand) => typeOfExpression(scope, operand));
  const [first] = types;
  const value = valueBehind(first);
  switch (kind) {
    case "literal":
      return literalType(text);
    case "name":
      return scope.typeOfName(expression.start);
    case "group":
      return first;
    case "member":
      return value && memberType(scope, value, text);
    case "index":
      return value && elementType(value);
    case "unary":
      if (text === "&") return first && { name: "ptr", args: [plain(""), first] };
      return text === "*" ? value : first;
    case "binary":
      return binaryType(text, types);
    case "call":
      return callType(scope, expression, types);
  }
}

/** Makes an abstract type concrete: `int` becomes i32, and `float` f32. */
export function concreteType(type: ValueType): ValueType {
  const { name, args } = type;
  const concrete = name === "int" ? "i32" : name === "float" ? "f32" : name;
  return { ...type, name: concrete, args: args.map(concreteType) };
}

/** Dereferences a pointer, as `.` and `[` do. */
export function valueBehind(type: ValueType | undefined): ValueType | undefined {
  return type?.name === "ptr" ? type.args[1] : type;
}

function literalType(text: string): ValueType {
  if (text === "true" || text === "false") return BOOL;
  // A string in a kernel is its address in the heap.
  if (text.startsWith('"')) return plain("u32");
  const isHex = /^0[xX]/.test(text);
  const suffix = /[uih]$/.exec(text)?.[0] ?? (isHex ? undefined : /f$/.exec(text)?.[0]);
  if (suffix) return plain(NUMBER_TYPES[suffix]!);
  if (isHex && /[pP].*f$/.test(text)) return plain("f32");
  return plain((isHex ? /[.pP]/ : /[.eE]/).test(text) ? "float" : "int");
}

/** Infers the type of an operation; `undefined` if it is unknown. */
export function binaryType(
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

/** Infers the type of a product: that of matrices has the rows of the left and the columns of the right. */
function productType(left: ValueType, right: ValueType): ValueType | undefined {
  const [, leftColumns, leftRows] = /^mat(\d)x(\d)$/.exec(left.name) ?? [];
  const [, rightColumns, rightRows] = /^mat(\d)x(\d)$/.exec(right.name) ?? [];
  const { args } = leftRows ? left : right;
  if (leftRows && right.name === `vec${leftColumns}`) return { name: `vec${leftRows}`, args };
  if (rightRows && left.name === `vec${rightRows}`) return { name: `vec${rightColumns}`, args };
  if (leftRows && rightColumns) return { name: `mat${rightColumns}x${leftRows}`, args };
  return unified(left, right);
}

function callType(
  scope: TypeScope,
  { text, start, open = start }: Expression,
  types: readonly (ValueType | undefined)[],
): ValueType | undefined {
  const { functions, structs } = scope.declarations;
  const declared = functions.find(({ name }) => name.text === text);
  if (declared) {
    const { result } = declared;
    return result.end > result.start ? namedType(scope, result) : undefined;
  }
  const type = namedType(scope, { start, end: open });
  if (text === "bitcast") return type.args[0];
  if (structs.has(type.name) || /^(?:bool|[uif]32|f16)$/.test(type.name)) return type;
  if (!/^(?:vec[2-4]|mat[2-4]x[2-4]|array)$/.test(type.name)) return builtinType(text, types);
  return type.args.length > 0 ? type : constructedType(type.name, types);
}

/** Infers the type of `vec3(1, 2, x)` or `array(a, b)` from its arguments. */
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

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Functions whose result has the common type of their arguments. */
const OF_ALL = names(`atan2 clamp faceForward fma max min mix pow reflect smoothstep step cross`);
/** Functions whose result has the type of their first argument, which may be an integer. */
const INTEGERS_FIRST = `abs countLeadingZeros countOneBits countTrailingZeros extractBits
  firstLeadingBit firstTrailingBit insertBits reverseBits sign subgroupAdd
  subgroupExclusiveAdd subgroupInclusiveAdd subgroupMul subgroupExclusiveMul subgroupInclusiveMul
  subgroupMin subgroupMax subgroupAnd subgroupOr subgroupXor subgroupBroadcast
  subgroupBroadcastFirst subgroupShuffle subgroupShuffleUp subgroupShuffleDown subgroupShuffleXor
  quadBroadcast quadSwapX quadSwapY quadSwapDiagonal`;
/** Functions whose result has the type of their first argument. */
const OF_FIRST = names(`${INTEGERS_FIRST} acos acosh asin asinh atan atanh ceil cos cosh
  degrees exp exp2 floor fract inverseSqrt ldexp log log2 normalize quantizeToF16 radians refract
  round saturate sin sinh sqrt tan tanh trunc
  dpdx dpdxCoarse dpdxFine dpdy dpdyCoarse dpdyFine fwidth fwidthCoarse fwidthFine`);
/** Functions whose result is one component of their first argument. */
const OF_COMPONENT = names("dot length distance determinant");
/** Functions of these that accept integers; the others turn a number without a suffix into a float. */
const OF_INTEGERS = names(`${INTEGERS_FIRST} clamp dot max min`);
const ATOMICS = names(`atomicLoad atomicAdd atomicSub atomicMax atomicMin atomicAnd atomicOr
  atomicXor atomicExchange`);

/** Functions with a fixed result type: those of WGSL and those of kernels. */
const FIXED = new Map(
  Object.entries({
    bool: "all any subgroupAll subgroupAny subgroupElect",
    u32: `textureNumLayers textureNumLevels textureNumSamples arrayLength dot4U8Packed pack4x8snorm
      pack4x8unorm pack4xI8 pack4xU8 pack4xI8Clamp pack4xU8Clamp pack2x16snorm pack2x16unorm
      pack2x16float reply reply_status stream_length stream_word heap_u8 heap_u32 heap_add_u32`,
    i32: "dot4I8Packed heap_i32",
    f32: "textureSampleCompare textureSampleCompareLevel heap_f32 heap_f64",
    vec2u: "heap_vec2u",
    vec2f: "unpack2x16snorm unpack2x16unorm unpack2x16float",
    vec4i: "unpack4xI8",
    vec4u: "subgroupBallot unpack4xU8",
    vec4f: `textureGatherCompare textureSampleBaseClampToEdge unpack4x8snorm unpack4x8unorm`,
  }).flatMap(([text, list]) => [...names(list)].map((name) => [name, shortType(text)] as const)),
);

/** Infers the result type of a function of WGSL; `undefined` if it is unknown. */
export function builtinType(
  name: string,
  types: readonly (ValueType | undefined)[],
): ValueType | undefined {
  const [first, second] = types;
  const fixed = FIXED.get(name);
  if (fixed) return fixed;
  if (first === undefined) return undefined;
  if (name.startsWith("texture")) return texelType(name, types);
  if (name === "workgroupUniformLoad") {
    const loaded = valueBehind(first);
    return loaded?.name === "atomic" ? loaded.args[0] : loaded;
  }
  const common = ofNumbers(name, types);
  if (common) return OF_INTEGERS.has(name) ? common : floating(common);
  if (name === "select") return second && unified(first, second);
  if (name === "frexp" || name === "modf") return { name, args: [floating(first)] };
  const atomic = first.args[1]?.args[0];
  if (ATOMICS.has(name)) return atomic;
  if (name === "atomicCompareExchangeWeak") return atomic && { name, args: [atomic] };
  const [, columns, rows] = /^mat(\d)x(\d)$/.exec(first.name) ?? [];
  return name === "transpose" && columns
    ? { name: `mat${rows}x${columns}`, args: first.args }
    : undefined;
}

/** Infers what a function of textures gives. */
function texelType(
  name: string,
  types: readonly (ValueType | undefined)[],
): ValueType | undefined {
  const texture = types.find((type) => type?.name.startsWith("texture_"));
  if (!texture) return undefined;
  if (name === "textureDimensions") {
    const size = /_1d/.test(texture.name) ? 1 : /_3d/.test(texture.name) ? 3 : 2;
    return size === 1 ? plain("u32") : { name: `vec${size}`, args: [plain("u32")] };
  }
  if (!/^texture(?:Load|Gather|Sample(?:Bias|Grad|Level)?)$/.test(name)) return undefined;
  const isDepth = texture.name.startsWith("texture_depth");
  if (isDepth && name !== "textureGather") return plain("f32");
  const format = texture.args[0]?.name ?? "";
  const ofFormat = format.endsWith("uint") ? "u32" : format.endsWith("sint") ? "i32" : "f32";
  const isStorage = texture.name.startsWith("texture_storage");
  const scalar = isStorage || isDepth || format === "" ? plain(ofFormat) : texture.args[0]!;
  return { name: "vec4", args: [scalar] };
}

function ofNumbers(
  name: string,
  types: readonly (ValueType | undefined)[],
): ValueType | undefined {
  const first = types[0]!;
  // In `mix(v, w, 0.5)` the vectors determine the type.
  if (OF_ALL.has(name)) return types.reduce((one, other) => one && other && unified(one, other));
  if (OF_FIRST.has(name)) return first;
  return OF_COMPONENT.has(name) ? first.args[0] ?? first : undefined;
}

/** Converts a type where floats are required. */
export function floating({ name, args }: ValueType): ValueType {
  return { name: name === "int" ? "float" : name, args: args.map(floating) };
}

/**
 * Combines the types of two operands: a vector and a number give a vector, and a number without a
 * suffix takes the other type.
 */
export function unified(left: ValueType, right: ValueType): ValueType {
  const [one, other] = [left.args[0] ?? left, right.args[0] ?? right];
  const isOne = !/^(?:int|float)$/.test(one.name) ||
    (one.name === "float" && other.name === "int");
  const component = isOne ? one : other;
  const shape = left.args.length > 0 ? left : right;
  if (shape.args.length === 0) return component;
  return { name: shape.name, args: [component, ...shape.args.slice(1)] };
}

/** The types of names that every kernel has without a declaration. */
export const RUNTIME_NAMES: Readonly<Record<string, ValueType>> = {
  lane_index: { name: "u32", args: [] },
  wave_index: { name: "u32", args: [] },
};

/**
 * Infers the type of an expression in a text whose names are not resolved; `undefined` if it is
 * unknown. A number without a suffix is `int` or `float`: see `concreteType`.
 */
export function typeOfRange(scope: Scope, range: TokenRange): ValueType | undefined {
  const expression = expressionOf(scope, range);
  return expression && typeOfPart(scope, expression);
}

/** Infers the type of an expression that was read, as {@linkcode typeOfRange} does. */
export function typeOfPart(scope: Scope, expression: Expression): ValueType | undefined {
  const typeOfName = (at: number) => {
    const declared = declarationOf(scope, at);
    return declared ? typeOfDeclared(scope, declared) : RUNTIME_NAMES[scope.tokens[at]!.text];
  };
  return typeOfExpression({ ...scope, typeOfName }, expression);
}

/** Reads some tokens as one expression, if they are one. */
export function expressionOf(
  { tokens }: Pick<Scope, "tokens">,
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

/** The type of a declaration: as written, or that of its initialiser. */
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

/** Finds the declaration of a name at a token: the nearest one whose block is still open. */
export function declarationOf(
  { tokens, declarations }: Scope,
  at: number,
): TypedName | VariableDeclaration | undefined {
  const { text } = tokens[at]!;
  const inside = declarations.functions.find(({ body }) => at >= body.start && at < body.end);
  return (inside && localOf(tokens, at, inside.body.start)) ??
    [...inside?.parameters ?? [], ...declarations.variables].find(({ name }) => name.text === text);
}

/** Finds the local variable that a token names, skipping blocks that end before it. */
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
      // A variable is not visible in its own initialiser.
      const isOwn = declared && declared.value.start <= at && at < declared.value.end;
      if (declared?.name.text === tokens[at]!.text && !isOwn) return declared;
    }
  }
  return undefined;
}

/** Finds the start of a block's head that ends with a parenthesis, where a `for` may declare a variable. */
function headOf(tokens: readonly Token[], closing: number): number {
  let [at, depth] = [closing, 1];
  while (at > 0 && depth > 0) {
    at--;
    depth += tokens[at]!.text === ")" ? 1 : tokens[at]!.text === "(" ? -1 : 0;
  }
  return at;
}
