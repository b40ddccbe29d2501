/** Random functions with a call of each, for properties; every kind of parameter and of result. */
import fc from "fast-check";
import { fnv1a } from "../declare/fnv1a.ts";
import * as kind from "../declare/kind.ts";
import { lengthOf } from "../declare/length.ts";
import { type ApiFunction, fn, hostApi } from "../declare/signature.ts";
import { structLayout } from "../declare/struct_layout.ts";

/** A function, what a caller gives, what the host gets, and what it writes and returns then. */
export interface AnyCall {
  readonly target: ApiFunction;
  /** By parameter. */
  readonly given: readonly unknown[];
  /** As a decoder gives it: handles and callbacks are numbers. */
  readonly seen: readonly unknown[];
  /** What the host leaves in its arrays and objects, by parameter. */
  readonly written: readonly unknown[];
  readonly result: unknown;
}

/** A parameter or two with a call's values; the parameters depend on where they stand. */
interface Piece {
  readonly parameters: (index: number) => readonly kind.Parameter[];
  readonly given: readonly unknown[];
  readonly seen: readonly unknown[];
  readonly written: readonly unknown[];
}

const integers: Partial<Record<kind.ScalarName, readonly [number, number]>> = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32768, 32767],
  u16: [0, 65535],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
};

/** A value of a scalar: any at all, the ends of the range among them. */
export function scalarValue(type: kind.ScalarName): fc.Arbitrary<number | bigint | boolean> {
  if (type === "bool") return fc.boolean();
  if (type === "f64") return fc.double();
  if (type === "f32") return fc.float();
  const range = integers[type];
  if (range) return fc.integer({ min: range[0], max: range[1] });
  const isSigned = type === "i64" || type === "isize";
  return isSigned
    ? fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    : fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
}

const scalars = [
  ...[kind.bool, kind.i8, kind.u8, kind.i16, kind.u16, kind.i32, kind.u32, kind.i64, kind.u64],
  ...[kind.isize, kind.usize, kind.f32, kind.f64],
];
/** Every scalar. */
export const anyScalar: fc.Arbitrary<kind.Scalar> = fc.constantFrom(...scalars);

/** Text that can cross: no NUL, no half of a surrogate pair; marks of byte order among them. */
export const anyText: fc.Arbitrary<string> = fc.array(
  fc.oneof(
    fc.integer({ min: 1, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
    fc.constant(0xfeff),
  ),
  { maxLength: 12 },
).map((points) => String.fromCodePoint(...points));

const anyPointerField = fc.constantFrom(
  kind.handle("Thing"),
  kind.nullable(kind.handle("Thing")),
  kind.string,
  kind.nullable(kind.string),
);

/** A struct, at most two deep, with names that every object has among those of its fields. */
export const anyStruct: fc.Arbitrary<kind.Struct> = fc.letrec<{ one: kind.Struct }>((tie) => ({
  one: fc.dictionary(
    fc.oneof(fc.stringMatching(/^[a-z][a-z0-9_]{0,3}$/), fc.constantFrom("constructor", "valueOf")),
    fc.oneof({ depthSize: "xsmall", maxDepth: 1 }, anyScalar, anyPointerField, tie("one")),
    { minKeys: 1, maxKeys: 4, noNullPrototype: true },
  ).map((fields) => kind.struct(fields)),
})).one;

const handleValue = fc.integer({ min: 1, max: 2 ** 52 - 1 });

function fieldValue(field: kind.Field): fc.Arbitrary<unknown> {
  if (field.kind === "struct") return structValue(field);
  if (field.kind === "scalar") return scalarValue(field.type);
  if (field.kind === "string") return anyText;
  if (kind.innerKind(field).kind === "string") return fc.option(anyText);
  return field.kind === "handle" ? handleValue : fc.option(handleValue);
}

/** A value of a struct. */
export function structValue({ fields }: kind.Struct): fc.Arbitrary<object> {
  const members = Object.entries(fields).map(([name, field]) => [name, fieldValue(field)] as const);
  return fc.record(Object.fromEntries(members), { noNullPrototype: true });
}

/** The struct's value in which every field is 0. */
function zeroOf({ fields }: kind.Struct): object {
  const zero = (type: kind.ScalarName) =>
    type === "bool" ? false : /64|size/.test(type) && type !== "f64" ? 0n : 0;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.kind === "struct" ? zeroOf(field) : field.kind === "scalar" ? zero(field.type) : null,
    ]),
  );
}

function piece(parameter: kind.Parameter, given: unknown, seen = given, written = seen): Piece {
  return { parameters: () => [parameter], given: [given], seen: [seen], written: [written] };
}

const scalarPiece = anyScalar.chain((scalar) =>
  scalarValue(scalar.type).map((value) => piece(scalar, value))
);
const constantPiece = anyScalar.chain((scalar) =>
  scalarValue(scalar.type).map((value) => piece(kind.constant(scalar, value), value))
);

const anyDirection = fc.constantFrom("in" as const, "out" as const, "inout" as const);

/** Bytes, half of them with their length in a parameter behind them. */
const bytesPiece = fc.record({
  direction: anyDirection,
  isCounted: fc.boolean(),
  contents: fc.uint8Array({ maxLength: 40 }).chain((given) =>
    fc.tuple(
      fc.constant(given),
      fc.uint8Array({ minLength: given.length, maxLength: given.length }),
    )
  ),
}).map(({ direction, isCounted, contents: [given, back] }): Piece => {
  const seen = direction === "out" ? new Uint8Array(given.length) : given;
  const written = direction === "in" ? seen : back;
  if (!isCounted) return piece(kind.bytes(direction), given, seen, written);
  const count = given.length;
  return {
    parameters: (index) => [kind.bytes(direction, lengthOf(index + 1)), kind.u32],
    given: [given, count],
    seen: [seen, count],
    written: [written, count],
  };
});

const sizes = kind.struct({ flag: kind.bool, at: kind.struct({ size: kind.u32 }) });

/** Bytes whose length stands behind a pointer, where the function puts how much of them it filled. */
const fieldBytesPiece = fc.tuple(anyDirection, fc.uint8Array({ maxLength: 40 }), fc.nat(100))
  .map(([direction, given, back]): Piece => {
    const sized = (size: number) => ({ flag: true, at: { size } });
    const seen = direction === "out" ? new Uint8Array(given.length) : given;
    const bytes = (index: number) => kind.bytes(direction, lengthOf(index + 1, "at.size"));
    return {
      parameters: (index) => [bytes(index), kind.pointer("inout", sizes)],
      given: [given, sized(given.length)],
      seen: [seen, sized(given.length)],
      written: [seen, sized(direction === "in" ? back : back % (given.length + 1))],
    };
  });

const referencePiece = fc.tuple(anyStruct, anyDirection).chain(([struct, any]) =>
  fc.tuple(structValue(struct), structValue(struct)).map(([given, back]) => {
    const isOneWay = structLayout(struct).fields.some(({ handle }) => handle);
    const direction = isOneWay && any === "inout" ? "out" : any;
    const seen = direction === "out" ? zeroOf(struct) : given;
    return piece(kind.pointer(direction, struct), given, seen, direction === "in" ? seen : back);
  })
);
const structPiece = anyStruct.chain((struct) =>
  structValue(struct).map((value) => piece(struct, value))
);
const handlePiece = fc.tuple(handleValue, fc.boolean()).map(([value, isEnd]) =>
  piece(isEnd ? kind.ends("Thing") : kind.handle("Thing"), value)
);
const textPiece = anyText.map((text) => piece(kind.string, text));
const callbackPiece = fc.string().map((name) =>
  piece(kind.callback([kind.i32], kind.i32), name, fnv1a(name) as unknown as string)
);

/** What can be null, as it is or null. */
const nullablePiece = fc.tuple(
  fc.oneof(
    bytesPiece.filter(({ given }) => given.length === 1),
    referencePiece,
    handlePiece,
    textPiece,
    callbackPiece,
  ),
  fc.boolean(),
).map(([inner, isNull]): Piece => {
  const parameters = (index: number) => [
    kind.nullable(inner.parameters(index)[0] as kind.Pointer),
  ];
  return { ...inner, parameters, ...(isNull && { given: [null], seen: [null], written: [null] }) };
});

const variadicValue = fc.oneof(
  fc.double().map((value) => ({ type: "f64" as const, value })),
  anyText.map((value) => ({ type: "string" as const, value })),
  scalarValue("i64").map((value) => ({ type: "i64" as const, value: value as bigint })),
  scalarValue("u64").map((value) => ({ type: "u64" as const, value: value as bigint })),
  scalarValue("i32").map((value) => ({ type: "i32" as const, value: value as number })),
  scalarValue("u32").map((value) => ({ type: "u32" as const, value: value as number })),
);
/** Variadic arguments as callers give them, and as the host gets them. */
export const anyVariadic = fc.array(variadicValue, { maxLength: 6 }).map((seen) => {
  const bare = ["f64", "string", "i64"];
  return { given: seen.map((one) => bare.includes(one.type) ? one.value : one), seen };
});
const variadicPiece = anyVariadic.map(({ given, seen }) => piece(kind.variadic, given, seen));

/** The pieces that have a slot and nothing behind. */
const flatPieces = [scalarPiece, handlePiece, constantPiece];
const pieces = [
  ...[...flatPieces, bytesPiece, fieldBytesPiece, referencePiece, structPiece],
  ...[textPiece, callbackPiece, nullablePiece],
];

const anyResult = fc.oneof(
  fc.constant([kind.nothing, undefined] as const),
  anyScalar.chain((scalar) => scalarValue(scalar.type).map((value) => [scalar, value] as const)),
  anyStruct.chain((struct) => structValue(struct).map((value) => [struct, value] as const)),
  anyText.map((text) => [kind.string, text] as const),
  fc.option(anyText).map((text) => [kind.nullable(kind.string), text] as const),
  handleValue.map((value) => [kind.handle("Thing"), value] as const),
  fc.option(handleValue).map((value) => [kind.nullable(kind.handle("Thing")), value] as const),
);

/** Any function and a call of it. */
export const anyCall: fc.Arbitrary<AnyCall> = fc.tuple(
  fc.array(fc.oneof(...pieces), { maxLength: 5 }),
  fc.option(variadicPiece),
  anyResult,
).map(([front, last, [resultKind, result]]) => {
  const all = last ? [...front, last] : front;
  const parameters: kind.Parameter[] = [];
  for (const one of all) parameters.push(...one.parameters(parameters.length));
  const api = hostApi("any", { call: fn(parameters, resultKind) });
  return {
    target: api.functions.call as ApiFunction,
    given: all.flatMap(({ given }) => given),
    seen: all.flatMap(({ seen }) => seen),
    written: all.flatMap(({ written }) => written),
    result,
  };
});

const anyChanges = fc.record({
  bytes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
  words: fc.array(
    fc.tuple(
      fc.nat(),
      fc.oneof(
        fc.nat(9),
        fc.constantFrom(0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff8, 1 << 16),
      ),
    ),
    { maxLength: 3 },
  ),
  longer: fc.integer({ min: -20, max: 20 }),
});

/** Makes of a message what somebody could send in its place: bytes and words changed, longer or shorter. */
export const anyChange: fc.Arbitrary<(message: Uint8Array) => Uint8Array> = anyChanges.map(
  ({ bytes, words, longer }) => (message) => {
    const changed = new Uint8Array(Math.max(0, message.length + longer));
    changed.set(message.subarray(0, changed.length));
    for (const [place, byte] of bytes) changed[place % changed.length] = byte;
    const view = new DataView(changed.buffer);
    // Behind the hash: with another one nothing else is looked at.
    const room = Math.floor(changed.length / 4) - 1;
    for (const [place, word] of words) {
      if (room > 0) view.setUint32(4 * (1 + place % room), word, true);
    }
    return changed;
  },
);
