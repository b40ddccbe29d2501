import { nameHint, nearest } from "../../text/nearest.ts";
import { compileWgsl } from "../device/compile_wgsl.ts";
import { PrintFault } from "../print/print_calls.ts";
import { PrintfError } from "../print/printf_error.ts";
import type { Fault } from "../text/fault.ts";
import { Types } from "../text/inference.ts";
import { plainLines } from "../text/lexer.ts";
import { Lines, type Position, refuse, TextFault } from "../text/lines.ts";
import { Module, tryModule } from "../text/module.ts";
import { type Func, nodesIn } from "../text/syntax.ts";
import { refuseChangedNames, refusePartPointers } from "../text/text_rules.ts";
import { RUNTIME_NAMES, typeText } from "../text/value_type.ts";

/** A module that begins with the author's text; the other lines are generated. */
export interface AuthoredModule {
  readonly code: string;
  /** The author's text. */
  readonly author: Module;
  /** The author's text of the option `server`, which follows the other and has its own line numbers. */
  readonly server?: Module | undefined;
  /** The author's functions that were replaced by generated ones; none when absent. */
  readonly dissolved?: ReadonlySet<string>;
  /**
   * Maps a position in the author's text as it is printed, and in the generated lines behind it, to the
   * author's text it comes from, if any. When absent, the author's text is printed as it is.
   */
  readonly authorPosition?: (position: Position) => Position | undefined;
  /** Names that the text may use without declaring them, to hint at; none when absent. */
  readonly offered?: readonly string[];
  /** What the author calls what has another name in generated lines; nothing when absent. */
  readonly authorNames?: ReadonlyMap<string, string>;
}

/** The author's text does not compile; the message shows the line. */
export class KernelCompileError extends Error {
  /** The name of the class. */
  override readonly name = "KernelCompileError";
  /** From 1; 0 when the error is not in the author's text. */
  readonly line: number;
  /** From 1, in UTF-16 units; 0 when the error is not in the author's text. */
  readonly column: number;
  /** What is wrong, without the place. */
  readonly reason: string;
  /** The option whose text is wrong, such as `server`; absent where that is the kernel's. */
  readonly option: string | undefined;

  /** Creates the error of a failed compilation. */
  constructor(
    message: string,
    { line, column, option }: Position & { readonly option?: string | undefined },
    reason: string = message,
  ) {
    super(message);
    this.option = option;
    this.line = line;
    this.column = column;
    this.reason = reason;
  }

  /** @internal Creates the error of a position in the author's text. */
  static at(
    text: Lines & { readonly option?: string | undefined },
    position: Position,
    reason: string,
  ): KernelCompileError {
    const { line, column } = position;
    const { option } = text;
    const where = `line ${line}, column ${column}${option ? ` of ${option}` : ""}`;
    return new KernelCompileError(
      `Cannot compile the kernel as ${where} is wrong: ${reason}\n${line} | ${text.lineOf(line)}`,
      { ...position, option },
      reason,
    );
  }
}

/** Reads an author's text. @throws {KernelCompileError} at what is no WGSL */
export function authorModule(written: string, option?: string): Module {
  const named = option === undefined ? {} : { option };
  try {
    return new Module(written, { ...named, leavesUnread: true });
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    throw textError(Object.assign(new Lines(plainLines(written)), named), error);
  }
}

/**
 * Does what may find a fault in an author's text.
 *
 * @throws {KernelCompileError} at a fault of the kernel
 * @throws {PrintfError} at one of a `printf` or `assert`
 */
export function inText<T>(text: Module, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof TextFault ? textError(text, error) : error;
  }
}

function textError(text: Lines & { readonly option?: string | undefined }, fault: TextFault) {
  const position = text.positionAt(fault.start);
  return fault instanceof PrintFault
    ? new PrintfError(fault.message, text, position)
    : KernelCompileError.at(text, position, fault.message);
}

/** The author's texts, in the order of their lines in the module. */
function textsOf({ author, server }: AuthoredModule): readonly Module[] {
  return server ? [author, server] : [author];
}

/**
 * Compiles a generated module.
 *
 * @throws {KernelCompileError} with the author's own line
 */
export function compileModule(
  device: GPUDevice,
  module: AuthoredModule,
): Promise<GPUShaderModule> {
  return compileModuleWith(module, (code) => compileWgsl(device, code));
}

/**
 * As {@linkcode compileModule}, by another compiler.
 *
 * @throws {KernelCompileError} with the author's own line
 */
export async function compileModuleWith<T extends object>(
  module: AuthoredModule,
  compile: (code: string) => Promise<T | Fault>,
): Promise<T> {
  // Compilers let a module redeclare names of WGSL, which the generated part would then use.
  refuseNames(module, WGSL_NAMES, "a name of WGSL that the generated part uses");
  for (const text of textsOf(module)) refuseProblem(text);
  const result = await compile(module.code);
  if (!("reason" in result)) return result;
  // If both parts declare a name, compilers point to the generated one.
  const generated = tryModule(module.code.split("\n").slice(authorLines(module)).join("\n"));
  if (!(generated instanceof TextFault)) {
    refuseNames(module, new Set(generated.byName.keys()), "a name of the generated part");
  }
  refuseBoundTwice(module);
  throw compileError(module, result);
}

function authorLines(module: AuthoredModule): number {
  return textsOf(module).reduce((sum, { lineCount }) => sum + lineCount, 0);
}

/** @throws {KernelCompileError} at what must not reach a compiler */
export function refuseProblem(text: Module): void {
  inText(text, () => {
    refusePartPointers(new Types(text));
    refuseChangedNames(text);
  });
}

/**
 * Refuses textures and samplers: nothing binds one, and a buffer in its place could crash a driver.
 *
 * @throws {TextFault} at the first
 */
export function refuseHandles({ variables }: Module): void {
  const found = variables.find(({ keyword, space }) => keyword === "var" && space === "");
  if (!found) return;
  refuse(found, "a kernel has no textures and samplers here: copy what is in them to a buffer");
}

/**
 * Checks that the author's text has the functions that the generated part calls.
 *
 * @param wanted as in `fn serve(opcode: u32)`; if this has no result, the function may have one
 * @param made names what the text is for in error messages
 * @throws {TypeError} when one is missing
 * @throws {KernelCompileError} at the author's line
 */
export function checkFunctions(
  text: Module,
  wanted: readonly string[],
  made: string,
): void {
  for (const form of wanted) {
    const asked = new Module(`${form};`);
    const [called] = asked.functions;
    const found = text.functions.filter(({ name }) => name === called!.name);
    if (found.length === 0) {
      throw new TypeError(
        `Cannot make ${made} as its ${text.option ?? "source"} has no function ${
          called!.name
        }: write ${form}`,
      );
    }
    const signature = signatureOf(asked, called!, called!);
    const wrong = found.find((one) => signatureOf(text, one, called!) !== signature);
    if (wrong) inText(text, () => refuse(wrong, `it is called otherwise: write ${form}`));
  }
}

/** The types of a function's parameters, and of its result if that is asked for. */
function signatureOf(module: Module, { parameters, result }: Func, asked: Func): string {
  const types = new Types(module);
  const list = [...parameters.map(({ type }) => type), ...asked.result ? [result] : []];
  return list.map((type) => type ? typeText(types.named(type)) : "").join();
}

function compileError(module: AuthoredModule, fault: Fault): KernelCompileError {
  const { position } = fault;
  const reason = fault.reason.replaceAll(/\w+/g, (name) => module.authorNames?.get(name) ?? name);
  const { author, server, authorPosition = ownPosition } = module;
  const { line, column } = position;
  const [own, others] = [author.lineCount, server?.lineCount ?? 0];
  if (server && line > own && line <= own + others) {
    return KernelCompileError.at(server, { line: line - own, column }, reason);
  }
  const found = line < 1
    ? undefined
    : authorPosition(line <= own ? position : { line: line - others, column });
  if (found) return KernelCompileError.at(author, found, reason + hintOf(module, found, reason));
  return new KernelCompileError(
    `Cannot compile the kernel as what is generated around it does not fit: ${reason}`,
    { line: 0, column: 0 },
  );

  function ownPosition(position: Position): Position | undefined {
    return position.line <= own ? position : undefined;
  }
}

/** The way out where a text names what nothing declares. */
function hintOf(
  { author, offered = [] }: AuthoredModule,
  position: Position,
  reason: string,
): string {
  const [, name] = /^no definition in scope for identifier: `(\w+)`$/.exec(reason) ?? [];
  if (name === undefined) return "";
  const index = author.indexAt(position);
  const nodes = author.globals.flatMap((one) => [...nodesIn(one)]);
  if (!nodes.some((node) => node.kind === "call" && node.start === index)) {
    if (/^(?:(?:glob|loc)al_invocation_i(?:d|ndex)|workgroup_id)$/.test(name)) {
      return "; a kernel has lane_index, LANE_COUNT and wave_index";
    }
    const variables = nodes.flatMap((node) => node.kind === "variable" ? node.name : []);
    const near = nearest(name, [...RUNTIME_NAMES.keys(), ...variables]);
    return near === undefined ? "" : `; did you mean ${near}`;
  }
  const own = nearest(name, author.functions.map((one) => one.name));
  if (own !== undefined) return `; did you mean ${own}`;
  const family = /^heap_/.test(name) ? offered.filter((one) => one.startsWith("heap_")) : [];
  if (family.length > 0) return `; ${nameHint(name, family)}`;
  const near = nearest(name, offered);
  const hint = near === undefined ? "" : `; did you mean ${near}`;
  return `${hint}; a function of the host is declared as @service fn ${name}(x: u32) -> u32;`;
}

/** Names of WGSL that the generated parts use, and that a module could redeclare. */
export const WGSL_NAMES: ReadonlySet<string> = new Set(
  `all array atomic atomicAdd atomicAnd atomicCompareExchangeWeak atomicExchange atomicLoad
  atomicMax atomicMin atomicOr atomicStore atomicSub bitcast bool countLeadingZeros f16 f32
  firstTrailingBit i32 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 max min
  select storageBarrier u32 vec2 vec2u vec3 vec3u vec4 vec4u workgroupBarrier
  workgroupUniformLoad`.split(/\s+/),
);

/** @throws {KernelCompileError} at the first declaration of a name that is taken */
function refuseNames(module: AuthoredModule, taken: ReadonlySet<string>, what: string): void {
  for (const text of textsOf(module)) {
    const found = text.globals.find((one) =>
      one.kind !== "directive" && taken.has(one.name) && !module.dissolved?.has(one.name)
    );
    if (!found || found.kind === "directive") continue;
    const { name } = found;
    inText(
      text,
      () => refuse(found, `it declares ${name}, ${what}: give it another name, as my_${name}`),
    );
  }
}

/**
 * @throws {KernelCompileError} at the first variable whose binding is taken; compilers do not say where
 * it is
 */
function refuseBoundTwice(module: AuthoredModule): void {
  const taken = new Set<string>();
  for (const text of textsOf(module)) {
    for (const variable of text.variables) {
      const [group, binding] = ["group", "binding"].map((wanted) => {
        const arg = variable.attributes.find(({ name }) => name === wanted)?.args[0];
        return arg && text.textOf(arg);
      });
      if (group === undefined || binding === undefined) continue;
      const place = `@group(${group}) @binding(${binding})`;
      if (taken.has(place)) {
        const reason =
          `${place} is another variable's, too: give ${variable.name} a binding of its own`;
        inText(text, () => refuse(variable, reason));
      }
      taken.add(place);
    }
  }
}
