/** An instruction of a module. */
export interface Instruction {
  readonly op: number;
  /** Its words, the first with the number and how many they are. */
  readonly words: Uint32Array;
}

const MAGIC = 0x07230203;
const MAGIC_SWAPPED = 0x03022307;
/** The words before the first instruction. */
export const HEADER_WORDS = 5;

/**
 * Reads the instructions of a module of SPIR-V, in order.
 *
 * @param options `cannot` begins an error: "Cannot make a pipeline"; `wordsMin` is how few words an
 * instruction may have, 1 when absent
 * @throws {TypeError} when the words are no module
 */
export function* instructionsOf(
  source: Uint32Array,
  { cannot, wordsMin = () => 1 }: {
    readonly cannot: string;
    readonly wordsMin?: (op: number) => number;
  },
): Generator<Instruction> {
  const [magic] = source;
  if (source.length < HEADER_WORDS || magic !== MAGIC) {
    throw new TypeError(
      `${cannot} as SPIR-V must begin with the word 0x07230203 and four others: current value is ${
        magic === undefined ? "nothing" : `0x${magic.toString(16).padStart(8, "0")}`
      }${magic === MAGIC_SWAPPED ? ", which has the other order of bytes" : ""}`,
    );
  }
  for (let at = HEADER_WORDS; at < source.length;) {
    const head = source[at]!;
    const [op, count] = [head & 0xffff, head >>> 16];
    const countMin = wordsMin(op);
    if (count < countMin || at + count > source.length) {
      throw new TypeError(
        `${cannot} as instruction ${op} of its SPIR-V, at word ${at}, must have at least ${countMin} words, and at most the ${
          source.length - at
        } that are left: current value is ${count}`,
      );
    }
    yield { op, words: source.subarray(at, at + count) };
    at += count;
  }
}
