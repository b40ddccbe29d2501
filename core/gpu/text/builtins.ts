import {
  behind,
  BOOL,
  COMPARES,
  floating,
  isVector,
  plain,
  SUFFIXES,
  type Type,
  unified,
} from "./value_type.ts";

/** The members of the results of functions of WGSL, whose types have no names. */
export const RESULTS: Readonly<Record<string, readonly string[]>> = {
  modf: ["fract", "whole"],
  frexp: ["fract", "exp"],
  atomicCompareExchangeWeak: ["old_value", "exchanged"],
};

/** The type of a literal. */
export function literalType(text: string): Type {
  if (text === "true" || text === "false") return BOOL;
  // A string in a kernel is its address in the heap.
  if (text.startsWith('"')) return plain("u32");
  const isHex = /^0[xX]/.test(text);
  const suffix = /[uih]$/.exec(text)?.[0] ?? (isHex ? undefined : /f$/.exec(text)?.[0]);
  if (suffix) return plain(SUFFIXES[suffix]!);
  if (isHex && /[pP].*f$/.test(text)) return plain("f32");
  return plain((isHex ? /[.pP]/ : /[.eE]/).test(text) ? "float" : "int");
}

/** Infers what an operator gives. */
export function binaryType(
  operator: string,
  [left, right]: readonly (Type | undefined)[],
): Type | undefined {
  if (operator === "&&" || operator === "||") return BOOL;
  const known = left ?? right;
  if (COMPARES.has(operator)) {
    return known && (isVector(known) ? plain(known.name, BOOL) : BOOL);
  }
  if (operator === "<<" || operator === ">>") return left;
  if (left === undefined || right === undefined) return undefined;
  return operator === "*" ? productType(left, right) : unified(left, right);
}

/** A product of matrices has the rows of the left and the columns of the right. */
function productType(left: Type, right: Type): Type | undefined {
  const [, leftColumns, leftRows] = /^mat(\d)x(\d)$/.exec(left.name) ?? [];
  const [, rightColumns, rightRows] = /^mat(\d)x(\d)$/.exec(right.name) ?? [];
  const { args } = leftRows ? left : right;
  if (leftRows && right.name === `vec${leftColumns}`) return plain(`vec${leftRows}`, ...args);
  if (rightRows && left.name === `vec${rightRows}`) return plain(`vec${rightColumns}`, ...args);
  if (leftRows && rightColumns) return plain(`mat${rightColumns}x${leftRows}`, ...args);
  return unified(left, right);
}

/** Infers the type of `vec3(1, 2, x)` or `array(a, b)` from its arguments. */
export function constructedType(
  name: string,
  types: readonly (Type | undefined)[],
): Type | undefined {
  const isArray = name === "array";
  const scalars = types.map((type) => !isArray && type?.args[0] ? type.args[0] : type);
  const [first, ...others] = scalars;
  const element = others.reduce((one, other) => one && other && unified(one, other), first);
  if (element === undefined) return undefined;
  if (name.startsWith("mat")) return plain(name, floating(element));
  return plain(name, element, ...isArray ? [plain(`${types.length}`)] : []);
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Functions whose result has the common type of their arguments. */
const OF_ALL = names("atan2 clamp faceForward fma max min mix pow reflect smoothstep step cross");
/** Functions whose result has the type of their first argument, which may be an integer. */
const INTEGERS_FIRST = `abs countLeadingZeros countOneBits countTrailingZeros extractBits
  firstLeadingBit firstTrailingBit insertBits reverseBits sign subgroupAdd
  subgroupExclusiveAdd subgroupInclusiveAdd subgroupMul subgroupExclusiveMul subgroupInclusiveMul
  subgroupMin subgroupMax subgroupAnd subgroupOr subgroupXor subgroupBroadcast
  subgroupBroadcastFirst subgroupShuffle subgroupShuffleUp subgroupShuffleDown subgroupShuffleXor
  quadBroadcast quadSwapX quadSwapY quadSwapDiagonal`;
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
/** Functions with a fixed result type: those of WGSL, and those that every kernel has. */
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
    vec4f: "textureGatherCompare textureSampleBaseClampToEdge unpack4x8snorm unpack4x8unorm",
  }).flatMap(([text, list]) => {
    const vector = /^vec/.test(text);
    const type = vector ? plain(text.slice(0, 4), plain(SUFFIXES[text[4]!]!)) : plain(text);
    return [...names(list)].map((name) => [name, type] as const);
  }),
);

/** Infers the result type of a function of WGSL; `undefined` if it is unknown. */
export function builtinType(name: string, types: readonly (Type | undefined)[]): Type | undefined {
  const [first, second] = types;
  const fixed = FIXED.get(name);
  if (fixed) return fixed;
  if (first === undefined) return undefined;
  if (name.startsWith("texture")) return texelType(name, types);
  if (name === "workgroupUniformLoad") {
    const loaded = behind(first);
    return loaded?.name === "atomic" ? loaded.args[0] : loaded;
  }
  const common = commonType(name, types);
  if (common) return OF_INTEGERS.has(name) ? common : floating(common);
  if (name === "select") return second && unified(first, second);
  if (name === "frexp" || name === "modf") return plain(name, floating(first));
  const atomic = first.args[1]?.args[0];
  if (ATOMICS.has(name)) return atomic;
  if (name === "atomicCompareExchangeWeak") return atomic && plain(name, atomic);
  const [, columns, rows] = /^mat(\d)x(\d)$/.exec(first.name) ?? [];
  return name === "transpose" && columns
    ? plain(`mat${rows}x${columns}`, ...first.args)
    : undefined;
}

/** The type that a function of numbers and vectors takes and gives. */
function commonType(name: string, types: readonly (Type | undefined)[]): Type | undefined {
  const first = types[0]!;
  // In `mix(v, w, 0.5)` the vectors determine the type.
  if (OF_ALL.has(name)) return types.reduce((one, other) => one && other && unified(one, other));
  if (OF_FIRST.has(name)) return first;
  return OF_COMPONENT.has(name) ? first.args[0] ?? first : undefined;
}

/** Infers what a function of textures gives. */
function texelType(name: string, types: readonly (Type | undefined)[]): Type | undefined {
  const texture = types.find((type) => type?.name.startsWith("texture_"));
  if (!texture) return undefined;
  if (name === "textureDimensions") {
    const size = /_1d/.test(texture.name) ? 1 : /_3d/.test(texture.name) ? 3 : 2;
    return size === 1 ? plain("u32") : plain(`vec${size}`, plain("u32"));
  }
  if (!/^texture(?:Load|Gather|Sample(?:Bias|Grad|Level)?)$/.test(name)) return undefined;
  const isDepth = texture.name.startsWith("texture_depth");
  if (isDepth && name !== "textureGather") return plain("f32");
  const format = texture.args[0]?.name ?? "";
  const ofFormat = format.endsWith("uint") ? "u32" : format.endsWith("sint") ? "i32" : "f32";
  const isStorage = texture.name.startsWith("texture_storage");
  return plain("vec4", isStorage || isDepth || format === "" ? plain(ofFormat) : texture.args[0]!);
}
