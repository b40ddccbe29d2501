import { transfer } from "../carrier.ts";
import { keepHere } from "../keep_here.ts";
import type { RemoteFunction } from "../remote_function.ts";
import { serve } from "../serve.ts";
import { KnownError } from "./known_error.ts";

let ticks = 0;
setInterval(() => ticks++, 1);
let [asked, closed] = [0, -1];
const kept: RemoteFunction<[number], void>[] = [];

class Store {
  readonly #values = new Map<string, number>();

  set(key: string, value: number): void {
    this.#values.set(key, value);
  }

  get(key: string): number | undefined {
    return this.#values.get(key);
  }
}

/** Functions of every kind, for tests. */
const functions = {
  add: (left: number, right: number): number => left + right,
  echo: <Value>(value: Value): Value => value,
  echoLater: async <Value>(value: Value, milliseconds: number): Promise<Value> => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return value;
  },
  fail(message: string): never {
    throw Object.assign(new RangeError(message, { cause: new Error("deeper") }), { code: 7 });
  },
  throwText(): never {
    // deno-lint-ignore no-throw-literal
    throw "only a text";
  },
  makeSymbol: () => Symbol("none"),
  makeCounter(): (by: number) => number {
    let count = 0;
    return (by) => count += by;
  },
  /** Calls back with each number below. */
  countTo(count: number, tell: (value: number) => unknown): unknown {
    let last: unknown;
    for (let value = 0; value < count; value++) last = tell(value);
    return last;
  },
  async countLater(count: number, tell: RemoteFunction<[value: number], string>): Promise<string> {
    const told: string[] = [];
    for (let value = 0; value < count; value++) told.push(await tell.async(value));
    return told.join();
  },
  keep(tell: RemoteFunction<[number], void>): void {
    kept.push(tell);
  },
  async tellKept(value: number): Promise<string> {
    try {
      await Promise.all(kept.map((tell) => tell.async(value)));
      return "told";
    } catch (error) {
      return (error as Error).message;
    }
  },
  releaseKept(): void {
    for (const tell of kept.splice(0)) (tell as unknown as Disposable)[Symbol.dispose]();
  },
  *count(count: number): Generator<number> {
    for (let value = 0; value < count; value++) {
      try {
        asked++;
        yield value;
      } finally {
        closed = value;
      }
    }
  },
  async *countSlowly(count: number, failAt = -1): AsyncGenerator<number> {
    try {
      for (let value = 0; value < count; value++) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        asked++;
        if (value === failAt) throw new RangeError(`no ${value}`);
        yield value;
      }
    } finally {
      closed = count;
    }
  },
  sumOf(values: Iterable<number>): number {
    let sum = 0;
    for (const value of values) sum += value;
    return sum;
  },
  addOne(numbers: Int32Array): number {
    // Sync: with nothing: the caller waits for the answer.
    return numbers[0]! += 1;
  },
  makeBytes(length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length).fill(7);
    return transfer(bytes, [bytes.buffer]);
  },
  /** Answers each message by its double. */
  double(port: MessagePort): void {
    port.onmessage = ({ data }) => port.postMessage(data * 2);
  },
  openStore: () => keepHere(new Store()),
  /** Throws an error of a class that callers have, too. */
  failKnown(): never {
    throw new KnownError("known");
  },
  /** Whether what a callback throws is of that class. */
  catchKnown(call: () => void): boolean {
    try {
      call();
      return false;
    } catch (error) {
      return error instanceof KnownError;
    }
  },
  /** How many members were asked for, and where the last iterator was closed. */
  iterated: () => [asked, closed],
  ticks: () => ticks,
  /** Waits until so many workers are here; returns which one this is. */
  async meet(count: number): Promise<string> {
    const id = crypto.randomUUID();
    const channel = new BroadcastChannel("portlab.meet");
    const others = new Set([id]);
    channel.onmessage = ({ data }) => others.add(data);
    while (others.size < count) {
      channel.postMessage(id);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    channel.postMessage(id);
    await new Promise((resolve) => setTimeout(resolve, 50));
    channel.close();
    return id;
  },
  spin(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  },
  /** Throws where nobody catches it, and never answers. */
  crash(message: string): Promise<never> {
    setTimeout(() => {
      throw new Error(message);
    });
    return new Promise(() => {});
  },
  leave(): Promise<never> {
    setTimeout(() => self.close());
    return new Promise(() => {});
  },
  /** As `process.exit()`, in the runtimes that have it. */
  exit(): never {
    const { process } = globalThis as unknown as { process: { exit(code: number): never } };
    return process.exit(3);
  },
};

const { searchParams } = new URL(import.meta.url);
serve(functions, {
  limitBytes: Number(searchParams.get("limitBytes") ?? 2 ** 30),
  errors: [KnownError],
});
export type Functions = typeof functions;
