import { filesApi } from "../../services/files/files_api.ts";
import { memoryApi } from "../../services/memory_api.ts";
import { processApi } from "../../services/process/process_api.ts";
import { systemApi } from "../../services/system_api.ts";
import { fn, type HostApi, hostApi, i32, nothing, string } from "../../signature/mod.ts";
import type { FunctionSignature, Scalar, Text, Void } from "../../signature/declaration_types.ts";
import { wgslStubs } from "../../signature/wgsl/mod.ts";
import { Module } from "../text/module.ts";
import { type Node, nodesIn } from "../text/syntax.ts";
import libraryWgsl from "./library.wgsl" with { type: "text" };
import { usedOf } from "../run/run_text.ts";
import type { ProgramGrid } from "./run_program.ts";

/** The functions of {@linkcode programApi}. */
export type ProgramFunctions = {
  readonly perror_of: FunctionSignature<readonly [Text, Scalar<"i32">], Void>;
};

/** Functions of the loader only: `perror_of` writes a text and the meaning of an error number. */
export const programApi: HostApi<ProgramFunctions> = hostApi("program", {
  perror_of: fn([string, i32], nothing),
});

/** The APIs whose functions a program calls without a prefix. */
const APIS: readonly HostApi[] = [programApi, processApi, filesApi, memoryApi, systemApi];
/** Left out, as kernels implement it themselves. */
const OF_KERNELS = "printf";

/**
 * Generates what a program uses without declaring it: constants of its grid, functions of
 * `library.wgsl`, and functions of the host by bare names such as `fopen`. Unused functions are left
 * out, as each costs compile time, and the program's own declarations take precedence.
 */
export function libraryText(
  module: Module,
  grid: ProgramGrid,
  apis: readonly HostApi[] = [],
): string {
  const used = undeclaredIn(module.globals);
  const texts = libraryFunctions(used);
  for (const [name, value] of Object.entries(gridConstants(grid))) {
    if (used.has(name)) texts.push(`const ${name} = ${value}u;`);
  }
  return [...texts, hostText(used, apis), ""].join("\n");
}

/** The constants of a program's grid. */
export function gridConstants({ threadCount, blockCount }: ProgramGrid): Record<string, number> {
  return { THREAD_COUNT: threadCount, BLOCK_COUNT: blockCount };
}

/** The names that nodes use and their text does not declare. */
function undeclaredIn(nodes: readonly Node[]): Set<string> {
  const all = nodes.flatMap((one) => [...nodesIn(one)]);
  return new Set(all.flatMap((node) => node.kind === "name" && !node.declared ? [node.text] : []));
}

/** Read where a program is made first. */
let library: Module | undefined;

/** Collects the used functions of the library, and adds the names that they use themselves. */
function libraryFunctions(used: Set<string>): string[] {
  const module = library ??= new Module(libraryWgsl);
  const texts: string[] = [];
  for (const name of used) {
    const one = module.byName.get(name);
    if (one?.kind !== "function") continue;
    for (const node of nodesIn(one)) if (node.kind === "name") used.add(node.text);
    texts.push(module.textOf(one));
  }
  return texts;
}

/** Whether a program calls functions of an API by names such as `fortran_EndIoStatement`. */
export function usesApi({ words }: Module, { name, functions }: HostApi): boolean {
  return Object.keys(functions).some((key) => words.has(`${name}_${key}`));
}

/** Generates stubs for the functions of the host that are used; those of libraries keep their prefix. */
function hostText(used: ReadonlySet<string>, apis: readonly HostApi[]): string {
  const wanted = usedOf(APIS, (_, key) => key !== OF_KERNELS && used.has(key));
  const more = usedOf(apis, (name, key) => used.has(`${name}_${key}`));
  if (wanted.length + more.length === 0) return "";
  const bare = wanted.flatMap(({ name, functions }) =>
    Object.keys(functions).map((key) => [`fn ${name}_${key}(`, `fn ${key}(`] as const)
  );
  return bare.reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    wgslStubs(...wanted, ...more),
  );
}
