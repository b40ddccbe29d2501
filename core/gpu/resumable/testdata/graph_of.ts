import { type Block, type KernelGraph, skipEmptyBlocks } from "../graph/kernel_graph.ts";
import { lowerFunctions } from "../graph/lower_statement.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { KernelModule } from "../text/kernel_module.ts";
import { resolveFunction, type SuspendingFunction } from "../text/resolve_names.ts";

/** What the kernels of the tests call. */
export const SERVICES = `@service(40000) fn square(x: u32) -> u32;
@service(40001) fn is_odd(x: u32) -> bool;
@service(40002) fn note(x: u32);
`;

/** A kernel's text, read. */
export function moduleOf(text: string): KernelModule {
  return new KernelModule(new WgslText(text));
}

/** The graph of a text, with the services above in front of it. */
export function graphOf(text: string): {
  readonly module: KernelModule;
  readonly graph: KernelGraph;
  /** The beginning of `kernel`, and `kernel` itself. */
  readonly entry: Block;
  readonly kernel: SuspendingFunction;
} {
  const module = moduleOf(SERVICES + text);
  const functions = [...module.suspending.values()].map((one) => resolveFunction(module, one));
  const graph = lowerFunctions(module, functions);
  skipEmptyBlocks(graph);
  const [[kernel, entry]] = [...graph.entries] as [[SuspendingFunction, Block]];
  return { module, graph, entry, kernel };
}
