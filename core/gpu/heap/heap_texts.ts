import heapSource from "./heap.wgsl" with { type: "text" };
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { declarationsOf } from "../syntax/declarations.ts";
import { positionAt } from "../syntax/text_position.ts";
import { type Token, tokensOf } from "../syntax/tokens.ts";

/** Bytes at address 0 that are nobody's: 0 is null. */
export const NULL_BYTES = 16;

/** The texts of a kernel in its heap. */
export interface HeapTexts {
  /** Each with its NUL. */
  readonly texts: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  /** Behind the last of them. */
  readonly endByte: number;
}

/** An author's text in which addresses stand for the texts. */
export interface PlacedTexts extends HeapTexts {
  /** As many lines as before. */
  readonly source: string;
}

/**
 * Gives the texts of a kernel, which stand for addresses, a place in its heap: all string literals but
 * those of `printf` and `put`. Equal ones share a place. They are written as in JSON.
 *
 * @throws {KernelCompileError} at one that is not, or that holds a NUL
 *
 * @example
 * ```ts
 * import { placeTexts } from "./heap_texts.ts";
 * const { source } = placeTexts(`let file = files_fopen("a.txt", "r");`);
 * if (source !== "let file = files_fopen(18u    , 16u);") throw new Error(source);
 * ```
 */
export function placeTexts(source: string): PlacedTexts {
  const literals = literalsOf(source);
  const values = new Map(literals.map((token) => [token.text, bytesOf(source, token)]));
  // Short ones first: their addresses are short, too, and columns stay as they are.
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
  return { source: withAddresses(source, literals, addresses), texts, endByte };
}

/**
 * @throws {KernelCompileError} when a text stands for an address, or a function of the heap is called,
 * and there is no heap
 */
export function refuseHeap(source: string): void {
  const [first] = literalsOf(source);
  if (first) refuse(source, first, "a text lies in the heap: give the kernel heapBytes");
  const tokens = tokensOf(source);
  const own = new Set(declarationsOf(tokens).functions.map(({ name }) => name.text));
  const call = tokens.find(({ kind, text }, at) =>
    kind === "name" && tokens[at + 1]?.text === "(" && !own.has(text) &&
    heapSource.includes(`fn ${text}(`)
  );
  if (call) refuse(source, call, `${call.text}() is of the heap: give the kernel heapBytes`);
}

/** Whether a kernel needs a heap: it has texts that stand for addresses, or uses the heap itself. */
export function usesHeap(source: string): boolean {
  return literalsOf(source).length > 0 ||
    tokensOf(source).some(({ kind, text }) => kind === "name" && text.startsWith("heap_"));
}

const CLOSING = new Set([")", "]", "}"]);
const OPENING = new Set(["(", "[", "{"]);

/** The strings that are no argument of `printf` or `put`. */
function literalsOf(source: string): readonly Token[] {
  if (!source.includes('"')) return [];
  const tokens = tokensOf(source);
  const owners: string[] = [];
  return tokens.filter(({ kind, text }, at) => {
    if (kind === "string") return owners.at(-1) !== "printf" && owners.at(-1) !== "put";
    if (kind !== "mark") return false;
    if (OPENING.has(text)) owners.push(text === "(" ? tokens[at - 1]?.text ?? "" : "");
    else if (CLOSING.has(text)) owners.pop();
    return false;
  });
}

function bytesOf(source: string, token: Token): Uint8Array {
  const text = textOf(source, token);
  if (text.includes("\0")) refuse(source, token, "a text ends with its first NUL: leave it out");
  if (!text.isWellFormed()) refuse(source, token, "a text must hold no half of a surrogate pair");
  return new TextEncoder().encode(`${text}\0`);
}

function textOf(source: string, token: Token): string {
  try {
    return JSON.parse(token.text) as string;
  } catch {
    return refuse(source, token, `a string must be written like one in JSON: ${token.text}`);
  }
}

function refuse(source: string, { index }: Token, reason: string): never {
  throw KernelCompileError.at(source, positionAt(source, index), reason);
}

function withAddresses(
  source: string,
  literals: readonly Token[],
  addresses: ReadonlyMap<string, number>,
): string {
  let placed = "";
  let done = 0;
  for (const { text, index } of literals) {
    placed += source.slice(done, index) + `${addresses.get(text)!}u`.padEnd(text.length);
    done = index + text.length;
  }
  return placed + source.slice(done);
}
