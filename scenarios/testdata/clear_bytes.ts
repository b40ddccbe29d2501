// How a scenario is added, as a file that a test follows. A real one would lie in a folder of its kind,
// such as scenarios/worker/, and have one line in scenarios/registry.ts; nothing else.
import type { Control, Scenario, Trial } from "../scenario.ts";

const axes = {
  byteCount: [64, 4096, 65_536],
  method: ["fill", "loop"],
} as const;

/** Half of the work. Nothing that clears all of it in the same way can be faster. */
const halfFilled: Control<typeof axes> = {
  name: "half_filled",
  setup: ({ byteCount }) => Promise.resolve(clearing(new Uint8Array(byteCount / 2), "fill")),
};

/** A byte array of its own, cleared in one of two ways. */
export const clearBytes: Scenario<typeof axes> = {
  name: "clear_bytes",
  question: "What does it cost to clear an array of bytes?",
  axes,
  floor: halfFilled,
  targets: [
    {
      text: "a filled array, in arrays of half the size",
      where: { method: "fill" },
      figure: { kind: "timesFloor" },
      bound: "at most",
      limit: 3,
    },
    {
      text: "an array of a size that is not swept, in arrays of half the size",
      where: { byteCount: 1024 as 64, method: "fill" },
      figure: { kind: "timesFloor" },
      bound: "at most",
      limit: 3,
    },
  ],
  setup: ({ byteCount, method }) => Promise.resolve(clearing(new Uint8Array(byteCount), method)),
};

function clearing(bytes: Uint8Array, method: "fill" | "loop"): Trial {
  return {
    run(callCount) {
      for (let call = 0; call < callCount; call++) {
        if (method === "fill") bytes.fill(0);
        else for (let at = 0; at < bytes.length; at++) bytes[at] = 0;
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
