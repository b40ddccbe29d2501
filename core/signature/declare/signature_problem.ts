import { SLOT_CODECS } from "../wire/slot.ts";
import { type Field, innerKind, type Parameter } from "./kind.ts";
import { isOf, placeProblem } from "./kind_problem.ts";
import type { Length } from "./length.ts";
import type { FunctionSignature } from "./signature.ts";

/** What is wrong with a declaration; `undefined` when nothing is. */
export function signatureProblem(signature: FunctionSignature): string | undefined {
  const { parameters, result } = signature;
  if (!Array.isArray(parameters)) {
    return `the parameters must be an array: current value is ${parameters}`;
  }
  for (const [index, parameter] of parameters.entries()) {
    const problem = parameterProblem(parameter, index, parameters);
    if (problem) return `parameter ${index} ${problem}`;
  }
  const problem = placeProblem(result, "result");
  if (problem) return `the result ${problem}`;
  const made = innerKind(result);
  if (made.kind === "handle" && made.isEnd) return "a result ends no handle";
  if (made.kind === "handle" && made.name.includes("|")) return "a result is a handle of one name";
  return endProblem(signature) ?? blockingProblem(signature) ?? failureProblem(signature);
}

/** Whether a function can say by its result that it kept a handle. */
function endProblem({ parameters, result }: FunctionSignature): string | undefined {
  for (const [index, parameter] of parameters.entries()) {
    const kind = innerKind(parameter);
    if (kind.kind !== "handle" || !kind.gives) continue;
    const value = "when" in kind.gives ? kind.gives.when : kind.gives.unless;
    const isResult = value === null
      ? result.kind === "nullable"
      : result.kind === "scalar" && isOf(result.type, value);
    if (!isResult) return `parameter ${index} ends by a result that is none: ${String(value)}`;
  }
  return undefined;
}

function blockingProblem(signature: FunctionSignature): string | undefined {
  const { blocking, parameters, failsWith } = signature;
  if (blocking === undefined || blocking === false) return undefined;
  if (blocking !== true) return `blocking must be true or false: current value is ${blocking}`;
  if (parameters.some((parameter) => innerKind(parameter).kind === "callback")) {
    return "a callback is called by the thread that serves, where a blocking function does not run";
  }
  if (failsWith === undefined) return undefined;
  return "failsWith says that errno tells why, and that of a blocking function is its thread's: leave one out";
}

function parameterProblem(
  parameter: Parameter,
  index: number,
  parameters: readonly Parameter[],
): string | undefined {
  const problem = placeProblem(parameter, "parameter");
  if (problem) return problem;
  if (parameter.kind === "variadic") {
    return index === parameters.length - 1 ? undefined : "is variadic and not the last";
  }
  const inner = innerKind(parameter);
  return inner.kind === "bytes" ? lengthProblem(inner.length, parameters) : undefined;
}

function failureProblem({ result, failsWith, meaningOf }: FunctionSignature): string | undefined {
  if (meaningOf !== undefined && typeof meaningOf !== "function") {
    return `meaningOf must be a function of the error's number: current value is ${meaningOf}`;
  }
  if (failsWith === undefined) return undefined;
  if (failsWith === null) {
    return result.kind === "nullable"
      ? undefined
      : "a result that is never null fails so: declare it nullable";
  }
  const type = result.kind === "scalar" ? result.type : result.kind === "handle" && "handle";
  // A float that is rounded on its way would not be known again.
  const isSame = type !== "f32" || Object.is(Math.fround(failsWith as number), failsWith);
  if (type && isSame && isOf(type, failsWith)) return undefined;
  const demand = type ? SLOT_CODECS[type].demand : "left out, or null where it may be null";
  return `a failed call cannot return ${String(failsWith)}: with this result it must be ${demand}`;
}

function lengthProblem(
  length: Length | undefined,
  parameters: readonly Parameter[],
): string | undefined {
  for (const source of length?.sources ?? []) {
    const problem = sourceProblem(source, parameters[source.index]);
    if (!problem) continue;
    return `takes its length from parameter ${
      [source.index, ...source.path].join(".")
    }, ${problem}`;
  }
  return undefined;
}

function sourceProblem(
  { index, path }: Length["sources"][number],
  parameter: Parameter | undefined,
): string | undefined {
  const of = parameter?.kind === "constant" ? parameter.of : parameter;
  const struct = of?.kind === "reference" ? of.struct : of;
  if (path.length === 0) {
    if (struct?.kind !== "struct") return integerProblem(of);
    return `which is a struct: name the field, as in lengthOf(${index}, "value")`;
  }
  if (of?.kind === "nullable") return "which may be null and says nothing then";
  if (struct?.kind !== "struct") return "which has no fields";
  if (of?.kind === "reference" && of.direction === "out") {
    return 'which has no value before the call: declare the pointer "inout"';
  }
  const field = path.reduce<Parameter | Field | undefined>(
    (one, name) =>
      one?.kind === "struct" && Object.hasOwn(one.fields, name) ? one.fields[name] : undefined,
    struct,
  );
  return integerProblem(field);
}

function integerProblem(kind: Parameter | Field | undefined): string | undefined {
  const isInteger = kind?.kind === "scalar" && !["f32", "f64", "bool"].includes(kind.type);
  return isInteger ? undefined : "which is no unsigned or signed integer";
}
