import { ByteSlots } from "../wire/byte_slots.ts";
import { SLOT_BYTES, SLOT_CODECS } from "../wire/slot.ts";
import type {
  Constant,
  Field,
  HandleKind,
  Parameter,
  Reference,
  Result,
  Scalar,
  ScalarName,
  Struct,
} from "./kind.ts";
import type { FunctionSignature } from "./signature.ts";
import { structLayout } from "./struct_layout.ts";

/**
 * What names are made of: they stand in WGSL and C, too. Also of fields and handles, as a name with
 * other letters could make the texts of two signatures the same.
 */
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Whether APIs, functions, fields and handles can have the name: ASCII letters, digits and `_`. */
export function isName(name: string): boolean {
  return NAME.test(name);
}

/** Kinds by where they may stand; and those that may be null there. */
const KINDS = {
  parameter: {
    all: [
      "scalar",
      "string",
      "bytes",
      "struct",
      "reference",
      "handle",
      "callback",
      "constant",
      "variadic",
    ],
    nullable: ["string", "bytes", "reference", "handle", "callback"],
  },
  result: { all: ["scalar", "void", "string", "struct", "handle"], nullable: ["string", "handle"] },
  field: { all: ["scalar", "struct", "handle"], nullable: ["handle"] },
} as const;

/** Types may be dodged, and what a module takes from one that imports it is not there yet. */
function kindProblem(
  kind: Parameter | Result | undefined,
  place: keyof typeof KINDS,
): string | undefined {
  const isNullable = kind?.kind === "nullable";
  const name: string | undefined = (isNullable ? kind.of : kind)?.kind;
  const known: readonly (string | undefined)[] = KINDS[place][isNullable ? "nullable" : "all"];
  if (known.includes(name)) return undefined;
  return `must be one of ${known.join(", ")}${
    isNullable ? " to be nullable" : ""
  }: current kind is ${name}`;
}

/** What is wrong with a declaration; `undefined` when nothing is. */
export function signatureProblem(signature: FunctionSignature): string | undefined {
  const { parameters, result } = signature;
  for (const [index, parameter] of parameters.entries()) {
    const problem = parameterProblem(parameter, index, parameters);
    if (problem) return `parameter ${index} ${problem}`;
  }
  const wrongKind = kindProblem(result, "result");
  if (wrongKind) return `the result ${wrongKind}`;
  const made = result.kind === "nullable" ? result.of : result;
  if (made.kind === "handle" && made.isEnd) return "a result ends no handle";
  if (made.kind === "handle" && made.name.includes("|")) return "a result is a handle of one name";
  const problem = targetProblem(result);
  return problem ? `the result ${problem}` : failureProblem(signature);
}

function parameterProblem(
  parameter: Parameter,
  index: number,
  parameters: readonly Parameter[],
): string | undefined {
  const wrongKind = kindProblem(parameter, "parameter");
  if (wrongKind) return wrongKind;
  if (parameter.kind === "variadic") {
    return index === parameters.length - 1 ? undefined : "is variadic and not the last";
  }
  if (parameter.kind === "constant") return constantProblem(parameter);
  const inner = parameter.kind === "nullable" ? parameter.of : parameter;
  if (inner.kind === "bytes") return lengthProblem(inner.length?.indexes ?? [], parameters);
  return targetProblem(inner);
}

/** What parameters and results can have wrong. */
function targetProblem(kind: Parameter | Result): string | undefined {
  if (kind.kind === "nullable") return targetProblem(kind.of);
  if (kind.kind === "reference") return referenceProblem(kind);
  if (kind.kind === "struct") return structProblem(kind);
  return kind.kind === "handle" ? handleProblem(kind) : undefined;
}

function handleProblem({ name }: HandleKind): string | undefined {
  if (name.split("|").every(isName)) return undefined;
  return `is a handle with a name that is none: ${JSON.stringify(name)}`;
}

function referenceProblem({ direction, struct }: Reference): string | undefined {
  const problem = structProblem(struct);
  if (problem || direction !== "inout") return problem;
  const hasHandle = structLayout(struct).fields.some(({ handle }) => handle);
  return hasHandle ? "has a handle that goes both ways: take it in, or give it out" : undefined;
}

function structProblem({ fields }: Struct): string | undefined {
  const members = Object.entries(fields);
  if (members.length === 0) return "is a struct without fields";
  for (const [name, member] of members) {
    // A name of digits would also change the order of the fields.
    if (!isName(name)) return `has a field whose name is none: ${JSON.stringify(name)}`;
    const problem = fieldProblem(member);
    if (problem) return problem;
  }
  return undefined;
}

function fieldProblem(field: Field): string | undefined {
  const wrongKind = kindProblem(field, "field");
  if (wrongKind) return `has a field that ${wrongKind}`;
  if (field.kind === "struct") return structProblem(field);
  const inner = field.kind === "nullable" ? field.of : field;
  if (inner.kind !== "handle") return undefined;
  return inner.isEnd ? "has a field that ends a handle" : handleProblem(inner);
}

function constantProblem({ of, value }: Constant): string | undefined {
  return isOf(of.type, value) ? undefined : `is a constant that is no ${of.type}: ${value}`;
}

function failureProblem({ result, failsWith }: FunctionSignature): string | undefined {
  if (failsWith === undefined) return undefined;
  if (failsWith === null) {
    return result.kind === "nullable" ? undefined : "a result that is never null fails so";
  }
  const type = result.kind === "scalar" ? result.type : result.kind === "handle" && "handle";
  // A float that is rounded on its way would not be known again.
  const isSame = type !== "f32" || Object.is(Math.fround(failsWith as number), failsWith);
  if (type && isSame && isOf(type, failsWith)) return undefined;
  return `a failed call cannot return ${failsWith}: the result is none of these`;
}

function isOf(type: ScalarName | "handle", value: unknown): boolean {
  return SLOT_CODECS[type].write(new ByteSlots(new Uint8Array(SLOT_BYTES)), 0, value);
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
