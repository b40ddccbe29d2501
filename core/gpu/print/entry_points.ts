import { calledNames, type FunctionDeclaration, type TypedName } from "../syntax/declarations.ts";
import { namedType } from "../syntax/value_type.ts";
import { insertion, type TextEdit, type WgslText } from "../syntax/wgsl_text.ts";
import { type PrintfCall, refuseAt } from "../printf/printf_calls.ts";

/** A shader with its calls of `printf`; `prefix` begins every generated name. */
export interface PrintingModule {
  readonly text: WgslText;
  readonly calls: readonly PrintfCall[];
  readonly prefix: string;
}

/** The stage of an entry point that prints. */
export interface PrintingEntry {
  readonly name: string;
  readonly stage: PrintingStage;
}

/** The edits of the entry points, and those that print. */
export interface EntryPoints {
  readonly edits: readonly TextEdit[];
  readonly printing: readonly PrintingEntry[];
}

/** The builtins that identify an invocation, with their types. */
const BUILTINS = {
  compute: {
    local_invocation_index: "u32",
    workgroup_id: "vec3<u32>",
    num_workgroups: "vec3<u32>",
  },
  fragment: { position: "vec4<f32>" },
} as const;

/** A stage that can print. */
export type PrintingStage = keyof typeof BUILTINS;

/**
 * Makes each entry point that prints record its invocation. Other compute entry points mention the
 * ring, so that all pipelines of layout "auto" have its binding.
 *
 * @throws {PrintfError} when a vertex stage prints
 */
export function entryPoints(module: PrintingModule): EntryPoints {
  const { functions } = module.text.declarations;
  const edits: TextEdit[] = [];
  const printing: PrintingEntry[] = [];
  for (const entry of functions) {
    const way = wayToPrintf(module, entry);
    if (way && hasAttribute(entry, "vertex")) refuseVertex(module, way);
    const stage = (["compute", "fragment"] as const).find((name) => hasAttribute(entry, name));
    if (stage && way) {
      printing.push({ name: entry.name.text, stage });
      edits.push(...notePlace(module, entry, stage));
    } else if (stage === "compute") {
      const mention = ` _ = &${module.prefix}ring; _ = ${module.prefix}dispatch.x;`;
      edits.push(insertion(bodyStart(module, entry), mention));
    }
  }
  return { edits, printing };
}

export function hasAttribute({ attributes }: FunctionDeclaration, wanted: string): boolean {
  return attributes.some(({ name }) => name === wanted);
}

/** A chain of functions to one that prints, and the call there. */
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
  const { declarations } = module.text;
  const own = module.calls.find(({ at }) => at >= from.body.start && at < from.body.end);
  if (own) return { names: [from.name.text], call: own };
  const names = calledNames(declarations, from);
  for (const called of declarations.functions.filter(({ name }) => names.has(name.text))) {
    const way = wayToPrintf(module, called, visited);
    if (way) return { names: [from.name.text, ...way.names], call: way.call };
  }
  return undefined;
}

function refuseVertex({ text }: PrintingModule, { names, call }: WayToPrintf): never {
  const reason = `the vertex stage of ${
    names.join(" > ")
  } reaches it, and a vertex stage writes no storage buffers in WebGPU: hand the value to a fragment stage`;
  refuseAt(text, text.tokens[call.at]!, reason);
}

/** The character after the opening brace. */
export function bodyStart(
  { text }: Pick<PrintingModule, "text">,
  { body }: FunctionDeclaration,
): number {
  const brace = text.tokens[body.start - 1];
  return (brace?.index ?? 0) + 1;
}

/** The edits by which an entry point stores its invocation in the variable `place`. */
export function notePlace(
  module: Omit<PrintingModule, "calls">,
  entry: FunctionDeclaration,
  stage: PrintingStage,
): TextEdit[] {
  const added: string[] = [];
  const values = Object.entries(BUILTINS[stage]).map(([builtin, type]) => {
    const found = valueOf(module, entry, builtin);
    if (found !== undefined) return found;
    const name = `${module.prefix}${builtin}`;
    added.push(`@builtin(${builtin}) ${name}: ${type}`);
    return name;
  });
  const text = ` ${module.prefix}place = ${placeOf(stage, values)};`;
  const body = insertion(bodyStart(module, entry), text);
  return added.length === 0 ? [body] : [withParameters(module, entry, added.join(", ")), body];
}

/** The invocation in two words: lane and linear workgroup, or the mark, y and x of a fragment. */
function placeOf(stage: PrintingStage, values: readonly string[]): string {
  const [first, group, counts] = values;
  if (stage === "fragment") return `vec2<u32>(0x800u, (u32(${first}.y) << 16u) | u32(${first}.x))`;
  return `vec2<u32>(${first}, ${group}.x + ${counts}.x * (${group}.y + ${counts}.y * ${group}.z))`;
}

/** Appends text to a parameter list. */
export function withParameters(
  { text: { tokens } }: Pick<PrintingModule, "text">,
  { list }: FunctionDeclaration,
  text: string,
): TextEdit {
  const last = tokens[list.end - 1]!;
  const isFirst = list.end === list.start || last.text === ",";
  return insertion(last.index + last.text.length, isFirst ? text : `, ${text}`);
}

/** The entry point's own name for a builtin, as it may only declare each once. */
function valueOf(
  { text }: Pick<PrintingModule, "text">,
  entry: FunctionDeclaration,
  builtin: string,
) {
  const isBuiltin = ({ attributes }: TypedName) =>
    attributes.some(({ name, args }) =>
      name === "builtin" && text.tokens[args.start]?.text === builtin
    );
  for (const parameter of entry.parameters) {
    if (isBuiltin(parameter)) return parameter.name.text;
    const { name } = namedType(text, parameter.type);
    const member = text.declarations.structs.get(name)?.find(isBuiltin);
    if (member) return `${parameter.name.text}.${member.name.text}`;
  }
  return undefined;
}
