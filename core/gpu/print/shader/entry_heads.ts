import type { Types } from "../../text/inference.ts";
import type { Func, Variable } from "../../text/syntax.ts";

/** The stages that can print. */
export const STAGES = ["compute", "fragment"] as const;
/** A stage that can print. */
export type PrintingStage = typeof STAGES[number];

/** An entry point that prints. */
export interface PrintingEntry {
  readonly name: string;
  readonly stage: PrintingStage;
}

/** The builtins that identify an invocation, with their types. */
const BUILTINS: Readonly<Record<PrintingStage, Readonly<Record<string, string>>>> = {
  compute: {
    local_invocation_index: "u32",
    workgroup_id: "vec3<u32>",
    num_workgroups: "vec3<u32>",
  },
  fragment: { position: "vec4<f32>" },
};

/**
 * What entry points begin with, by characters of the text. Those that print note their invocation; other
 * compute entry points mention the ring, so that all pipelines of layout "auto" have its binding.
 */
export function entryHeads(
  types: Types,
  { printing, prefix }: { readonly printing: readonly PrintingEntry[]; readonly prefix: string },
): Map<number, string> {
  const { module } = types;
  const heads = new Map<number, string>();
  for (const stage of STAGES) {
    for (const entry of module.entries(stage)) {
      const start = entry.body!.open + 1;
      if (!printing.some(({ name }) => name === entry.name)) {
        const mention = ` _ = &${prefix}ring; _ = ${prefix}dispatch.x;`;
        if (stage === "compute") heads.set(start, mention);
        continue;
      }
      const added: string[] = [];
      const values = Object.entries(BUILTINS[stage]).map(([builtin, type]) => {
        const found = valueOf(types, entry, builtin);
        if (found !== undefined) return found;
        added.push(`@builtin(${builtin}) ${prefix}${builtin}: ${type}`);
        return `${prefix}${builtin}`;
      });
      heads.set(start, ` ${prefix}place = ${placeOf(stage, values)};`);
      if (added.length === 0) continue;
      const last = entry.parameters.at(-1);
      const isFirst = !last || module.source.slice(last.end, entry.list.end).includes(",");
      heads.set(entry.list.end, (isFirst ? "" : ", ") + added.join(", "));
    }
  }
  return heads;
}

/** The invocation in two words: lane and linear workgroup, or the mark, y and x of a fragment. */
function placeOf(stage: PrintingStage, [first, group, counts]: readonly string[]): string {
  if (stage === "fragment") return `vec2<u32>(0x800u, (u32(${first}.y) << 16u) | u32(${first}.x))`;
  return `vec2<u32>(${first}, ${group}.x + ${counts}.x * (${group}.y + ${counts}.y * ${group}.z))`;
}

/** The entry point's own name for a builtin, as it may only declare each once. */
function valueOf(types: Types, entry: Func, builtin: string): string | undefined {
  const isBuiltin = ({ attributes }: Variable) =>
    attributes.some(({ name, args: [arg] }) =>
      name === "builtin" && arg?.kind === "name" && arg.text === builtin
    );
  for (const parameter of entry.parameters) {
    if (isBuiltin(parameter)) return parameter.name;
    const declared = types.module.byName.get(types.named(parameter.type!).name);
    const member = declared?.kind === "struct" ? declared.members.find(isBuiltin) : undefined;
    if (member) return `${parameter.name}.${member.name}`;
  }
  return undefined;
}
