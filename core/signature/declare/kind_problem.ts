import { ByteSlots, shown, SLOT_BYTES, SLOT_CODECS } from "../wire/slot.ts";
import type {
  Bytes,
  Callback,
  Constant,
  Field,
  FixedArray,
  HandleKind,
  Nullable,
  Reference,
  ScalarName,
  Struct,
  Union,
} from "./kind.ts";
import { Length } from "./length.ts";

/**
 * What names are made of: they stand in WGSL and C, too. Also of fields and handles, as a name with
 * other letters could make the texts of two signatures the same.
 */
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Whether APIs, functions, fields and handles can have the name: ASCII letters, digits and `_`. */
export function isName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name);
}

const FIELDS = ["scalar", "string", "struct", "union", "handle", "array"];

/** Kinds by where they may stand, under the names of what makes them. */
const PLACES = {
  parameter: [
    ...["scalar", "string", "bytes", "struct", "pointer", "handle", "callback", "constant"],
    "variadic",
  ],
  result: ["scalar", "nothing", "string", "struct", "handle"],
  field: FIELDS,
  "what an array has": FIELDS,
  "what a pointer points at": ["struct"],
  "a parameter of a callback": ["scalar", "string", "handle"],
  "the result of a callback": ["scalar", "nothing", "handle"],
  "what a constant is": ["scalar"],
} as const;
type Place = keyof typeof PLACES;

/** Kinds that may be null, by where they stand. */
const NULLABLE: { readonly [P in Place]?: readonly string[] } = {
  parameter: ["string", "bytes", "pointer", "handle", "callback"],
  result: ["string", "handle"],
  field: ["string", "handle"],
  "what an array has": ["string", "handle"],
  "a parameter of a callback": ["string", "handle"],
  "the result of a callback": ["handle"],
};

/** What to declare instead, by the place and the name of the kind that cannot stand there. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  "parameter nothing": "leave it out",
  "result bytes": 'take them as a parameter bytes("out"), or a handle that readOf() reads',
  "result pointer": "return a handle of what the pointer points at, that readOf() reads",
  "parameter union": "wrap it, as in struct({ u: union({ i: i32, d: f64 }) })",
  "field bytes": "put a handle there, of memoryOf()",
  "field pointer": "put the struct itself there, or a handle",
  "what a pointer points at scalar": "wrap it, as in struct({ value: i32 })",
  "what a pointer points at handle": 'wrap it, as in struct({ value: nullable(handle("T")) })',
  "what a pointer points at string":
    'wrap a handle, as in struct({ text: nullable(handle("Text")) }), that readOf() reads',
  "what a pointer points at bytes": "bytes are a pointer themselves",
  "a parameter of a callback bytes": "declare usize, the address that C gives",
  "a parameter of a callback pointer": "declare usize, the address that C gives",
  "a parameter of a callback struct": "declare usize, where C gives an address",
  "the result of a callback string": "give a handle of memory that the library may read",
};

/** A kind as messages call it: by what makes it. */
function kindName(kind: unknown): string {
  const { kind: name, type } = Object(kind) as { readonly kind?: unknown; readonly type?: unknown };
  if (name === "scalar") return String(type);
  if (name === "reference") return "pointer";
  if (name === "void") return "nothing";
  if (typeof name === "string" && kind instanceof Object) return name;
  return typeof kind === "string" ? JSON.stringify(kind) : shown(kind);
}

/** Types may be dodged, and what a module takes from one that imports it is not there yet. */
export function placeProblem(kind: unknown, place: Place): string | undefined {
  const isNullable = (kind as Nullable | null | undefined)?.kind === "nullable";
  const one: unknown = isNullable ? (kind as Nullable).of : kind;
  const name = (one as { kind?: unknown } | null | undefined)?.kind === "scalar"
    ? "scalar"
    : kindName(one);
  const known: readonly string[] = (isNullable ? NULLABLE : PLACES)[place] ?? [];
  if (known.includes(name)) return kindProblem(one);
  const demand = known.length === 1 ? `a ${known}` : `one of ${known.join(", ")}`;
  const what = known.length === 0 ? "must not" : `must be ${demand}${isNullable ? " to" : ""}`;
  const wayOut = WAYS_OUT[`${place} ${name}`];
  return `${what}${isNullable ? " be nullable" : ""}: current value is ${kindName(one)}${
    wayOut === undefined ? "" : `, ${wayOut}`
  }`;
}

const PROBLEMS: Readonly<Record<string, (kind: never) => string | undefined>> = {
  scalar: scalarProblem,
  bytes: bytesProblem,
  handle: handleProblem,
  struct: structProblem,
  union: unionProblem,
  array: arrayProblem,
  reference: referenceProblem,
  nullable: (kind) => placeProblem(kind, "parameter"),
  constant: constantProblem,
  callback: callbackProblem,
};

/** What is wrong with a kind wherever it stands, as it follows its name; `undefined` when nothing is. */
export function kindProblem(kind: unknown): string | undefined {
  return PROBLEMS[(kind as { readonly kind: string }).kind]?.(kind as never);
}

function scalarProblem({ type }: { readonly type: unknown }): string | undefined {
  const isKnown = Object.hasOwn(SLOT_CODECS, type as string) && type !== "handle" &&
    type !== "nothing";
  return isKnown ? undefined : `must be a scalar such as i32: current value is ${String(type)}`;
}

function bytesProblem({ direction, length }: Bytes): string | undefined {
  if (length === undefined || length instanceof Length) return directionProblem(direction);
  return `must have a length of lengthOf() or fixedLength(): current value is ${shown(length)}`;
}

function directionProblem(direction: unknown): string | undefined {
  if (["in", "out", "inout"].includes(direction as string)) return undefined;
  return `must go "in", "out" or "inout": current value is ${kindName(direction)}`;
}

function handleProblem({ name, gives }: HandleKind): string | undefined {
  const options = Object.keys(Object(gives));
  const isOption = gives === undefined ||
    options.length === 1 && ["when", "unless"].includes(options[0]!);
  if (!isOption) {
    return `must end by { when: result } or { unless: result }: current value is { ${options} }`;
  }
  if (typeof name === "string" && name.split("|").every(isName)) return undefined;
  return `must have a name of letters, digits and _, a letter first, or several with | between: current value is ${
    kindName(name)
  }`;
}

function structProblem({ fields }: Struct | Union): string | undefined {
  const members = Object.entries(Object(fields) as Struct["fields"]);
  if (members.length === 0) {
    return "must have a field: C has no struct without, and a pointer to something unknown is a handle";
  }
  for (const [name, member] of members) {
    // A name of digits would also change the order of the fields.
    if (!isName(name)) {
      return `must have names of fields of letters, digits and _, a letter first: current value is ${
        JSON.stringify(name)
      }`;
    }
    let one = member;
    while (one?.kind === "array") one = one.of;
    const field = one?.kind === "nullable" ? one.of : one;
    const isEnd = field?.kind === "handle" && field.isEnd;
    const problem = isEnd
      ? "must not end a handle: take it as a parameter"
      : placeProblem(member, "field");
    if (problem) return `has a field ${name} that ${problem}`;
  }
  return undefined;
}

function unionProblem(union: Union): string | undefined {
  const problem = structProblem(union);
  if (problem) return problem;
  const pointer = Object.entries(union.fields).find(([, field]) => hasPointer(field));
  return pointer &&
    `has a member ${pointer[0]} with a pointer, and nobody could tell whether it is there: ` +
      "give the struct as memory, of memoryOf()";
}

function hasPointer(field: Field): boolean {
  if (field.kind === "array") return hasPointer(field.of);
  if (field.kind !== "struct" && field.kind !== "union") return field.kind !== "scalar";
  return Object.values(field.fields).some(hasPointer);
}

/** More would make the layout of a struct as long. */
const ARRAY_COUNT_MAX = 65_536;

function arrayProblem({ of, count }: FixedArray<Field>): string | undefined {
  const problem = placeProblem(of, "what an array has");
  if (problem) return `has what ${problem}`;
  if (Number.isInteger(count) && count >= 1 && count <= ARRAY_COUNT_MAX) return undefined;
  return `must have an integer from 1 to ${ARRAY_COUNT_MAX} of them: current value is ${
    shown(count)
  }`;
}

function referenceProblem({ direction, struct }: Reference): string | undefined {
  const problem = placeProblem(struct, "what a pointer points at");
  if (problem) return `points at what ${problem}`;
  return directionProblem(direction);
}

function constantProblem({ of, value }: Constant): string | undefined {
  const problem = placeProblem(of, "what a constant is");
  if (problem || isOf(of.type, value)) return problem;
  return `must be ${SLOT_CODECS[of.type].demand}: current value is ${shown(value)}`;
}

function callbackProblem({ parameters, result }: Callback): string | undefined {
  if (!Array.isArray(parameters)) {
    return `must have an array of parameters: current value is ${kindName(parameters)}`;
  }
  for (const parameter of parameters as Callback["parameters"]) {
    const problem = placeProblem(parameter, "a parameter of a callback");
    if (problem) return `has a parameter that ${problem}`;
  }
  const problem = placeProblem(result, "the result of a callback");
  return problem && `has a result that ${problem}`;
}

/** Whether a value is one of a scalar's, or a handle. */
export function isOf(type: ScalarName | "handle", value: unknown): boolean {
  return SLOT_CODECS[type].write(new ByteSlots(new Uint8Array(SLOT_BYTES)), 0, value);
}
