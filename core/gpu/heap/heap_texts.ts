import heapSource from "./heap.wgsl" with { type: "text" };
import { nearest } from "../../text/nearest.ts";
import type { KernelText } from "../kernel/kernel_text.ts";
import { stringOf } from "../text/lexer.ts";
import { refuse } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import type { Call, Expression, Node } from "../text/syntax.ts";

/** Reserved bytes at address 0, which is null. */
export const NULL_BYTES = 16;

/** The texts of a kernel in its heap. */
export interface HeapTexts {
  /** Each text ends with a NUL. */
  readonly texts: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  /** The end of the last text. */
  readonly endByte: number;
}

/** A string in a text. */
interface Literal {
  readonly node: Expression;
  /** The name of the call whose argument it is; empty if there is none. */
  readonly owner: string;
}

/**
 * Places the texts of a kernel in its heap: all string literals, written as in JSON, except those of
 * `printf`, `assert` and `put`. Equal texts share an address, which replaces them.
 *
 * @throws {TextFault} at one that is malformed or contains a NUL
 */
export function placeTexts(text: KernelText): HeapTexts {
  const { module } = text;
  const literals = literalsOf(module).map(({ node }) => ({ node, bytes: bytesOf(module, node) }));
  const places = new Map<string, number>();
  const texts: HeapTexts["texts"][number][] = [];
  let endByte = NULL_BYTES;
  for (const { node, bytes } of literals) {
    const key = bytes.join();
    const address = places.get(key) ?? endByte;
    text.replaced.set(node, [`${address}u`]);
    if (places.has(key)) continue;
    places.set(key, address);
    texts.push({ address, bytes });
    endByte += bytes.length;
  }
  return { texts, endByte };
}

/** The functions of the heap. */
export const HEAP_FUNCTIONS: readonly string[] = [...heapSource.matchAll(/^fn (\w+)/gm)]
  .map(([, name]) => name!);

/**
 * Refuses what a kernel without a heap cannot have: a text used as an address, or a function of the heap.
 *
 * @throws {TextFault} at the first
 */
export function refuseHeap(module: Module): void {
  const [first] = literalsOf(module);
  if (first) {
    const near = nearest(first.owner, HOST_TEXTS);
    const hint = near === undefined ? "" : `, or did you mean ${near}`;
    refuse(first.node, `a text lies in the heap: give the kernel heapBytes${hint}`);
  }
  const call = undeclaredCalls(module, /./).find(({ text }) => HEAP_FUNCTIONS.includes(text));
  if (call) refuse(call, `${call.text}() is of the heap: give the kernel heapBytes`);
}

/** Whether a kernel needs a heap, for texts used as addresses or for functions of the heap. */
export function usesHeap(module: Module): boolean {
  return literalsOf(module).length > 0 || undeclaredCalls(module, /^heap_/).length > 0;
}

function undeclaredCalls({ calls }: Module, names: RegExp): Call[] {
  return [...calls.values()].flat().filter(({ callee: { declared }, text }) =>
    !declared && names.test(text)
  );
}

/** Calls whose strings stay on the host. */
const HOST_TEXTS: ReadonlySet<string> = new Set(["printf", "printf_if", "assert", "put"]);

/** Finds the strings that do not stay on the host. */
function literalsOf({ source, globals }: Module): readonly Literal[] {
  if (!source.includes('"')) return [];
  const found: Literal[] = [];
  const visit = (node: Node, owner: string): void => {
    if (node.kind === "literal" && node.text.startsWith('"') && !HOST_TEXTS.has(owner)) {
      found.push({ node, owner });
    }
    const inner = node.kind === "call" ? node.text : owner;
    for (const part of node.parts) visit(part, inner);
  };
  for (const one of globals) visit(one, "");
  return found;
}

function bytesOf(module: Module, node: Expression): Uint8Array {
  const literal = module.textOf(node);
  const value = stringOf(literal) ??
    refuse(node, `a string must be written like one in JSON: ${literal}`);
  if (value.includes("\0")) refuse(node, "a text ends with its first NUL: leave it out");
  if (!value.isWellFormed()) refuse(node, "a text must hold no half of a surrogate pair");
  return new TextEncoder().encode(`${value}\0`);
}
