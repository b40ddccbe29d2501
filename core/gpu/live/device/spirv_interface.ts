/** What a module of SPIR-V says to the outside. */
export interface SpirvInterface {
  /** Names of its entry points for compute. */
  readonly entryPoints: readonly string[];
  /** The places of the buffers that its functions mention. */
  readonly bindings: readonly { readonly group: number; readonly binding: number }[];
}

const MAGIC = 0x07230203;
const HEADER_WORDS = 5;
const Instruction = { entryPoint: 15, function: 54, decorate: 71 } as const;
const Decoration = { binding: 33, descriptorSet: 34 } as const;
const GL_COMPUTE = 5;

/**
 * Reads what a module of SPIR-V says to the outside. Drivers trust their caller: a wrong name ends the
 * program by a signal.
 *
 * @throws {TypeError} when the words are no module
 */
export function readInterface(code: Uint32Array): SpirvInterface {
  if (code.length < HEADER_WORDS || code[0] !== MAGIC) {
    throw notSpirv(`it must begin with the word 0x${MAGIC.toString(16)} and four others`);
  }
  const entryPoints: string[] = [];
  const places = new Map<number, { group: number; binding: number }>();
  const mentioned = new Set<number>();
  let isCode = false;
  for (let at = HEADER_WORDS; at < code.length;) {
    const [wordCount, what] = [code[at]! >>> 16, code[at]! & 0xffff];
    if (wordCount === 0 || at + wordCount > code.length) {
      throw notSpirv(`the instruction at word ${at} has ${wordCount} words of ${code.length - at}`);
    }
    const operands = code.subarray(at + 1, at + wordCount);
    if (what === Instruction.entryPoint && operands[0] === GL_COMPUTE) {
      entryPoints.push(textOf(operands.subarray(2)));
    }
    if (what === Instruction.decorate) notePlace(places, operands);
    isCode ||= what === Instruction.function;
    if (isCode) { for (const one of operands) if (places.has(one)) mentioned.add(one); }
    at += wordCount;
  }
  return { entryPoints, bindings: [...mentioned].map((target) => places.get(target)!) };
}

function notePlace(
  places: Map<number, { group: number; binding: number }>,
  [target, decoration, value]: Uint32Array,
): void {
  if (decoration !== Decoration.binding && decoration !== Decoration.descriptorSet) return;
  const place = places.get(target!) ?? { group: 0, binding: 0 };
  place[decoration === Decoration.binding ? "binding" : "group"] = value!;
  places.set(target!, place);
}

/** A text of four bytes a word that ends with a zero. */
function textOf(words: Uint32Array): string {
  const bytes = new Uint8Array(words.slice().buffer);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

function notSpirv(reason: string): TypeError {
  return new TypeError(`Cannot make a pipeline as its code is no SPIR-V: ${reason}`);
}
