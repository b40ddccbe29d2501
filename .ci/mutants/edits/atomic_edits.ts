import ts from "typescript";
import type { Edit } from "./mutation.ts";

/** Where an access goes, in the source's own words. */
interface Memory {
  readonly args: readonly string[];
  /** An unordered read of a word. */
  peek(word: string): string;
  /** An unordered write of a word. */
  poke(word: string, value: string): string;
  load(word: string): string;
  store(word: string, value: string): string;
}

/** Accesses by their names in `Words` and in `Atomics`: what they are without their order. */
const APART: Readonly<Record<string, (memory: Memory) => string>> = {
  load: ({ peek, args: [word] }) => peek(word!),
  store: ({ poke, args: [word, value] }) => poke(word!, value!),
  exchange: (memory) => inTwo(memory, "value"),
  add: (memory) => inTwo(memory, "held + value"),
  or: (memory) => inTwo(memory, "held | value"),
  and: (memory) => inTwo(memory, "held & value"),
  compareExchange: ({ load, store, args: [word, expected, next] }) =>
    `((word: number, next: number) => { const held = ${load("word")}; ` +
    `if (held === ${expected}) ${store("word", "next")}; return held; })(${word}, ${next})`,
};

function inTwo({ load, store, args: [word, value] }: Memory, result: string): string {
  return `((word: number, value: number) => { const held = ${load("word")}; ` +
    `${store("word", result)}; return held; })(${word}, ${value})`;
}

/** Loads and stores become plain, and read-modify-writes a load and a store. */
export function atomicEdits(node: ts.Node): Edit[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression: owner, name } = node.expression;
  const memory = memoryOf(owner.getText(), node.arguments.map((argument) => argument.getText()));
  const text = memory && APART[name.text]?.(memory);
  if (!text) return [];
  return [{ operator: "atomic-to-plain", start: node.getStart(), end: node.end, text }];
}

function memoryOf(owner: string, args: readonly string[]): Memory | undefined {
  if (owner === "Atomics") return bareMemory(args);
  if (!/(^|\.)#?words$/.test(owner)) return undefined;
  return {
    args,
    peek: (word) => `${owner}.peek(${word})`,
    poke: (word, value) => `${owner}.plain[${word}] = ${value}`,
    load: (word) => `${owner}.load(${word})`,
    store: (word, value) => `${owner}.store(${word}, ${value})`,
  };
}

function bareMemory([plain, ...args]: readonly string[]): Memory {
  return {
    args,
    peek: (word) => `${plain}[${word}]!`,
    poke: (word, value) => `${plain}[${word}] = ${value}`,
    load: (word) => `Atomics.load(${plain}, ${word})`,
    store: (word, value) => `Atomics.store(${plain}, ${word}, ${value})`,
  };
}
