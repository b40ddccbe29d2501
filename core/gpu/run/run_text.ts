import { functionsOf, type HostApi, hostApi } from "../../signature/declare/signature.ts";
import { wgslStubs } from "../../signature/wgsl/wgsl_stubs.ts";
import { OPCODE_MAX } from "../../memory/opcode.ts";
import { nearest } from "../../text/nearest.ts";
import { PrintfError } from "../printf/printf_calls.ts";
import { type LaterCall, laterCalls } from "./later_calls.ts";
import { overrideEdits, type OverrideValues } from "./override_values.ts";
import { ModuleText } from "../resumable/text/kernel_module.ts";
import { type Service, servicesOf } from "../resumable/text/services.ts";
import { keywordAt, type VariableDeclaration } from "../syntax/declarations.ts";
import type { Token } from "../syntax/tokens.ts";
import type { Scope } from "../syntax/value_type.ts";
import { insertion, type TextEdit, WgslText } from "../syntax/wgsl_text.ts";
import {
  KernelCompileError,
  refuseAt,
  refuseHandles,
  refuseProblem,
} from "../wgsl/kernel_compile.ts";

/** A buffer that a text declares; its index in the list is its binding. */
export interface BufferVariable {
  readonly name: string;
  readonly type: GPUBufferBindingType;
}

/** The author's text, made ready for `Kernel`. */
export interface RunText {
  readonly author: WgslText;
  /** What was inserted into it. */
  readonly edits: readonly TextEdit[];
  /** The edited text, followed by stubs. */
  readonly kernel: string;
  readonly buffers: readonly BufferVariable[];
  readonly scope: Scope;
  /** The functions of the host that the text declares. */
  readonly services: readonly Service[];
  /** Those that it calls without waiting. */
  readonly later: readonly LaterCall[];
  /** The APIs whose functions the text calls. */
  readonly apis: readonly HostApi[];
}

/**
 * Reads a kernel and adds what the author may leave out: `@group(1) @binding(0)` of a buffer, the
 * opcode after `@service`, `begin_` and `end_` of the functions that it calls without waiting, and stubs
 * for those of APIs.
 *
 * @throws {KernelCompileError} at the author's line and column
 */
export function runText(
  written: string,
  { apis, laneWords, constants = {} }: {
    readonly apis: readonly HostApi[];
    readonly laneWords: number;
    /** Values of `override` constants. */
    readonly constants?: OverrideValues;
  },
): RunText {
  const author = new WgslText(written);
  refuseProblem(author);
  refuseHandles(author);
  const used = calledApis(author, apis);
  const { buffers, edits: bindings } = bufferVariables(author);
  const edits = [...bindings, ...opcodes(author), ...overrideEdits(author, constants)];
  const edited = author.edited(edits);
  try {
    const text = new WgslText(edited);
    const scope = Object.assign(new ModuleText(text), { laneWords });
    const services = [...servicesOf(scope).values()];
    checkOpcodes(scope, services);
    const { text: laterText, calls: later } = laterCalls(scope, services);
    const stubs = laterText + (used.length > 0 ? `\n${wgslStubs(...used)}` : "");
    checkStubs(author, stubs);
    const kernel = declaredForHost(text, services) + stubs;
    return { author, edits, kernel, buffers, scope, services, later, apis: used };
  } catch (error) {
    throw inAuthorsText(error, author, edits);
  }
}

/** A kernel's text as it is; steps without what declares functions of the host, which they call by opcodes. */
function declaredForHost(text: WgslText, services: readonly Service[]): string {
  const { tokens, declarations: { functions } } = text;
  if (functions.some(({ name }) => name.text === "kernel")) return text.source;
  const declared = functions.filter(({ name }) =>
    services.some(({ index }) => index === name.index)
  );
  return text.edited(declared.map(({ whole }) => {
    const [index, last] = [tokens[whole.start]!.index, tokens[whole.end - 1]!];
    const end = last.index + last.text.length;
    return { index, end, text: text.source.slice(index, end).replaceAll(/[^\n]/g, " ") };
  }));
}

/** Stubs mean functions of kernels by their names, even where the author has others of those names. */
function checkStubs(author: WgslText, stubs: string): void {
  const { called } = new WgslText(stubs);
  const taken = author.declarations.names.find(({ text }) => called.has(text));
  if (!taken) return;
  const reason = `${taken.text} is a function that libraries call: give yours another name`;
  refuseAt(author, taken.index, reason);
}

/** Maps an error in the edited text back to its position in the author's text. */
export function inAuthorsText(
  error: unknown,
  author: WgslText,
  edits: readonly TextEdit[],
): unknown {
  if (!(error instanceof KernelCompileError || error instanceof PrintfError)) return error;
  if (error.line < 1 || error.line > author.lineCount) return error;
  const position = author.originalPosition(edits, error);
  return error instanceof PrintfError
    ? new PrintfError(error.reason, author, position)
    : KernelCompileError.at(author, position, error.reason);
}

/** Reduces APIs to the functions that are used, as every stub costs compile time. */
export function usedOf(
  apis: readonly HostApi[],
  isUsed: (api: string, key: string) => boolean,
): HostApi[] {
  return apis.map((api) => {
    const found = functionsOf(api).filter(([key]) => isUsed(api.name, key));
    const signatures = found.map(([key, { signature }]) => [key, signature]);
    return hostApi(api.name, Object.fromEntries(signatures));
  }).filter(({ functions }) => Object.keys(functions).length > 0);
}

/** Like {@linkcode usedOf}, for a text that calls functions by names such as `math_hypot`. */
function calledApis(author: WgslText, apis: readonly HostApi[]): HostApi[] {
  const { tokens, called, declarations } = author;
  const own = new Set(declarations.functions.map(({ name }) => name.text));
  for (const api of apis) {
    const keys = functionsOf(api).map(([key]) => key);
    for (const name of called) {
      if (!name.startsWith(`${api.name}_`) || own.has(name)) continue;
      const key = name.slice(api.name.length + 1);
      const near = keys.includes(key) ? undefined : nearest(key, keys);
      if (near === undefined) continue;
      const { index } = tokens.find(({ text }, at) =>
        text === name && tokens[at + 1]?.text === "("
      )!;
      refuseAt(
        author,
        index,
        `${api.name} has no function ${key}: did you mean ${api.name}_${near}`,
      );
    }
  }
  const isCalled = (name: string) => called.has(name) && !own.has(name);
  return usedOf(apis, (api, key) => isCalled(`${api}_${key}`));
}

/** Rejects two functions with one opcode, as each is registered by its own. */
function checkOpcodes({ refuse }: ModuleText, services: readonly Service[]): void {
  for (const [at, { name, index, opcodeNumber }] of services.entries()) {
    const other = services.slice(0, at).find((one) => one.opcodeNumber === opcodeNumber);
    if (!other) continue;
    refuse(index, `${name} has the opcode of ${other.name}: leave it out, as in @service fn`);
  }
}

/** Gives each `@service` without an opcode one, counting down from the largest. */
function opcodes({ tokens }: WgslText): TextEdit[] {
  const bare = tokens.filter(({ text }, at) =>
    text === "service" && tokens[at - 1]?.text === "@" && tokens[at + 1]?.text !== "("
  );
  return bare.map(({ index, text }, at) => insertion(index + text.length, `(${OPCODE_MAX - at})`));
}

/** Finds the buffers of a text and gives those without a binding the next free one. */
function bufferVariables(author: WgslText) {
  const { tokens, declarations } = author;
  const variables = declarations.variables
    .filter(({ space }) => space === "storage" || space === "uniform");
  const argument = ({ attributes }: VariableDeclaration, wanted: string) => {
    const args = attributes.find(({ name }) => name === wanted)?.args;
    return args && author.textOf(args);
  };
  const buffers: BufferVariable[] = [];
  const bare: VariableDeclaration[] = [];
  for (const variable of variables) {
    const [group, binding] = [argument(variable, "group"), argument(variable, "binding")];
    const number = parseInt(binding ?? "");
    if (group === undefined && binding === undefined) bare.push(variable);
    else if (parseInt(group ?? "") === 1 && number < variables.length && !buffers[number]) {
      buffers[number] = bufferOf(tokens, variable);
    } else {
      refuseAt(
        author,
        variable.name.index,
        "buffers are in @group(1), at bindings of their own that count up from 0: leave out @group and @binding, or write both",
      );
    }
  }
  const edits = bare.map((variable) => {
    const binding = variables.findIndex((_, at) => !buffers[at]);
    buffers[binding] = bufferOf(tokens, variable);
    const { index } = tokens[keywordAt(tokens, variable)]!;
    return insertion(index, `@group(1) @binding(${binding}) `);
  });
  return { buffers, edits };
}

function bufferOf(tokens: readonly Token[], variable: VariableDeclaration): BufferVariable {
  const { name, space } = variable;
  const head = tokens.slice(keywordAt(tokens, variable), tokens.indexOf(name));
  const isWritten = head.some(({ text }) => text === "read_write");
  const type = space === "uniform" ? "uniform" : isWritten ? "storage" : "read-only-storage";
  return { name: name.text, type };
}
