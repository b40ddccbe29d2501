import type { KernelModule } from "./kernel_module.ts";

const NOT_TOGETHER =
  "the lanes of a kernel go on each for itself, so that they cannot wait for each other: make two kernels of it, or call the host";
const GENERATED = "the steps of a kernel are generated: write loops and branches";

/** What a kernel may not call, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  workgroupBarrier: NOT_TOGETHER,
  storageBarrier: NOT_TOGETHER,
  textureBarrier: NOT_TOGETHER,
  workgroupUniformLoad: NOT_TOGETHER,
  go: GENERATED,
  finish: "a kernel ends with its function: write return",
};

/**
 * Refuses what no kernel can do, wherever in the text it stands.
 *
 * @throws {KernelCompileError} at the first place
 */
export function checkRestrictions(module: KernelModule): void {
  const { tokens, declarations } = module;
  const own = new Set(declarations.functions.map(({ name }) => name.text));
  tokens.forEach(({ kind, text }, at) => {
    const isCall = kind === "name" && tokens[at + 1]?.text === "(" && tokens[at - 1]?.text !== ".";
    const reason = isCall && !own.has(text) && Object.hasOwn(REFUSED, text) && REFUSED[text];
    if (reason) module.refuseAt(at, `${text}() cannot be in a kernel: ${reason}`);
  });
  const step = declarations.functions.find(({ name }) => /^step_\d+$/.test(name.text));
  if (step) {
    const { text, index } = step.name;
    module.refuse(index, `${text} is a step, and kernel is there, too: write one or the other`);
  }
  const shared = declarations.variables.find(({ space }) => space === "workgroup");
  if (!shared) return;
  module.refuse(
    shared.name.index,
    `${shared.name.text} is in workgroup memory, which is empty again after each call of the host: use a storage buffer`,
  );
}
