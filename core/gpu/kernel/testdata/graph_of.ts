import { Module } from "../../text/module.ts";
import type { Graph } from "../graph.ts";
import { Kernel } from "../kernel.ts";
import { KernelText } from "../kernel_text.ts";
import { lowerKernel } from "../lower.ts";

/** What the kernels of the tests call. */
export const SERVICES = `@service(40000) fn square(x: u32) -> u32;
@service(40001) fn is_odd(x: u32) -> bool;
@service(40002) fn note(x: u32);
`;

/** What calls the host in a text. */
export function kernelOf(text: string): Kernel {
  return new Kernel(new KernelText(new Module(text)), { laneWords: 16, meets: false });
}

/** The graph of a text, with the services above in front of it. */
export function graphOf(text: string): { readonly kernel: Kernel; readonly graph: Graph } {
  const kernel = kernelOf(SERVICES + text);
  return { kernel, graph: lowerKernel(kernel) };
}
