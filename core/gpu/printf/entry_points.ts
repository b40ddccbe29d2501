import type { FunctionDeclaration, TypedName } from "../syntax/declarations.ts";
import type { TokenRange } from "../syntax/tokens.ts";
import { namedType } from "../syntax/value_type.ts";
import type { PrintfCall, PrintfScope } from "./printf_calls.ts";
import { refuseAt } from "./printf_error.ts";
import type { Insertion } from "../syntax/text_edits.ts";

/** A shader and what is printed in it; `prefix` begins every generated name. */
export interface PrintingModule {
  readonly scope: PrintfScope;
  readonly calls: readonly PrintfCall[];
  readonly prefix: string;
}

/** What is generated into the entry points, and which stages use the ring. */
export interface EntryPoints {
  readonly insertions: readonly Insertion[];
  readonly isInFragment: boolean;
}

/** The parameters that say where an invocation runs, with their types. */
const BUILTINS = {
  compute: {
    local_invocation_index: "u32",
    workgroup_id: "vec3u",
    num_workgroups: "vec3u",
  },
  fragment: { position: "vec4f" },
} as const;

type PrintingStage = keyof typeof BUILTINS;

/**
 * Lets each entry point that prints note where it runs. A compute entry point that does not print
 * mentions the ring, so that pipelines of layout "auto" all have its binding.
 *
 * @throws {PrintfError} when a vertex stage prints
 */
export function entryPoints(module: PrintingModule): EntryPoints {
  const { functions } = module.scope.declarations;
  const insertions: Insertion[] = [];
  let isInFragment = false;
  for (const entry of functions) {
    const way = wayToPrintf(module, entry);
    if (way && hasAttribute(entry, "vertex")) refuseVertex(module, way);
    const stage = (["compute", "fragment"] as const).find((name) => hasAttribute(entry, name));
    if (stage && way) insertions.push(...notePlace(module, entry, stage));
    else if (stage === "compute") {
      insertions.push({ index: bodyStart(module, entry), text: ` _ = &${module.prefix}ring;` });
    }
    isInFragment ||= stage === "fragment" && way !== undefined;
  }
  return { insertions, isInFragment };
}

function hasAttribute({ attributes }: FunctionDeclaration, wanted: string): boolean {
  return attributes.some(({ name }) => name === wanted);
}

/** Functions from this one to one that prints, and the call there; `undefined` when it prints nothing. */
interface WayToPrintf {
  readonly names: readonly string[];
  readonly call: PrintfCall;
}

function wayToPrintf(
  module: PrintingModule,
  from: FunctionDeclaration,
  visited: Set<FunctionDeclaration> = new Set(),
): WayToPrintf | undefined {
  if (visited.has(from)) return undefined;
  visited.add(from);
  const own = module.calls.find(({ at }) => isWithin(from.body, at));
  if (own) return { names: [from.name.text], call: own };
  for (const called of calledBy(module, from)) {
    const way = wayToPrintf(module, called, visited);
    if (way) return { names: [from.name.text, ...way.names], call: way.call };
  }
  return undefined;
}

function isWithin({ start, end }: TokenRange, at: number): boolean {
  return at >= start && at < end;
}

function calledBy({ scope }: PrintingModule, { body }: FunctionDeclaration) {
  const { tokens, declarations } = scope;
  const names = new Set<string>();
  for (let at = body.start; at < body.end; at++) {
    if (tokens[at + 1]?.text === "(") names.add(tokens[at]!.text);
  }
  return declarations.functions.filter(({ name }) => names.has(name.text));
}

function refuseVertex({ scope }: PrintingModule, { names, call }: WayToPrintf): never {
  const { index } = scope.tokens[call.at]!;
  refuseAt(
    scope.source,
    index,
    `the vertex stage of ${
      names.join(" > ")
    } reaches it, and a vertex stage writes no storage buffers in WebGPU: print in a fragment or compute stage, to which the value may be handed`,
  );
}

/** Behind the opening brace. */
function bodyStart({ scope }: PrintingModule, { body }: FunctionDeclaration): number {
  const brace = scope.tokens[body.start - 1];
  return (brace?.index ?? 0) + 1;
}

function notePlace(
  module: PrintingModule,
  entry: FunctionDeclaration,
  stage: PrintingStage,
): Insertion[] {
  const added: string[] = [];
  const values = Object.entries(BUILTINS[stage]).map(([builtin, type]) => {
    const found = valueOf(module, entry, builtin);
    if (found !== undefined) return found;
    const name = `${module.prefix}${builtin}`;
    added.push(`@builtin(${builtin}) ${name}: ${type}`);
    return name;
  });
  const text = ` ${module.prefix}place = ${placeOf(stage, values)};`;
  const body = { index: bodyStart(module, entry), text };
  return added.length === 0 ? [body] : [parameters(module, entry, added.join(", ")), body];
}

/** Two words: lane and linear workgroup, or of a fragment x, with a mark, and y. */
function placeOf(stage: PrintingStage, values: readonly string[]): string {
  const [first, group, counts] = values;
  if (stage === "fragment") return `vec2u(0x8000u | u32(${first}.x), u32(${first}.y))`;
  return `vec2u(${first}, ${group}.x + ${counts}.x * (${group}.y + ${counts}.y * ${group}.z))`;
}

/** Text at the end of a parameter list. */
function parameters(
  { scope }: PrintingModule,
  { list }: FunctionDeclaration,
  text: string,
): Insertion {
  const last = scope.tokens[list.end - 1]!;
  const index = last.index + last.text.length;
  return { index, text: list.end === list.start || last.text === "," ? text : `, ${text}` };
}

/** How the entry point itself names a builtin: a builtin may be there only once. */
function valueOf({ scope }: PrintingModule, entry: FunctionDeclaration, builtin: string) {
  const isBuiltin = ({ attributes }: TypedName) =>
    attributes.some(({ name, args }) =>
      name === "builtin" && scope.tokens[args.start]?.text === builtin
    );
  for (const parameter of entry.parameters) {
    if (isBuiltin(parameter)) return parameter.name.text;
    const { name } = namedType(scope, parameter.type);
    const member = scope.declarations.structs.get(name)?.find(isBuiltin);
    if (member) return `${parameter.name.text}.${member.name.text}`;
  }
  return undefined;
}
