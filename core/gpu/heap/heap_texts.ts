import heapSource from "./heap.wgsl" with { type: "text" };
import { refuseAt } from "../wgsl/kernel_compile.ts";
import { stringOf, stringsBeside, type Token } from "../syntax/tokens.ts";
import { nearest } from "../../text/nearest.ts";
import type { TextEdit, WgslText } from "../syntax/wgsl_text.ts";

/** Reserved bytes at address 0, which is null. */
export const NULL_BYTES = 16;

/** The texts of a kernel in its heap. */
export interface HeapTexts {
  /** Each text ends with a NUL. */
  readonly texts: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  /** The end of the last text. */
  readonly endByte: number;
}

/** Texts, and the edits that replace them by their addresses without moving lines or columns. */
export interface PlacedTexts extends HeapTexts {
  readonly edits: readonly TextEdit[];
}

/**
 * Places the texts of a kernel in its heap: all string literals, written as in JSON, except those of
 * `printf`, `assert` and `put`. Equal texts share an address.
 *
 * @throws {KernelCompileError} at one that is malformed or contains a NUL
 */
export function placeTexts(text: WgslText): PlacedTexts {
  const literals = literalsOf(text);
  const values = new Map(literals.map((token) => [token.text, bytesOf(text, token)]));
  // Short texts come first: they need short addresses, so that columns do not move.
  const sorted = [...values].sort(([, one], [, other]) => one.length - other.length);
  const addresses = new Map<string, number>();
  const places = new Map<string, number>();
  const texts: HeapTexts["texts"][number][] = [];
  let endByte = NULL_BYTES;
  for (const [literal, bytes] of sorted) {
    const key = bytes.join();
    const known = places.get(key);
    addresses.set(literal, known ?? endByte);
    if (known !== undefined) continue;
    places.set(key, endByte);
    texts.push({ address: endByte, bytes });
    endByte += bytes.length;
  }
  const edits = literals.map(({ text: literal, index }) => ({
    index,
    end: index + literal.length,
    text: `${addresses.get(literal)!}u`.padEnd(literal.length),
  }));
  return { edits, texts, endByte };
}

/**
 * @throws {KernelCompileError} when a kernel without a heap uses a text as an address, or calls a
 * function of the heap
 */
export function refuseHeap(text: WgslText): void {
  const [first] = stringsBeside(text.tokens, HOST_TEXTS);
  if (first) {
    const near = nearest(first.owner, HOST_TEXTS);
    const hint = near === undefined ? "" : `, or did you mean ${near}`;
    const reason = `a text lies in the heap: give the kernel heapBytes${hint}`;
    refuseAt(text, first.token.index, reason);
  }
  const { tokens, declarations } = text;
  const own = new Set(declarations.functions.map(({ name }) => name.text));
  const call = tokens.find(({ kind, text }, at) =>
    kind === "name" && tokens[at + 1]?.text === "(" && !own.has(text) &&
    heapSource.includes(`fn ${text}(`)
  );
  if (!call) return;
  refuseAt(text, call.index, `${call.text}() is of the heap: give the kernel heapBytes`);
}

/** Whether a kernel needs a heap, for texts used as addresses or for functions of the heap. */
export function usesHeap(text: WgslText): boolean {
  return literalsOf(text).length > 0 ||
    text.tokens.some(({ kind, text }) => kind === "name" && text.startsWith("heap_"));
}

/** Calls whose strings stay on the host. */
const HOST_TEXTS: ReadonlySet<string> = new Set(["printf", "printf_if", "assert", "put"]);

/** Finds the strings that do not stay on the host. */
function literalsOf({ source, tokens }: WgslText): readonly Token[] {
  if (!source.includes('"')) return [];
  return stringsBeside(tokens, HOST_TEXTS).map(({ token }) => token);
}

function bytesOf(text: WgslText, { text: literal, index }: Token): Uint8Array {
  const refuse = (reason: string) => refuseAt(text, index, reason);
  const value = stringOf(literal) ??
    refuse(`a string must be written like one in JSON: ${literal}`);
  if (value.includes("\0")) refuse("a text ends with its first NUL: leave it out");
  if (!value.isWellFormed()) refuse("a text must hold no half of a surrogate pair");
  return new TextEncoder().encode(`${value}\0`);
}
