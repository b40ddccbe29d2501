import { serve } from "../serve.ts";

let ticks = 0;
setInterval(() => ticks++, 1);

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
  makeFunction: () => () => 1,
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
serve(functions, { limitBytes: Number(searchParams.get("limitBytes") ?? 2 ** 30) });
export type Functions = typeof functions;
