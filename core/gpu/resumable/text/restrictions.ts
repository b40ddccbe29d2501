import type { VariableDeclaration } from "../../syntax/declarations.ts";
import { positionAt } from "../../syntax/text_position.ts";
import type { Token } from "../../syntax/tokens.ts";
import type { KernelModule } from "./kernel_module.ts";
import { REQUESTS } from "./suspending_names.ts";

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
  checkFunctions(module);
  for (const variable of declarations.variables) {
    const reason = reasonAgainst(module, variable);
    if (reason) module.refuse(variable.name.index, `${variable.name.text} ${reason}`);
  }
}

/** No compiler sees two functions of one name where they become steps. */
function checkFunctions(module: KernelModule): void {
  const seen = new Map<string, Token>();
  for (const { name, attributes, whole } of module.declarations.functions) {
    const before = seen.get(name.text);
    seen.set(name.text, name);
    if (before) {
      const { line } = positionAt(module.source, before.index);
      module.refuse(name.index, `${name.text} is declared in line ${line}, too: ${wayOutOf(name)}`);
    }
    if (REQUESTS.has(name.text) && !module.services.has(name.text)) {
      module.refuse(name.index, `${name.text} is a function of kernels: give yours another name`);
    }
    if (name.text === "kernel" && attributes.length > 0) {
      module.refuseAt(whole.start, "kernel is no entry point: leave its attributes out");
    }
  }
}

/** The first function of the texts that `wgslStubs()` gives. */
const FIRST_OF_STUBS = "double_bits";

function wayOutOf({ text }: Token): string {
  return text === FIRST_OF_STUBS
    ? "make one text of all APIs, wgslStubs(one, other)"
    : "rename one";
}

function reasonAgainst(
  { tokens }: KernelModule,
  { space, keyword, value, attributes }: VariableDeclaration,
): string | undefined {
  if (space === "workgroup") {
    return "is in workgroup memory, which is empty again after each call of the host: use a storage buffer";
  }
  if (keyword === "override" && value.end === value.start) {
    return "has no value, and a kernel is given none: write one, or a const";
  }
  const group = attributes.find(({ name }) => name === "group");
  if (!group || !/^0[iu]?$/.test(tokens[group.args.start]?.text ?? "")) return undefined;
  return "is in the group of the kernel itself: write @group(1), and hand its buffer over in buffers";
}
