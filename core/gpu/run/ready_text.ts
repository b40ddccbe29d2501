import { OPCODE_MAX } from "../../memory/opcode.ts";
import { fixOverrides, KernelText, type OverrideValues } from "../kernel/kernel_text.ts";
import type { Types } from "../text/inference.ts";
import { refuse } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import type { Variable } from "../text/syntax.ts";

/** A buffer that a text declares; its index in the list is its binding. */
export interface BufferVariable {
  readonly name: string;
  readonly type: GPUBufferBindingType;
}

export type { OverrideValues };

/**
 * Adds to a kernel what its author may leave out: `@group(1) @binding(0)` of buffers, and the opcode behind
 * `@service`. `override`s become constants, so that a frame may hold an array of their length, and that
 * compilers that know none take the text.
 *
 * @throws {TextFault} at a buffer whose place is another's, or that counts not up from 0
 * @throws {TypeError} when a value is given that the text has not, or of another type
 */
export function readyText(
  module: Module,
  values: OverrideValues,
): { readonly text: KernelText; readonly buffers: readonly BufferVariable[] } {
  const numbers = Object.entries(values).map(([name, value]) => [name, Number(value)]);
  const text = new KernelText(module, { constants: Object.fromEntries(numbers) });
  const open = module.variables.find(({ name, keyword, value }) =>
    keyword === "override" && !value && !Object.hasOwn(values, name)
  );
  if (open) {
    const { name } = open;
    refuse(open, `${name} has no value: pass one in constants: { ${name}: 1 }, or write one`);
  }
  fixOverrides(text, values);
  const { buffers, places } = placed(text.types);
  places.forEach((place, { start }) => text.inserted.set(start, place));
  let opcode = OPCODE_MAX;
  for (const one of module.functions) {
    const service = one.attributes.find(({ name }) => name === "service");
    if (service?.args.length !== 0) continue;
    text.opcodes.set(one, opcode--);
  }
  return { text, buffers };
}

/** Gives buffers without a binding the next free one. */
function placed(types: Types) {
  const variables = types.module.variables.filter(({ space }) =>
    space === "storage" || space === "uniform"
  );
  const numberOf = ({ attributes }: Variable, wanted: string) => {
    const arg = attributes.find(({ name }) => name === wanted)?.args[0];
    return arg && types.value(arg);
  };
  const buffers: BufferVariable[] = [];
  const bare: Variable[] = [];
  for (const one of variables) {
    const [group, binding] = [numberOf(one, "group"), numberOf(one, "binding")];
    if (group === undefined && binding === undefined) bare.push(one);
    else if (group === 1 && binding! >= 0 && binding! < variables.length && !buffers[binding!]) {
      buffers[binding!] = bufferOf(one);
    } else {
      const reason = "buffers are in @group(1), at bindings of their own that count up from 0";
      refuse(one, `${reason}: leave out @group and @binding, or write both`);
    }
  }
  const places = new Map(bare.map((one) => {
    const binding = variables.findIndex((_, at) => !buffers[at]);
    buffers[binding] = bufferOf(one);
    return [one, `@group(1) @binding(${binding}) `];
  }));
  return { buffers, places };
}

function bufferOf({ name, space, access }: Variable): BufferVariable {
  const isWritten = access === "read_write";
  const type = space === "uniform" ? "uniform" : isWritten ? "storage" : "read-only-storage";
  return { name, type };
}
