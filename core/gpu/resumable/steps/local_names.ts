import type { Block } from "../graph/basic_block.ts";
import type { KernelGraph } from "../graph/graph_builder.ts";
import { reachableFrom } from "../graph/liveness.ts";
import type { KernelModule } from "../text/kernel_module.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import type { Variable } from "../text/variable.ts";

/** What generated steps mention: a local variable may not hide it. */
const GENERATED = [
  ...["frame", "go", "finish", "call", "cast_call", "call_with_stream", "packet_set", "reply"],
  ...["bitcast", "select", "u32", "i32", "f32", "f16", "bool", "array"],
  ...["vec2", "vec3", "vec4"],
  ...[2, 3, 4].flatMap((columns) => [2, 3, 4].map((rows) => `mat${columns}x${rows}`)),
];

/**
 * Names for the local variables of a kernel. Steps dissolve the blocks of a function, so that no two
 * variables of it may have one name, and none the name of anything else in the text.
 */
export class LocalNames {
  readonly #module: KernelModule;
  readonly #graph: KernelGraph;
  readonly #taken: ReadonlySet<string>;
  readonly #constants = new Map<Variable, string>();

  constructor(module: KernelModule, graph: KernelGraph) {
    this.#module = module;
    this.#graph = graph;
    const { tokens, names } = module;
    const others = tokens.filter(({ kind }, at) =>
      kind === "name" && !names.has(at) && tokens[at - 1]?.text !== "."
    );
    const taken = new Set([...GENERATED, ...others.map(({ text }) => text)]);
    for (const { variable } of graph.constants) {
      this.#constants.set(variable, module.constantName(variable));
    }
    this.#taken = taken;
  }

  /** The names in one function, those of its constants included. */
  of(one: SuspendingFunction, entry: Block): ReadonlyMap<Variable, string> {
    const names = new Map(this.#constants);
    const taken = new Set(this.#taken);
    const { whole } = one.declaration;
    for (const parameter of one.parameters) this.#add(names, parameter, taken);
    for (let at = whole.start; at < whole.end; at++) {
      const variable = this.#module.names.get(at);
      if (variable) this.#add(names, variable, taken);
    }
    const others = new Set([...this.#graph.entries.keys()].flatMap((other) => other.parameters));
    for (const { operations } of reachableFrom(entry)) {
      for (const { sets } of operations) {
        if (sets && !others.has(sets) && sets !== one.result) this.#add(names, sets, taken);
      }
    }
    return names;
  }

  #add(names: Map<Variable, string>, variable: Variable, taken: Set<string>): void {
    if (names.has(variable)) return;
    let name = variable.name;
    for (let number = 2; taken.has(name); number++) name = `${variable.name}_${number}`;
    taken.add(name);
    names.set(variable, name);
  }
}
