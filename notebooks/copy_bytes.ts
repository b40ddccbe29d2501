// A scenario of somebody else, as notebook 08 takes it apart: this project does not know it.
//
//   deno task bench --scenario notebooks/copy_bytes.ts
//   deno bench -A bench/deno_bench/scenarios_bench.ts -- notebooks/copy_bytes.ts
//
// The import gives types only. A module elsewhere imports them from the URL of portlab's mod.ts, or
// does without.
import type { Control, Point, Scenario, Trial } from "../mod.ts";

const axes = { byteCount: [63, 4096, 65_536], way: ["set", "loop", "words"] } as const;

/** Nothing can copy faster than it can write. */
const fill: Control<typeof axes> = {
  name: "fill",
  setup({ byteCount }) {
    const target = new Uint8Array(byteCount);
    return Promise.resolve(repeated(() => target.fill(1)));
  },
};

/** Bytes from one array to another, by three ways to write it in JavaScript. */
export const copyBytes: Scenario<typeof axes> = {
  name: "copy_bytes",
  question: "Which way of copying bytes is the fastest?",
  axes,
  compares: "way",
  floor: fill,
  bytesPerCall: ({ byteCount }) => byteCount,
  skip: ({ byteCount, way }) =>
    way === "words" && byteCount % 8 !== 0 ? `${byteCount} bytes are no whole words` : undefined,
  targets: [
    {
      text: "a copy by set(), in fills of as many bytes",
      where: { way: "set" },
      figure: { kind: "timesFloor" },
      bound: "at most",
      limit: 4,
    },
  ],
  setup: (point) => Promise.resolve(repeated(copyOf(point))),
};

function repeated(work: () => void): Trial {
  return {
    run(callCount) {
      for (let call = 0; call < callCount; call++) work();
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function copyOf({ byteCount, way }: Point<typeof axes>): () => void {
  const [source, target] = [new Uint8Array(byteCount).fill(7), new Uint8Array(byteCount)];
  if (way === "set") return () => target.set(source);
  if (way === "loop") return () => copyEach(source, target);
  const [from, to] = [new Float64Array(source.buffer), new Float64Array(target.buffer)];
  return () => copyEach(from, to);
}

function copyEach<Values extends Uint8Array | Float64Array>(source: Values, target: Values): void {
  for (let at = 0; at < source.length; at++) target[at] = source[at]!;
}
