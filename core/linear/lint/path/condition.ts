import { ts } from "../program/compiler.ts";
import { Run } from "./run.ts";
import { Abandoned } from "./thrown.ts";
import { isThing, type Plain, type Thing, Unknown, type Value } from "./value.ts";

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;
const ALWAYS_TRUE = ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive | ts.TypeFlags.ESSymbolLike;

/** A mask that a program keeps is beyond what the rules understand, one that it looks at is not. */
const BITS_DEPTH_MAX = 2;

/** What a condition is; where nobody knows, the path takes one of both ways and stays with it. */
export function isTrue(run: Run, value: Value): boolean {
  if (!isThing(value)) return Boolean(value);
  if (!(value instanceof Unknown)) return true;
  if (value.truth === undefined) {
    if (value.bitsDepth > BITS_DEPTH_MAX) throw new Abandoned(false);
    const known = truthOf(value) ?? truthOfNumber(run, value);
    value.truth = known ?? run.choose(2) === 0;
    const parts = partsOf(value.type());
    if (value.truth) value.isNullish = false;
    else if (parts.every(({ flags }) => (flags & (NOTHING | ALWAYS_TRUE)) !== 0)) {
      value.isNullish = parts.length > 0 ? true : value.isNullish;
    }
  }
  return value.truth;
}

function truthOf(value: Unknown): boolean | undefined {
  if (value.isNullish) return false;
  if (value.equal !== undefined) return Boolean(value.equal);
  const parts = partsOf(value.type());
  if (parts.length === 0) return undefined;
  if (parts.every(({ flags }) => (flags & NOTHING) !== 0)) return false;
  const isObject = parts.every(({ flags }) =>
    (flags & ALWAYS_TRUE) !== 0 || (value.isNullish === false && (flags & NOTHING) !== 0)
  );
  return isObject ? true : undefined;
}

/** A number that was found to be something else than 0, or more. */
function truthOfNumber(run: Run, value: Unknown): boolean | undefined {
  if (value.unequal.has(0)) return true;
  return run.found("<", 0, value);
}

/** Whether a value is `undefined` or `null`. */
export function isNullish(run: Run, value: Value): boolean {
  if (!(value instanceof Unknown)) return value === undefined || value === null;
  if (value.isNullish === undefined) {
    const parts = partsOf(value.type());
    const nothing = parts.filter(({ flags }) => (flags & NOTHING) !== 0);
    const isOpen = parts.length === 0 ||
      parts.some(({ flags }) => (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0);
    if (value.truth || value.equal !== undefined) value.isNullish = false;
    else if (isOpen) value.isNullish = run.choose(2) === 1;
    else if (nothing.length === 0) value.isNullish = false;
    else value.isNullish = nothing.length === parts.length || run.choose(2) === 1;
    if (value.isNullish) value.truth = false;
  }
  return value.isNullish;
}

/** What a value was found equal to. */
export function foundOut(value: Value): Value {
  return value instanceof Unknown && value.equal !== undefined ? value.equal : value;
}

/** Whether two values are the same. */
export function isSame(run: Run, left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left instanceof Unknown && !isThing(right)) return isPlain(run, left, right);
  if (right instanceof Unknown && !isThing(left)) return isPlain(run, right, left);
  const isOpen = left instanceof Unknown || right instanceof Unknown;
  return isOpen && run.areSame(left as Thing, right as Thing, true);
}

/** Whether two values are the same, or both are nothing: `a == null`. */
export function isLooselySame(run: Run, left: Value, right: Value): boolean {
  const isNothing = (one: Value) => one === undefined || one === null;
  if (isNothing(left)) return isNullish(run, right);
  return isNothing(right) ? isNullish(run, left) : isSame(run, left, right);
}

function isPlain(run: Run, value: Unknown, plain: Plain): boolean {
  if (plain === undefined || plain === null) {
    if (!isNullish(run, value)) return false;
    const kinds = partsOf(value.type()).map(({ flags }) => flags & NOTHING).filter(Boolean);
    const own = plain === null ? ts.TypeFlags.Null : ts.TypeFlags.Undefined | ts.TypeFlags.Void;
    if (kinds.length === 0 || kinds.every((one) => (one & own) !== 0)) return true;
    if (kinds.every((one) => (one & own) === 0) || value.unequal.has(plain)) return false;
    const other = plain === null ? undefined : null;
    if (!value.unequal.has(other)) value.unequal.add(run.choose(2) === 0 ? other : plain);
    return value.unequal.has(other);
  }
  if (value.equal !== undefined) return value.equal === plain;
  if (value.unequal.has(plain) || value.isNullish) return false;
  if (typeof plain === "boolean") {
    return isTrue(run, value) === plain;
  }
  if (value.truth !== undefined && value.truth !== Boolean(plain)) return false;
  const left = literalsOf(value.type()).filter((one) => {
    return !value.unequal.has(one) && value.truth !== !one;
  });
  const isLast = left.length === 1 && left[0] === plain;
  if (isLast || run.choose(2, left.length > 0) === 0) value.equal = plain;
  else value.unequal.add(plain);
  return value.equal !== undefined;
}

/** The values of a type that has only some; none where it may be anything. */
function literalsOf(type: ts.Type | undefined): readonly Plain[] {
  const parts = partsOf(type);
  const all = parts.map((one) => one.isStringLiteral() || one.isNumberLiteral() ? one.value : null);
  return all.includes(null) ? [] : all;
}

function partsOf(whole: ts.Type | undefined): readonly ts.Type[] {
  const isOpen = whole && (whole.flags & ts.TypeFlags.TypeParameter) !== 0;
  const type = isOpen ? whole.getConstraint() : whole;
  if (!type || (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return [];
  return type.isUnion() ? type.types : [type];
}
