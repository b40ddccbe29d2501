import { foundOut, isLooselySame, isSame, isTrue } from "../path/condition.ts";
import { Run } from "../path/run.ts";
import { Abandoned } from "../path/thrown.ts";
import { isThing, Item, Native, type Plain, Unknown, type Value } from "../path/value.ts";

/** What an operator makes of two values. */
export function combined(run: Run, operator: string, operands: readonly [Value, Value]): Value {
  const [left, right] = operands.map(foundOut) as [Value, Value];
  switch (operator) {
    case "===":
    case "==":
      return isEqual(run, operator === "==" ? isLooselySame : isSame, [left, right]);
    case "!==":
    case "!=":
      return !isEqual(run, operator === "!=" ? isLooselySame : isSame, [left, right]);
    case "in":
      return right instanceof Item && !right.type && typeof left === "string"
        ? right.parts.has(left)
        : run.answer("in", left, right);
    case "instanceof":
      return isInstance(run, left, right);
  }
  if (!isThing(left) && !isThing(right)) return computed(operator, left, right);
  switch (operator) {
    case "<":
      return less(run, left, right);
    case ">":
      return less(run, right, left);
    case ">=":
      return !isTrue(run, less(run, left, right));
    case "<=":
      return !isTrue(run, less(run, right, left));
  }
  return unknownOf(run, operator, [left, right]);
}

/** What an operator makes of values of which not all are known. */
export function unknownOf(run: Run, operator: string, operands: readonly Value[]): Unknown {
  const answer = run.answer(operator, ...operands);
  const depths = operands.map((one) => one instanceof Unknown ? one.bitsDepth : 0);
  if (/^(?:[&|^~]|<<|>>>?)$/.test(operator)) answer.bitsDepth = 1 + Math.max(...depths);
  return answer;
}

/** Whether one value is less than another: of less, more and equal one is so. */
function less(run: Run, left: Value, right: Value): Value {
  const isMore = run.found("<", right, left);
  if (isMore) return false;
  const answer = run.answer("<", left, right);
  const isUnequal = wasUnequal(left, right) || wasUnequal(right, left) ||
    run.found("===", left, right) === false;
  if (isMore === false && isUnequal) answer.truth ??= true;
  return answer;
}

function wasUnequal(value: Value, plain: Value): boolean {
  return value instanceof Unknown && !isThing(plain) && value.unequal.has(plain);
}

/** Whether two values are equal: not where one was found to be less, or more. */
function isEqual(run: Run, compare: typeof isSame, operands: readonly [Value, Value]): boolean {
  const [left, right] = operands;
  const mayBeNumber = (one: Value) => typeof one === "number" || one instanceof Unknown;
  if (!mayBeNumber(left) || !mayBeNumber(right)) return compare(run, left, right);
  const others = [run.found("<", left, right), run.found("<", right, left)];
  if (others.includes(undefined)) return !others.includes(true) && compare(run, left, right);
  return !others.includes(true);
}

function isInstance(run: Run, value: Value, maker: Value): Value {
  if (!isThing(value)) return false;
  if (maker instanceof Native && maker.parts.has("fromEntries")) return true; // `Object`
  if (maker instanceof Item) {
    for (
      let one: Value = value instanceof Item ? value.base : undefined;
      one instanceof Item;
      one = one.base
    ) {
      if (one === maker.made?.methods) return true;
    }
    if (value instanceof Item && !value.type) return false;
    if (value instanceof Unknown && value.isForeignError && maker.made) return false;
  }
  return run.answer("instanceof", value, maker);
}

/** What the language makes of two values that are known. */
function computed(operator: string, left: Plain, right: Plain): Plain {
  // deno-lint-ignore no-explicit-any -- the program was checked, and the worst is NaN
  const [a, b] = [left, right] as any[];
  try {
    return OPERATORS[operator]?.(a, b);
  } catch {
    throw new Abandoned(true); // a bigint with a number
  }
}

// deno-lint-ignore no-explicit-any
const OPERATORS: Readonly<Record<string, (a: any, b: any) => Plain>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "**": (a, b) => a ** b,
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "<<": (a, b) => a << b,
  ">>": (a, b) => a >> b,
  ">>>": (a, b) => a >>> b,
};
