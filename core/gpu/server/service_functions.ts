import { OPCODE_MAX, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { aroundWord, replyText, wordsOf } from "../resumable/text/services.ts";
import type { FunctionDeclaration } from "../syntax/declarations.ts";
import { plainText, type TokenRange } from "../syntax/tokens.ts";
import { valueOf } from "../syntax/type_layout.ts";
import { namedType, typeText, type ValueType } from "../syntax/value_type.ts";
import { WgslText } from "../syntax/wgsl_text.ts";
import { checkFunctions, refuseAt } from "../wgsl/kernel_compile.ts";

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
  author: WgslText,
  laneWords: number,
  { operate, made }: { readonly operate: string; readonly made: string } = GPU_SERVER,
): ServedText {
  const { functions } = author.declarations;
  const declared = functions.flatMap((one) => {
    const at = one.attributes.find(({ name }) => name === "service");
    return at ? [{ one, opcode: opcodeOf(author, one, at.args) }] : [];
  });
  if (declared.length === 0 || functions.some(({ name }) => name.text === operate)) {
    checkFunctions(author, [`fn ${operate}(opcode: u32)`], made);
    return { source: author.source, generated: "" };
  }
  const cases = declared.map(({ one, opcode }, at) => {
    if (declared.findIndex((other) => other.opcode === opcode) < at) {
      refuseAt(author, one.name.index, `opcode ${opcode} is another function's, too`);
    }
    return `    case ${opcode}u: { ${serveText(author, one, laneWords)} }`;
  });
  return {
    source: author.edited(declared.map(({ one }) => withoutService(author, one))),
    generated: [
      `fn ${operate}(opcode: u32) {`,
      "  switch opcode {",
      ...cases,
      "    default: {}",
      "  }",
      "}",
    ].join("\n"),
    opcodes: declared.map(({ opcode }) => opcode),
  };
}

function opcodeOf(author: WgslText, { name, body }: FunctionDeclaration, args: TokenRange): number {
  if (author.tokens[body.start]?.text === ";" && body.end === body.start) {
    refuseAt(author, name.index, `${name.text} is served here: write its body in place of ;`);
  }
  const opcode = valueOf(author, plainText(author.tokens, args));
  if (Number.isInteger(opcode) && opcode >= USER_OPCODE_FIRST && opcode <= OPCODE_MAX) {
    return opcode;
  }
  return refuseAt(
    author,
    name.index,
    `${name.text} needs an opcode from ${USER_OPCODE_FIRST} to ${OPCODE_MAX}, as @service(40000): current value is ${opcode}`,
  );
}

/** Calls the function on a packet. */
function serveText(
  author: WgslText,
  { name, parameters, result }: FunctionDeclaration,
  laneWords: number,
): string {
  let firstWord = 0;
  const args = parameters.map(({ name, type: range }) => {
    const type = namedType(author, range);
    const value = replyText(author, type, { firstWord }).replaceAll("reply(", "packet_get(");
    firstWord += wordCountOf(author, type, name.index);
    return value;
  });
  const call = `${name.text}(${args.join(", ")})`;
  const hasResult = result.end > result.start;
  const type = hasResult ? namedType(author, result) : undefined;
  const resultWords = type ? wordCountOf(author, type, name.index) : 0;
  const words = Math.max(firstWord, resultWords);
  if (words > laneWords) {
    const reason = `${name.text} takes or gives back ${words} words, and a packet has ${laneWords}`;
    refuseAt(author, name.index, `${reason}: give the channel more laneBytes`);
  }
  if (!type) return `${call};`;
  const stores = wordsOf(author, type)!.map((word, at) => {
    const [before, behind] = aroundWord(word);
    return `packet_set(${at}u, ${before}answer${behind});`;
  });
  return `let answer = ${call}; ${stores.join(" ")}`;
}

function wordCountOf(author: WgslText, type: ValueType, index: number): number {
  const words = wordsOf(author, type);
  if (words) return words.length;
  return refuseAt(
    author,
    index,
    `a packet holds numbers, bools, vectors, matrices, structs of these, and arrays whose length is a number: current value is ${
      typeText(type)
    }`,
  );
}

/** Takes the attribute away, for compilers that do not know it; what follows keeps its place. */
function withoutService(author: WgslText, { attributes }: FunctionDeclaration) {
  const { args } = attributes.find(({ name }) => name === "service")!;
  const at = author.tokens.findLastIndex((token, place) =>
    place < args.start && token.text === "@"
  );
  const { index } = author.tokens[at]!;
  const end = author.tokens[args.end]!.index + 1;
  return { index, end, text: author.source.slice(index, end).replaceAll(/[^\n]/g, " ") };
}
