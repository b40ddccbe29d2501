import type { Expression } from "../../syntax/expression.ts";
import { binaryType, builtinType, concreteType, typeOfPart } from "../../syntax/expression_type.ts";
import { typeText, type ValueType } from "../../syntax/value_type.ts";
import type { Around } from "./bounds_guard.ts";
import { DebugKind, type DebugRewrite, headed } from "./debug_rewrite.ts";

/** A value that no one wants: not a number, an infinity, or a division by zero. */
export type Watch = "nan" | "inf" | "division";
/** What can be watched. */
export const WATCHES: readonly Watch[] = ["nan", "inf", "division"];

const FLOATING = new Set(["+", "-", "*", "/", "%"]);
const DIVIDING = new Set(["/", "%"]);

/** An operation of known types. */
interface Operation {
  /** An operator, or the name of a function. */
  readonly name: string;
  readonly types: readonly ValueType[];
  readonly result: ValueType;
}

/** An operation, and the number of its place. */
interface WatchedOperation {
  readonly operands: readonly Expression[];
  readonly name: string;
  readonly site: number;
}

/**
 * The function that does an operation and records when its result is the first that is watched for, with
 * the operands. `undefined` if the types are unknown, or the operation cannot make such a value.
 */
export function watchFunction(
  rewrite: DebugRewrite,
  { operands, name }: Omit<WatchedOperation, "site">,
  watched: ReadonlySet<Watch>,
): string | undefined {
  const operation = operationOf(rewrite, operands, name);
  if (!operation) return undefined;
  const conditions = conditionsOf(operation, watched);
  if (conditions.length === 0) return undefined;
  const key = `watch ${name} ${operation.types.map(typeText).join()}`;
  return rewrite.helper(key, (helper) => functionText(rewrite, helper, { operation, conditions }));
}

/** The text around a watched expression; commas take the place of operators. */
export function watchAround(rewrite: DebugRewrite, helper: string, site: number): Around {
  return { open: `${helper}(`, close: `, ${site}u, ${rewrite.way})` };
}

/** Whether an operator may make what is watched. */
export function isWatched({ kind, text }: Expression): boolean {
  return kind === "call" || (kind === "binary" && FLOATING.has(text));
}

function operationOf(
  { text }: DebugRewrite,
  operands: readonly Expression[],
  name: string,
): Operation | undefined {
  const found = operands.map((operand) => valueType(typeOfPart(text, operand)));
  if (found.length === 0 || found.some((type) => type === undefined)) return undefined;
  const types = found as ValueType[];
  const isOperator = FLOATING.has(name);
  if (!isOperator && text.declarations.functions.some((one) => one.name.text === name)) {
    return undefined;
  }
  const result = isOperator ? binaryType(name, types) : builtinType(name, types);
  if (!valueType(result) || /^(?:int|float)$/.test(scalarOf(result!))) return undefined;
  const scalar = { name: scalarOf(result!), args: [] };
  const concrete = types.map((type) =>
    /^(?:int|float)$/.test(scalarOf(type))
      ? type.args.length > 0 ? { name: type.name, args: [scalar] } : scalar
      : type
  );
  return { name, types: concrete, result: concreteType(result!) };
}

/** A type of a value that can be a parameter: numbers, vectors and matrices of them. */
function valueType(type: ValueType | undefined): ValueType | undefined {
  if (!type) return undefined;
  const isNumber = /^(?:[iu]32|f32|int|float)$/.test(scalarOf(type));
  return isNumber && /^(?:[iu]32|f32|int|float|vec\d|mat\dx\d)$/.test(type.name) ? type : undefined;
}

function scalarOf({ name, args }: ValueType): string {
  return args[0]?.name ?? name;
}

/** When a result is recorded, as conditions of `r` and of the operands. */
interface Condition {
  readonly kind: Watch;
  readonly text: string;
}

function conditionsOf({ name, types, result }: Operation, watched: ReadonlySet<Watch>) {
  const conditions: Condition[] = [];
  const isFloat = scalarOf(result) === "f32";
  if (/^mat/.test(result.name)) return conditions;
  if (isFloat) {
    for (const kind of ["nan", "inf"] as const) {
      if (!watched.has(kind)) continue;
      const inputs = types.flatMap((type, at) =>
        scalarOf(type) === "f32" && !/^mat/.test(type.name)
          ? [`!${has(kind === "inf" ? "either" : kind, type, `a${at}`)}`]
          : []
      );
      conditions.push({ kind, text: [has(kind, result, "r"), ...inputs].join(" && ") });
    }
  }
  if (DIVIDING.has(name) && watched.has("division")) {
    const zero = `a1 == ${typeText(types[1]!)}()`;
    const text = types[1]!.name.startsWith("vec") ? `any(${zero})` : zero;
    conditions.unshift({ kind: "division", text });
  }
  return conditions;
}

/** Whether a value has a component that is not a number, or infinite; by its bits, as compilers may take floats for finite. */
function has(kind: "nan" | "inf" | "either", { name }: ValueType, value: string): string {
  const isVector = name.startsWith("vec");
  const unsigned = isVector ? `${name}<u32>` : "u32";
  const compared = `(bitcast<${unsigned}>(${value}) & ${unsigned}(0x7fffffffu)) ${
    { nan: ">", inf: "==", either: ">=" }[kind]
  } ${unsigned}(0x7f800000u)`;
  return isVector ? `any(${compared})` : `(${compared})`;
}

function functionText(
  { prefix }: DebugRewrite,
  helper: string,
  { operation: { name, types, result }, conditions }: {
    readonly operation: Operation;
    readonly conditions: readonly Condition[];
  },
): string {
  const args = types.map((_, at) => `a${at}`);
  const value = FLOATING.has(name) ? args.join(` ${name} `) : `${name}(${args.join(", ")})`;
  const written = types.map((type) => type.name.startsWith("mat") ? "..." : "%.7v");
  const format = FLOATING.has(name)
    ? written.join(` ${name.replace("%", "%%")} `)
    : `${name}(${written.join(", ")})`;
  const list = args.map((arg, at) => written[at] === "..." ? "" : `, ${arg}`).join("");
  const looks = conditions.map(({ kind, text }) =>
    `  if kind == 0u && (${prefix}seen & ${
      1 << DebugKind[kind]
    }u) == 0u && ${text} { ${prefix}seen |= ${1 << DebugKind[kind]}u; kind = ${DebugKind[kind]}u; }`
  );
  const parameters = types.map((type, at) => `a${at}: ${typeText(type)}`).join(", ");
  return `fn ${helper}(${parameters}, site: u32, way: u32) -> ${typeText(result)} {
  let r = ${value};
  var kind = 0u;
${looks.join("\n")}
  if kind != 0u { printf(${headed(format, "%u", "%u")}, kind, site, way${list}); }
  return r;
}`;
}
