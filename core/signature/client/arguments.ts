import type { ApiFunction } from "../declare/signature.ts";
import type { CallShape } from "../wire/call_shape.ts";

/**
 * The values of a call by parameter: constants where they belong, variadic arguments as one list.
 *
 * @throws {TypeError} when there are too few or too many
 */
export function valuesByParameter(
  target: ApiFunction,
  shape: CallShape,
  given: readonly unknown[],
): unknown[] {
  checkCount(target, shape, given);
  let next = 0;
  return target.signature.parameters.map((parameter) => {
    if (parameter.kind === "constant") return parameter.value;
    return parameter.kind === "variadic" ? given.slice(next) : given[next++];
  });
}

/** Checks how many arguments there are; throws as {@linkcode valuesByParameter}. */
export function checkCount(
  { name }: ApiFunction,
  { argumentCount, isVariadic }: CallShape,
  given: readonly unknown[],
): void {
  if (given.length === argumentCount || (isVariadic && given.length > argumentCount)) return;
  const least = isVariadic ? "at least " : "";
  throw new TypeError(
    `Cannot call ${name} with ${given.length} arguments as it takes ${least}${argumentCount}`,
  );
}
