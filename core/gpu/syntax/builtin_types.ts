import type { ValueType } from "./value_type.ts";

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Functions whose result has the type that all their arguments have. */
const OF_ALL = names(`atan2 clamp faceForward fma max min mix pow reflect smoothstep step cross`);
/** Functions whose result has the type of their first argument. */
const OF_FIRST = names(`abs acos acosh asin asinh atan atanh ceil cos cosh countLeadingZeros
  countOneBits countTrailingZeros degrees exp exp2 extractBits firstLeadingBit firstTrailingBit
  floor fract insertBits inverseSqrt ldexp log log2 normalize quantizeToF16 radians refract
  reverseBits round saturate sign sin sinh sqrt tan tanh trunc`);
/** Functions whose result is one component of their first argument. */
const OF_COMPONENT = names("dot length distance determinant");
/** Those of all these that compute with integers, too: of a number without a suffix others make a float. */
const OF_INTEGERS = names(
  `abs clamp countLeadingZeros countOneBits countTrailingZeros dot extractBits
  firstLeadingBit firstTrailingBit insertBits max min reverseBits sign`,
);
const ATOMICS = names(`atomicLoad atomicAdd atomicSub atomicMax atomicMin atomicAnd atomicOr
  atomicXor atomicExchange`);

function typed(name: string, component?: string): ValueType {
  return { name, args: component === undefined ? [] : [{ name: component, args: [] }] };
}

/** Functions with one result type: those of WGSL, then those that a kernel has beside them. */
const FIXED: Readonly<Record<string, ValueType>> = {
  all: typed("bool"),
  any: typed("bool"),
  arrayLength: typed("u32"),
  dot4U8Packed: typed("u32"),
  dot4I8Packed: typed("i32"),
  ...Object.fromEntries(
    ["4x8snorm", "4x8unorm", "4xI8", "4xU8", "4xI8Clamp", "4xU8Clamp"]
      .concat(["2x16snorm", "2x16unorm", "2x16float"])
      .map((form) => [`pack${form}`, typed("u32")]),
  ),
  unpack4x8snorm: typed("vec4", "f32"),
  unpack4x8unorm: typed("vec4", "f32"),
  unpack4xI8: typed("vec4", "i32"),
  unpack4xU8: typed("vec4", "u32"),
  unpack2x16snorm: typed("vec2", "f32"),
  unpack2x16unorm: typed("vec2", "f32"),
  unpack2x16float: typed("vec2", "f32"),
  reply: typed("u32"),
  reply_status: typed("u32"),
  stream_length: typed("u32"),
  stream_word: typed("u32"),
  heap_u8: typed("u32"),
  heap_u32: typed("u32"),
  heap_add_u32: typed("u32"),
  heap_i32: typed("i32"),
  heap_f32: typed("f32"),
  heap_vec2u: typed("vec2", "u32"),
  heap_f64: typed("f32"),
};

/** The result type of a function of WGSL; `undefined` where it is not known. */
export function builtinType(
  name: string,
  types: readonly (ValueType | undefined)[],
): ValueType | undefined {
  const [first, second] = types;
  if (name in FIXED) return FIXED[name];
  if (first === undefined) return undefined;
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

function ofNumbers(
  name: string,
  types: readonly (ValueType | undefined)[],
): ValueType | undefined {
  const first = types[0]!;
  if (OF_ALL.has(name)) return allUnified(types);
  if (OF_FIRST.has(name)) return first;
  return OF_COMPONENT.has(name) ? first.args[0] ?? first : undefined;
}

/** What becomes of a type where floats are wanted. */
export function floating({ name, args }: ValueType): ValueType {
  return { name: name === "int" ? "float" : name, args: args.map(floating) };
}

function allUnified(types: readonly (ValueType | undefined)[]): ValueType | undefined {
  // `mix(v, w, 0.5)` has a scalar among vectors: the vectors say what comes out.
  return types.reduce((one, other) => one && other && unified(one, other));
}

/**
 * What an operator makes of two types: a vector of a vector and a number, and of a number without a
 * suffix what the other one is.
 */
export function unified(left: ValueType, right: ValueType): ValueType {
  const component = narrower(left.args[0] ?? left, right.args[0] ?? right);
  const shape = left.args.length > 0 ? left : right;
  if (shape.args.length === 0) return component;
  return { name: shape.name, args: [component, ...shape.args.slice(1)] };
}

const ABSTRACT = ["int", "float"];

function narrower(left: ValueType, right: ValueType): ValueType {
  return ABSTRACT.indexOf(left.name) < 0 || left.name === "float" && right.name === "int"
    ? left
    : right;
}
