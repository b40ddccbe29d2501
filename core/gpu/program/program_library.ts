import { filesApi } from "../../services/files/files_api.ts";
import { memoryApi } from "../../services/memory/memory_api.ts";
import { processApi } from "../../services/process/process_api.ts";
import { systemApi } from "../../services/system/system_api.ts";
import {
  fn,
  type FunctionSignature,
  type HostApi,
  hostApi,
  i32,
  nothing,
  type Scalar,
  string,
  type Text,
  type Void,
} from "../../signature/mod.ts";
import { wgslStubs } from "../../signature/wgsl/mod.ts";
import { declarationsOf } from "../syntax/declarations.ts";
import { type Token, tokensOf } from "../syntax/tokens.ts";
import library from "./library.wgsl" with { type: "text" };
import type { ProgramGrid } from "./program_grid.ts";

/** The functions of {@linkcode programApi}. */
export type ProgramFunctions = {
  readonly perror_of: FunctionSignature<readonly [Text, Scalar<"i32">], Void>;
};

/** What is the loader's alone: `perror_of` writes a text and what an error number means. */
export const programApi: HostApi<ProgramFunctions> = hostApi("program", {
  perror_of: fn([string, i32], nothing),
});

/** Whose functions a program calls by their bare names. */
const APIS: readonly HostApi[] = [programApi, processApi, filesApi, memoryApi, systemApi];
/** Of kernels: it prints by itself. */
const OF_KERNELS = "printf";

/**
 * What a program uses and does not declare: constants of its grid, functions of `library.wgsl`, and
 * functions of the host by their bare names, such as `fopen`. What it does not mention is left out,
 * because every function costs compile time, and what it declares is its own.
 */
export function libraryText(
  tokens: readonly Token[],
  grid: ProgramGrid,
  apis: readonly HostApi[] = [],
): string {
  const { functions, variables } = declarationsOf(tokens);
  const declared = new Set([...functions, ...variables].map(({ name }) => name.text));
  const used = new Set(namesIn(tokens).filter((name) => !declared.has(name)));
  const texts = libraryFunctions(used);
  for (const [name, text] of gridConstants(grid)) if (used.has(name)) texts.push(text);
  return [...texts, hostText(used, apis), ""].join("\n");
}

/** The constants of a program's grid, with the texts that declare them. */
export function gridConstants({ threadCount, blockCount }: ProgramGrid): Map<string, string> {
  const constants = { THREAD_COUNT: threadCount, BLOCK_COUNT: blockCount };
  return new Map(
    Object.entries(constants).map(([name, value]) => [name, `const ${name} = ${value}u;`]),
  );
}

function namesIn(tokens: readonly Token[]): string[] {
  return tokens.filter(({ kind }) => kind === "name").map(({ text }) => text);
}

/** The functions of the library that are used, directly or by others, whose names are added. */
function libraryFunctions(used: Set<string>): string[] {
  const tokens = tokensOf(library);
  const functions = new Map(declarationsOf(tokens).functions.map((one) => [one.name.text, one]));
  const texts: string[] = [];
  for (const name of used) {
    const whole = functions.get(name)?.whole;
    if (!whole) continue;
    const body = tokens.slice(whole.start, whole.end);
    for (const called of namesIn(body)) used.add(called);
    texts.push(library.slice(body[0]!.index, body.at(-1)!.index + 1));
  }
  return texts;
}

/** Whether a program calls functions of an API by names such as `fortran_EndIoStatement`. */
export function usesApi(tokens: readonly Token[], { name, functions }: HostApi): boolean {
  const names = new Set(namesIn(tokens));
  return Object.keys(functions).some((key) => names.has(`${name}_${key}`));
}

/** The functions of APIs whose names are used, as APIs of their own. */
function usedOf(apis: readonly HostApi[], isUsed: (api: string, key: string) => boolean) {
  return apis.map(({ name, functions }) => {
    const found = Object.entries(functions).filter(([key]) => isUsed(name, key));
    return hostApi(
      name,
      Object.fromEntries(found.map(([key, { signature }]) => [key, signature])),
    );
  }).filter(({ functions }) => Object.keys(functions).length > 0);
}

/** The stubs of the functions of the host that are used: those of a program's own APIs by long names. */
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
