import { OPCODE_MAX, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { aroundWord, packetWords, replyText } from "../kernel/services.ts";
import { Types } from "../text/inference.ts";
import { refuse } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import { blank, Printer } from "../text/printer.ts";
import type { Func } from "../text/syntax.ts";
import { checkFunctions, inText } from "../wgsl/kernel_compile.ts";

/** What a server of waves serves, and how. */
export interface ServedText {
  /** The author's text, without what only the server reads. */
  readonly source: string;
  /** WGSL of `operate`, where the author did not write it. */
  readonly generated: string;
  /** The opcodes that are served; absent where `operate` takes all that users may register. */
  readonly opcodes?: readonly number[];
}

const GPU_SERVER = { operate: "operate", made: "a server" };

/**
 * Reads what a server of waves is to do: `fn operate(opcode: u32)`, as for `GpuServer`, or functions such as
 * `@service(40000) fn add(x: u32, y: u32) -> u32 { return x + y; }`, each lane's packet of which holds the
 * arguments one behind the other, and then the result: as kernels call them.
 *
 * @param names of the function, and of what is made, for errors; those of `GpuServer` when absent
 * @throws {TypeError} when the text has neither
 * @throws {KernelCompileError} at a function that no packet can hold the arguments of, or whose opcode is
 * wrong or another's
 */
export function servedText(
  author: Module,
  laneWords: number,
  { operate, made }: { readonly operate: string; readonly made: string } = GPU_SERVER,
): ServedText {
  const isService = ({ attributes }: Func) => attributes.some(({ name }) => name === "service");
  const served = author.functions.filter(isService);
  if (served.length === 0 || author.functions.some(({ name }) => name === operate)) {
    checkFunctions(author, [`fn ${operate}(opcode: u32)`], made);
    return { source: author.source, generated: "" };
  }
  return inText(author, () => servedFunctions(author, served, { operate, laneWords }));
}

function servedFunctions(
  author: Module,
  served: readonly Func[],
  { operate, laneWords }: { readonly operate: string; readonly laneWords: number },
): ServedText {
  const types = new Types(author);
  const opcodes = served.map((one) => opcodeOf(types, one));
  const cases = served.map((one, at) => {
    const opcode = opcodes[at]!;
    if (opcodes.indexOf(opcode) < at) refuse(one, `opcode ${opcode} is another function's, too`);
    return `    case ${opcode}u: { ${serveText(types, one, laneWords)} }`;
  });
  // Compilers do not know the attribute; what follows keeps its place.
  const source = new Printer(
    author.source,
    (node) =>
      node.kind === "attribute" && node.name === "service"
        ? [blank(author.source, node)]
        : undefined,
  ).module(author.globals).text;
  return {
    source,
    generated: [
      `fn ${operate}(opcode: u32) {`,
      "  switch opcode {",
      ...cases,
      "    default: {}",
      "  }",
      "}",
    ].join("\n"),
    opcodes,
  };
}

function opcodeOf(types: Types, one: Func): number {
  const { name, body, attributes } = one;
  if (!body) refuse(one, `${name} is served here: write its body in place of ;`);
  const [written] = attributes.find(({ name }) => name === "service")!.args;
  const opcode = written ? types.value(written) : NaN;
  if (Number.isInteger(opcode) && opcode >= USER_OPCODE_FIRST && opcode <= OPCODE_MAX) {
    return opcode;
  }
  return refuse(
    one,
    `${name} needs an opcode from ${USER_OPCODE_FIRST} to ${OPCODE_MAX}, as @service(40000): current value is ${opcode}`,
  );
}

/** Calls the function on a packet. */
function serveText(types: Types, one: Func, laneWords: number): string {
  const { name, nameStart, parameters, result } = one;
  let firstWord = 0;
  const args = parameters.map(({ type: written }) => {
    const type = types.named(written!);
    const value = replyText(types, type, { reply: "packet_get", firstWord });
    firstWord += packetWords(types, type, nameStart).length;
    return value;
  });
  const resultWords = result ? packetWords(types, types.named(result), nameStart) : [];
  const words = Math.max(firstWord, resultWords.length);
  if (words > laneWords) {
    const reason = `${name} takes or gives back ${words} words, and a packet has ${laneWords}`;
    refuse(one, `${reason}: give the channel more laneBytes`);
  }
  const call = `${name}(${args.join(", ")})`;
  if (!result) return `${call};`;
  const stores = resultWords.map((word, at) => {
    const [before, behind] = aroundWord(word);
    return `packet_set(${at}u, ${before}answer${behind});`;
  });
  return `let answer = ${call}; ${stores.join(" ")}`;
}
