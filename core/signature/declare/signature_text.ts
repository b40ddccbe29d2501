import type { Parameter, Result, Scalar, Struct } from "./kind.ts";
import type { FunctionSignature } from "./signature.ts";

/** The signature of a function as both sides must have it: `math.hypot(f64, f64) -> f64`. */
export function signatureText(name: string, signature: FunctionSignature): string {
  const { parameters, result, failsWith } = signature;
  const failure = failsWith === undefined ? "" : `, ${failsWith} on failure`;
  return `${name}(${parameters.map(kindText).join(", ")}) -> ${kindText(result)}${failure}`;
}

function kindText(kind: Parameter | Result): string {
  switch (kind.kind) {
    case "scalar":
      return kind.type;
    case "bytes":
      return `${kind.direction} bytes${kind.length ? `[${kind.length}]` : ""}`;
    case "handle":
      return `${kind.isEnd ? "ends " : ""}Handle<${kind.name}>`;
    case "struct":
      return structText(kind);
    case "reference":
      return `${kind.direction} *${structText(kind.struct)}`;
    case "nullable":
      return `${kindText(kind.of)} or null`;
    case "constant":
      return `${kind.of.type} = ${kind.value}`;
    case "callback":
      return `(${kind.parameters.map(kindText).join(", ")}) => ${kindText(kind.result)}`;
    case "variadic":
      return "...";
    default:
      return kind.kind;
  }
}

function structText({ fields }: Struct): string {
  const texts = Object.entries(fields).map(([name, field]) => `${name}: ${kindText(field)}`);
  return `{ ${texts.join(", ")} }`;
}

/** What is wrong with a declaration; `undefined` when nothing is. */
export function signatureProblem(signature: FunctionSignature): string | undefined {
  const { parameters, result, failsWith } = signature;
  for (const [index, parameter] of parameters.entries()) {
    const problem = parameterProblem(parameter, index, parameters);
    if (problem) return `parameter ${index} ${problem}`;
  }
  if (result.kind === "handle" && result.isEnd) return "a result ends no handle";
  if (failsWith === null && result.kind !== "nullable") {
    return "a result that is never null fails so";
  }
  return undefined;
}

function parameterProblem(
  parameter: Parameter,
  index: number,
  parameters: readonly Parameter[],
): string | undefined {
  if (parameter.kind === "variadic") {
    return index === parameters.length - 1 ? undefined : "is variadic and not the last";
  }
  const inner = parameter.kind === "nullable" ? parameter.of : parameter;
  if (inner.kind === "bytes") return lengthProblem(inner.length?.indexes ?? [], parameters);
  const struct = inner.kind === "reference" ? inner.struct : inner;
  return struct.kind === "struct" && isEmpty(struct) ? "is a struct without fields" : undefined;
}

function isEmpty({ fields }: Struct): boolean {
  const members = Object.values(fields);
  return members.length === 0 || members.some((one) => one.kind === "struct" && isEmpty(one));
}

function lengthProblem(
  indexes: readonly number[],
  parameters: readonly Parameter[],
): string | undefined {
  const stray = indexes.find((index) => !countsBytes(parameters[index]));
  if (stray === undefined) return undefined;
  return `takes its length from parameter ${stray}, which is no unsigned or signed integer`;
}

function countsBytes(parameter: Parameter | undefined): boolean {
  if (parameter?.kind === "constant") return countsBytes(parameter.of);
  return parameter?.kind === "scalar" && isInteger(parameter);
}

function isInteger({ type }: Scalar): boolean {
  return type !== "f32" && type !== "f64" && type !== "bool";
}
