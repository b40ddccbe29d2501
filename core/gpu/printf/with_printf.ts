import ringSource from "./ring/printf.wgsl" with { type: "text" };
import type { TypedName } from "../syntax/declarations.ts";
import { closingOf, freePrefix, type Token } from "../syntax/tokens.ts";
import { type PrintfCall, printfCalls, PrintfError, refuseAt } from "./printf_calls.ts";
import { type TextEdit, type TextPosition, WgslText } from "../syntax/wgsl_text.ts";
import { compileWgsl, type Fault } from "../compile/compile_wgsl.ts";
import { textProblem } from "../compile/text_problem.ts";
import { typeText } from "../syntax/value_type.ts";
import { entryPoints } from "./entry_points.ts";
import { argumentTypes, printfFunction } from "./printf_functions.ts";
import { PrintfRing, type RingOptions } from "./ring/printf_ring.ts";

/** The binding of a buffer. */
export interface BindingPlace {
  /** The number of `@group`. */
  readonly group: number;
  /** The number of `@binding`. */
  readonly binding: number;
}

/** The binding of the ring. */
export interface RingPlace extends BindingPlace {
  /** Whether the author's variables use the same group. */
  readonly isGroupShared: boolean;
}

/** The number of groups on every device. */
const GROUP_COUNT = 4;

/** The bindings of the author's variables; numbers are `undefined` if only a compiler knows them. */
function takenPlaces({ tokens, declarations }: WgslText) {
  return declarations.variables.flatMap((variable) => {
    const group = attributeNumber(tokens, variable, "group");
    const binding = attributeNumber(tokens, variable, "binding");
    return group === "none" || binding === "none" ? [] : [{ group, binding, name: variable.name }];
  });
}

function attributeNumber(tokens: readonly Token[], { attributes }: TypedName, wanted: string) {
  const attribute = attributes.find(({ name }) => name === wanted);
  if (!attribute) return "none";
  const { start, end } = attribute.args;
  const text = tokens[start]?.text ?? "";
  return end - start === 1 && /^\d+[iu]?$/.test(text) ? parseInt(text) : undefined;
}

/**
 * Chooses the ring's binding: in a group of its own, after the author's, if one is free; else after the
 * last binding of the last group.
 *
 * @throws {PrintfError} when the requested place is taken, or no place can be computed
 * @throws {RangeError} when a number is not an index
 */
export function ringBinding(text: WgslText, wanted: Partial<BindingPlace>): RingPlace {
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined || (Number.isInteger(value) && value >= 0)) continue;
    throw new RangeError(
      `Cannot place the ring as ${name} must be an integer from 0: current value is ${value}`,
    );
  }
  const taken = takenPlaces(text);
  const unknown = taken.find(({ group, binding }) => group === undefined || binding === undefined);
  if (unknown && (wanted.group === undefined || wanted.binding === undefined)) {
    refuseAt(
      text,
      unknown.name,
      `the group and binding of ${unknown.name.text} are no plain numbers, so that a free place for the ring cannot be computed: name one by the options group and binding`,
    );
  }
  const groups = taken.map(({ group }) => group ?? 0);
  const group = wanted.group ?? freeGroup(groups);
  const bindings = taken.filter((one) => one.group === group).map((one) => one.binding ?? 0);
  const binding = wanted.binding ?? Math.max(-1, ...bindings) + 1;
  const other = taken.find((one) => one.group === group && one.binding === binding);
  if (!other) return { group, binding, isGroupShared: bindings.length > 0 };
  return refuseAt(
    text,
    other.name,
    `the options bind the ring where ${other.name.text} is, at @group(${group}) @binding(${binding}): leave the options out, or choose another place`,
  );
}

function freeGroup(groups: readonly number[]): number {
  const behind = Math.max(-1, ...groups) + 1;
  if (behind < GROUP_COUNT) return behind;
  const isTaken = Array.from({ length: GROUP_COUNT }, (_, group) => groups.includes(group));
  return isTaken.includes(false) ? isTaken.indexOf(false) : GROUP_COUNT - 1;
}

/** A shader whose `printf` prints. */
export interface PrintfModule extends BindingPlace {
  /**
   * The text for `createShaderModule`. It begins with the author's text, in which columns only move
   * after a parameter list or `{` of an entry point.
   */
  readonly source: string;
  /** Creates the ring that all pipelines of the shader print to. */
  readonly attach: (device: GPUDevice, options?: RingOptions) => PrintfRing;
  /**
   * Compiles `source`.
   *
   * @throws {PrintfError} at the author's line and column when it does not compile
   */
  readonly compile: (device: GPUDevice) => Promise<GPUShaderModule>;
  /** Maps a compiler's position in `source` to the author's text. */
  readonly authorPosition: (position: TextPosition) => TextPosition;
}

/** The most parameters of a WGSL function. */
const PARAMETERS_MAX = 255;
/** Far more than a person writes, and few enough for names as long as `printf`. */
const CALLS_MAX = 4096;

/**
 * Lets an ordinary shader print: rewrites each `printf("x = %f\n", x)` to append to a ring in a storage
 * buffer, which is read after the shader has run. Compute and fragment stages and the functions they
 * call may print; `core/gpu/printf/README.md` describes the formats.
 *
 * @param options where to bind the ring; after the author's groups when absent
 * @throws {PrintfError} at the line and column of an invalid `printf`
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "../device/device.ts";
 * import { withPrintf } from "./with_printf.ts";
 * const { source, attach } = withPrintf(`
 *   @compute @workgroup_size(2) fn main(@builtin(local_invocation_index) lane: u32) {
 *     printf("lane %u: %.2f\\n", lane, sqrt(f32(lane) + 2));
 *   }`);
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const { device } = gpu;
 *   const module = device.createShaderModule({ code: source });
 *   const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
 *   const ring = attach(device);
 *   const encoder = device.createCommandEncoder();
 *   const pass = encoder.beginComputePass();
 *   pass.setPipeline(pipeline);
 *   ring.bind(pass, pipeline);
 *   pass.dispatchWorkgroups(1);
 *   pass.end();
 *   device.queue.submit([encoder.finish()]);
 *   const { text } = await ring.printed();
 *   if (text !== "lane 0: 1.41\nlane 1: 1.73\n") throw new Error(text);
 *   await ring.destroy();
 * }
 * ```
 */
export function withPrintf(written: string, options: Partial<BindingPlace> = {}): PrintfModule {
  const text = new WgslText(written);
  const problem = textProblem(text);
  if (problem) refuseAt(text, problem.token, problem.reason);
  const calls = printfCalls(text);
  checkSizes(text, calls);
  const place = ringBinding(text, options);
  const prefix = freePrefix(text.tokens, "printf_");
  const { edits: inEntries, isInFragment } = entryPoints({ text, calls, prefix });
  const names = callNames(text.tokens, calls.length);
  const edits = [
    ...inEntries,
    ...calls.flatMap((call, index) => replaced(text.tokens[call.at]!, call, names[index]!)),
  ];
  const source = [
    text.edited(edits),
    ringText(prefix, place),
    ...calls.map((call, at) => printfFunction(call, { name: names[at]!, prefix, number: at + 1 })),
  ].join("\n");
  return {
    group: place.group,
    binding: place.binding,
    source,
    attach: (device, ring = {}) => {
      const fragment = isInFragment ? GPUShaderStage.FRAGMENT : 0;
      const shader = { ...place, formats: calls, visibility: GPUShaderStage.COMPUTE | fragment };
      return new PrintfRing(device, shader, ring);
    },
    compile: async (device) => {
      const result = await compileWgsl(device, source);
      if (result instanceof GPUShaderModule) return result;
      throw compileError(text, { calls, edits }, result);
    },
    authorPosition: (position) => text.originalPosition(edits, position),
  };
}

function checkSizes(text: WgslText, calls: readonly PrintfCall[]): void {
  const large = calls.find((call) => argumentTypes(call).length > PARAMETERS_MAX);
  if (large) {
    const reason = `a printf takes at most ${PARAMETERS_MAX} arguments: make two of it`;
    refuseAt(text, text.tokens[large.at]!, reason);
  }
  if (calls.length <= CALLS_MAX) return;
  const reason = `a text has at most ${CALLS_MAX} calls of printf: there are ${calls.length}`;
  refuseAt(text, text.tokens[calls[CALLS_MAX]!.at]!, reason);
}

/** Chooses unused names of six letters, the length of `printf`. */
function callNames(tokens: readonly Token[], count: number): readonly string[] {
  const used = new Set(tokens.map(({ text }) => text));
  for (const letter of "pqrstuvwxyzabcdefghijklmno") {
    const names = Array.from(
      { length: count },
      (_, number) => `${letter}f_${number.toString(36).padStart(3, "0")}`,
    );
    if (!names.some((name) => used.has(name))) return names;
  }
  throw new RangeError(
    "Cannot name the calls of printf as the text uses every name of six letters",
  );
}

function replaced({ index, text }: Token, { hidden }: PrintfCall, name: string): TextEdit[] {
  const blanks = hidden.map((token) => ({
    index: token.index,
    end: token.index + token.text.length,
    text: " ".repeat(token.text.length),
  }));
  return [{ index, end: index + text.length, text: name }, ...blanks];
}

function ringText(prefix: string, { group, binding }: BindingPlace): string {
  return ringSource.replaceAll("PREFIX", prefix)
    .replace("GROUP", String(group))
    .replace("BINDING", String(binding));
}

function compileError(
  text: WgslText,
  { calls, edits }: {
    readonly calls: readonly PrintfCall[];
    readonly edits: readonly TextEdit[];
  },
  { position: found, reason }: Fault,
): PrintfError {
  if (found.line < 1 || found.line > text.lineCount) {
    const generated = `what is generated around the text does not fit: ${reason}`;
    return new PrintfError(generated, text, { line: 1, column: 1 });
  }
  const position = text.originalPosition(edits, found);
  const index = text.indexAt(position);
  const { tokens } = text;
  const call = calls.find(({ at }) =>
    index >= tokens[at]!.index && index <= (tokens[closingOf(tokens, at + 1)]?.index ?? Infinity)
  );
  const types = call && argumentTypes(call).map(typeText).join(", ");
  const taken = call ? `; this printf takes ${types || "nothing"}` : "";
  return new PrintfError(reason + taken, text, position);
}
