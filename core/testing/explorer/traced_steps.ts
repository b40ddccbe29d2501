import type { ScheduledWords } from "./scheduled_words.ts";
import { wasmOf, watText } from "../wat_source.ts";

import type { StepConstants, StepMaker, Steps } from "../../toggle/steps/steps.ts";

/** What each access of the steps is where it is told: a call of a function of this name. */
const ACCESSES: readonly (readonly [instruction: string, name: string, operands: number])[] = [
  ["i32.atomic.load", "load", 1],
  ["i32.atomic.store", "store", 2],
  ["i32.atomic.rmw.xchg", "exchange", 2],
  ["i32.atomic.rmw.cmpxchg", "compareExchange", 3],
  ["i32.load", "read", 1],
  ["i32.store", "write", 2],
];
/** Four reads, of which the explorer sees each. */
const FOUR_READS = ["v128.load", "read_four"] as const;
const READ_FOUR = `(func $read_four (param $byte i32) (result v128)
  (i32x4.replace_lane 3 (i32x4.replace_lane 2 (i32x4.replace_lane 1
  (i32x4.splat ${readBeyond(0)}) ${readBeyond(4)}) ${readBeyond(8)}) ${readBeyond(12)}))`;
const TEXT = await watText("toggle/steps/steps");
const MEMORY = '(import "c" "memory" (memory 1 65536 shared))';

/** A change of `steps.wat` that makes it wrong. */
export interface StepFault {
  /** What it says, exactly once, blind to layout. */
  readonly from: string;
  readonly to: string;
}

/**
 * The steps as they are, or with a fault, over the words of the program that runs, for the explorer: every
 * access is the call of a word's method.
 */
export function tracedSteps(fault?: StepFault): StepMaker {
  const module = compile(fault ? faulty(TEXT, fault) : TEXT);
  const made = new Map<string, Steps>();
  return (constants) => {
    const key = JSON.stringify(constants);
    if (!made.has(key)) made.set(key, instantiate(module, constants));
    return made.get(key);
  };
}

function readBeyond(bytes: number): string {
  return `(call $read (i32.add (local.get $byte) (i32.const ${bytes})))`;
}

function compile(source: string): WebAssembly.Module {
  const imports = ACCESSES.map(([, name, operands]) => {
    const result = name === "store" || name === "write" ? "" : " (result i32)";
    return `(import "c" "${name}" (func $${name} (param${" i32".repeat(operands)})${result}))`;
  });
  const told = [FOUR_READS, ...ACCESSES].reduce(
    (rest, [instruction, name]) => rest.replaceAll(`(${instruction}`, `(call $${name}`),
    replacedOnce(source, MEMORY, imports.join("\n")),
  );
  return new WebAssembly.Module(wasmOf(told.replace(/\)\s*$/, `${READ_FOUR})`)));
}

function instantiate(module: WebAssembly.Module, constants: StepConstants): Steps {
  const told = new ToldAccesses(constants);
  const imports = Object.fromEntries(ACCESSES.map(([, name]) => [
    name,
    (...operands: [number, number, number]) => told[name as "load"](...operands),
  ]));
  const { exports } = new WebAssembly.Instance(module, { c: { ...imports, ...constants } });
  return exports as unknown as Steps;
}

/** The accesses of the steps as those of the words of the program that runs. */
class ToldAccesses {
  readonly #headersWord: number;

  constructor({ status }: StepConstants) {
    this.#headersWord = status! / 4 - 3;
  }

  get #words(): ScheduledWords {
    return (globalThis as unknown as { portlabModel: ScheduledWords }).portlabModel;
  }

  load(byte: number, ..._rest: number[]): number {
    return this.#words.load(byte / 4);
  }

  store(byte: number, value: number): void {
    this.#words.store(byte / 4, value);
  }

  exchange(byte: number, value: number): number {
    return this.#words.exchange(byte / 4, value);
  }

  compareExchange(byte: number, expected: number, next: number): number {
    return this.#words.compareExchange(byte / 4, expected, next);
  }

  read(byte: number): number {
    return byte / 4 < this.#headersWord ? this.#words.peek(byte / 4) : this.#words.plain[byte / 4]!;
  }

  write(byte: number, value: number): void {
    this.#words.plain[byte / 4] = value;
  }
}

function faulty(source: string, { from, to }: StepFault): string {
  return replacedOnce(source.replaceAll(/;;.*/g, "").replaceAll(/\s+/g, " "), from, to)
    .replace(MEMORY.replaceAll(/\s+/g, " "), MEMORY);
}

function replacedOnce(source: string, from: string, to: string): string {
  const parts = source.split(from);
  if (parts.length === 2) return parts.join(to);
  throw new Error(
    `Cannot change steps.wat as it must say once: ${from}: ${parts.length - 1} times`,
  );
}
