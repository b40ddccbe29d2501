import { HEADER_WORDS, type Instruction, instructionsOf } from "./spirv_module.ts";

/** A buffer of a shader, as it is bound. */
export interface BufferPlace {
  readonly group: number;
  readonly binding: number;
}

const CANNOT = "Cannot make SPIR-V for a live kernel";
/** Where the header has the number above all ids. */
const BOUND_PLACE = 3;
/** Subgroups need 1.3. From 1.4 on an entry point has to list all variables, which translators of 1.0 do not. */
const VERSION_1_3 = 0x00010300;
/** Vulkan's limit of ids. */
const BOUND_MAX = 4_194_304;

const Op = {
  typeInt: 21,
  constant: 43,
  function: 54,
  variable: 59,
  accessChain: 65,
  inBoundsAccessChain: 66,
  decorate: 71,
  controlBarrier: 224,
  atomicLoad: 227,
  atomicStore: 228,
  atomicExchange: 229,
  atomicCompareExchange: 230,
  atomicCompareExchangeWeak: 231,
  atomicXor: 242,
} as const;

/** The fewest words of each instruction that is looked into. */
const WORDS_MIN: Readonly<Record<number, number>> = {
  [Op.typeInt]: 4,
  [Op.constant]: 4,
  [Op.function]: 5,
  [Op.variable]: 4,
  [Op.accessChain]: 4,
  [Op.inBoundsAccessChain]: 4,
  [Op.decorate]: 3,
  [Op.controlBarrier]: 4,
  [Op.atomicLoad]: 6,
  [Op.atomicStore]: 5,
  [Op.atomicCompareExchange]: 9,
  [Op.atomicCompareExchangeWeak]: 9,
};
/** Of each other atomic: type, result, pointer, scope and semantics. */
const ATOMIC_WORDS_MIN = 6;

const Decoration = { aliased: 20, coherent: 23, binding: 33, descriptorSet: 34 } as const;

const ACQUIRE = 0x2;
const RELEASE = 0x4;
const ACQUIRE_RELEASE = 0x8;
const BUFFERS = 0x40;
const SUBGROUP = 0x80;
const WORKGROUP = 0x100;

/** Memory semantics that are written, each as a constant of its own. */
const SEMANTICS = {
  acquire: ACQUIRE | BUFFERS,
  release: RELEASE | BUFFERS,
  both: ACQUIRE_RELEASE | BUFFERS,
  barrier: ACQUIRE_RELEASE | BUFFERS | WORKGROUP,
  subgroupBarrier: ACQUIRE_RELEASE | BUFFERS | SUBGROUP | WORKGROUP,
} as const;
type SemanticsName = keyof typeof SEMANTICS;

/** What translators write for `workgroupBarrier()` of WGSL, and for `subgroupBarrier()`. */
const WORKGROUP_BARRIER = ACQUIRE_RELEASE | WORKGROUP;
const SUBGROUP_BARRIER = ACQUIRE_RELEASE | SUBGROUP;

/**
 * Makes SPIR-V for a kernel that runs while others use its memory. Translators of WGSL write what WebGPU
 * promises: relaxed atomics, barriers of a workgroup, and buffers that nobody else touches. This adds
 * what WGSL cannot say:
 *
 * - Version 1.3, which subgroups need.
 * - Atomics of the shared buffers acquire and release: a flip publishes the packet, and who sees it
 *   sees the packet. Those of other buffers stay as they are.
 * - `workgroupBarrier()` and `subgroupBarrier()` order buffers, too, so that what one lane's flip publishes includes what
 *   the other lanes wrote before the barrier.
 * - The shared buffers are `Aliased`, as one memory may be bound twice, for atomic words and plain
 *   ones, and `Coherent`.
 *
 * @param shared the buffers that the host or other waves use at the same time
 * @throws {TypeError} when the module is malformed, or has no such buffer
 */
export function liveSpirv(source: Uint32Array, shared: readonly BufferPlace[]): Uint32Array {
  const module = readModule(source);
  const variables = shared.map((place) => variableAt(module, place));
  const semantics = new Map<SemanticsName, number>();
  let bound = source[BOUND_PLACE]!;
  const idOf = (name: SemanticsName) => {
    if (!semantics.has(name)) semantics.set(name, bound++);
    return semantics.get(name)!;
  };
  const body = module.instructions.map(({ op, words }) => {
    if (op === Op.controlBarrier) return barrier(module, words, idOf);
    const isAtomic = op >= Op.atomicLoad && op <= Op.atomicXor;
    return isAtomic && isShared(module, words, variables) ? ordered(words, idOf) : words;
  });
  const firstFunction = module.instructions.findIndex(({ op }) => op === Op.function);
  const firstDecoration = module.instructions.findIndex(({ op }) => op === Op.decorate);
  const parts: ArrayLike<number>[] = [source.subarray(0, HEADER_WORDS)];
  body.forEach((words, at) => {
    if (at === firstDecoration) parts.push(...variables.flatMap(decorations));
    if (at === firstFunction) parts.push(...constants(module, semantics));
    parts.push(words);
  });
  const result = concatenated(parts);
  result[1] = VERSION_1_3;
  result[BOUND_PLACE] = bound;
  return result;
}

interface Module {
  readonly instructions: readonly Instruction[];
  /** The values of constants of one word, by id. */
  readonly constants: ReadonlyMap<number, number>;
  /** The id of `u32`; absent where the module does not use it. */
  readonly uintType: number | undefined;
  /** The variable that each pointer leads into, by id. */
  readonly roots: ReadonlyMap<number, number>;
}

function readModule(source: Uint32Array): Module {
  const instructions = [...instructionsOf(source, { cannot: CANNOT, wordsMin })];
  checkBound(source[BOUND_PLACE]!);
  const constants = new Map<number, number>();
  const roots = new Map<number, number>();
  let uintType: number | undefined;
  for (const { op, words } of instructions) {
    if (op === Op.typeInt && words[2] === 32 && words[3] === 0) uintType = words[1]!;
    if (op === Op.constant && words.length === 4) constants.set(words[2]!, words[3]!);
    if (op === Op.variable) roots.set(words[2]!, words[2]!);
    if (op === Op.accessChain || op === Op.inBoundsAccessChain) {
      const root = roots.get(words[3]!);
      if (root !== undefined) roots.set(words[2]!, root);
    }
  }
  return { instructions, constants, uintType, roots };
}

/** The fewest words of an instruction, so that what is looked into is there. */
function wordsMin(op: number): number {
  return WORDS_MIN[op] ?? (op >= Op.atomicLoad && op <= Op.atomicXor ? ATOMIC_WORDS_MIN : 1);
}

function checkBound(bound: number): void {
  const boundMax = BOUND_MAX - Object.keys(SEMANTICS).length;
  if (bound >= 1 && bound <= boundMax) return;
  throw new TypeError(
    `${CANNOT} as its bound of ids must be 1 to ${boundMax}: current value is ${bound}`,
  );
}

/** The id of the variable that is bound at a place. */
function variableAt({ instructions }: Module, { group, binding }: BufferPlace): number {
  const decorated = (decoration: number, value: number) =>
    instructions.flatMap(({ op, words }) =>
      op === Op.decorate && words[2] === decoration && words[3] === value ? [words[1]!] : []
    );
  const inGroup = new Set(decorated(Decoration.descriptorSet, group));
  const found = decorated(Decoration.binding, binding).find((id) => inGroup.has(id));
  if (found !== undefined) return found;
  throw new TypeError(`${CANNOT} as it has no buffer at @group(${group}) @binding(${binding})`);
}

function decorations(variable: number): number[][] {
  return [Decoration.aliased, Decoration.coherent]
    .map((decoration) => [3 << 16 | Op.decorate, variable, decoration]);
}

function constants(
  { uintType }: Module,
  semantics: ReadonlyMap<SemanticsName, number>,
): number[][] {
  if (semantics.size > 0 && uintType === undefined) {
    throw new TypeError(`${CANNOT} as it has barriers or atomics and no 32-bit unsigned integer`);
  }
  return [...semantics].map(([name, id]) => [
    4 << 16 | Op.constant,
    uintType!,
    id,
    SEMANTICS[name],
  ]);
}

function barrier(
  { constants }: Module,
  words: Uint32Array,
  idOf: (name: SemanticsName) => number,
): ArrayLike<number> {
  const [head, execution, memory, semantics] = words as unknown as [number, number, number, number];
  const value = constants.get(semantics);
  if (value === WORKGROUP_BARRIER) return [head, execution, memory, idOf("barrier")];
  if (value === SUBGROUP_BARRIER) return [head, execution, memory, idOf("subgroupBarrier")];
  return words;
}

/** Whether an atomic may be one of a shared buffer: its pointer is not known to lead elsewhere. */
function isShared({ roots }: Module, words: Uint32Array, variables: readonly number[]): boolean {
  const isStore = (words[0]! & 0xffff) === Op.atomicStore;
  const root = roots.get(words[isStore ? 1 : 3]!);
  return root === undefined || variables.includes(root);
}

/** An atomic with acquire and release semantics, as far as it reads and writes. */
function ordered(words: Uint32Array, idOf: (name: SemanticsName) => number): Uint32Array {
  const result = words.slice();
  switch (words[0]! & 0xffff) {
    case Op.atomicStore:
      result[3] = idOf("release");
      break;
    case Op.atomicLoad:
      result[5] = idOf("acquire");
      break;
    case Op.atomicCompareExchange:
    case Op.atomicCompareExchangeWeak:
      result[5] = idOf("both");
      result[6] = idOf("acquire");
      break;
    default:
      result[5] = idOf("both");
  }
  return result;
}

function concatenated(parts: readonly ArrayLike<number>[]): Uint32Array {
  const result = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
