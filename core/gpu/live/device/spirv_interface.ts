import { instructionsOf } from "../spirv/spirv_module.ts";

/** What a module of SPIR-V says to the outside. */
export interface SpirvInterface {
  /** Names of its entry points for compute. */
  readonly entryPoints: readonly string[];
  /** The places of the buffers that its functions mention. */
  readonly bindings: readonly { readonly group: number; readonly binding: number }[];
}

const Op = { entryPoint: 15, function: 54, decorate: 71 } as const;
const Decoration = { binding: 33, descriptorSet: 34 } as const;
const GL_COMPUTE = 5;

/**
 * Reads what a module of SPIR-V says to the outside. Drivers trust their caller: a wrong name ends the
 * program by a signal.
 *
 * @throws {TypeError} when the words are no module
 */
export function readInterface(code: Uint32Array): SpirvInterface {
  const entryPoints: string[] = [];
  const places = new Map<number, { group: number; binding: number }>();
  const mentioned = new Set<number>();
  let isCode = false;
  for (const { op, words } of instructionsOf(code, { cannot: "Cannot make a pipeline" })) {
    const operands = words.subarray(1);
    if (op === Op.entryPoint && operands[0] === GL_COMPUTE) {
      entryPoints.push(textOf(operands.subarray(2)));
    }
    if (op === Op.decorate) notePlace(places, operands);
    isCode ||= op === Op.function;
    if (isCode) { for (const one of operands) if (places.has(one)) mentioned.add(one); }
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
