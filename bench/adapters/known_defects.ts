interface KnownDefect {
  /** Found in what an adapter calls itself. */
  readonly name: string;
  /** What was seen, and with which version. */
  readonly text: string;
}

const DEFECTS: readonly KnownDefect[] = [
  {
    name: "llvmpipe",
    text:
      "a loop that waits for another workgroup ends too early, so live calls report no progress; " +
      "epochs and the GPU as server are right (seen with Mesa 22.3.6)",
  },
  {
    name: "SwiftShader",
    text:
      "runs one workgroup on each core at a time: of live programs with as many servers as cores, " +
      "none makes progress (seen with the build of Chromium 153)",
  },
];

/**
 * What is known to be wrong with an adapter, by what it calls itself: no failure of the protocol, and
 * what tests expect of it.
 *
 * @example
 * ```ts
 * import { knownDefects } from "./known_defects.ts";
 * if (knownDefects("A good GPU").length !== 0) throw new Error("nothing is known");
 * ```
 */
export function knownDefects(description: string): string[] {
  return DEFECTS.filter(({ name }) => description.includes(name)).map(({ text }) => text);
}
