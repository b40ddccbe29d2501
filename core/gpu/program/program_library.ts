import { filesApi } from "../../services/files/files_api.ts";
import { systemApi } from "../../services/system/system_api.ts";
import { fn, type HostApi, hostApi, i32, nothing } from "../../signature/mod.ts";
import type { FunctionSignature } from "../../signature/mod.ts";
import { wgslStubs } from "../../signature/wgsl/mod.ts";
import type { Scalar, Void } from "../../signature/mod.ts";
import { declarationsOf } from "../syntax/declarations.ts";
import type { Token } from "../syntax/tokens.ts";
import type { ProgramGrid } from "./program_text.ts";

/** The functions of {@linkcode programApi}. */
export type ProgramFunctions = {
  readonly exit: FunctionSignature<readonly [Scalar<"i32">], Void>;
};

/** What a program asks of its loader. `exit(status)` ends it at once, wherever its other threads are. */
export const programApi: HostApi<ProgramFunctions> = hostApi("program", {
  exit: fn([i32], nothing),
});

/** Whose functions a program calls by their bare names. */
const APIS: readonly HostApi[] = [programApi, filesApi, systemApi];

/**
 * What a program uses and does not declare: `thread_index()` and the others of the grid, and functions
 * of the host by their bare names, such as `fclose`. What it does not mention is left out, because
 * every function costs compile time, and what it declares is its own.
 */
export function libraryText(tokens: readonly Token[], grid: ProgramGrid): string {
  const { functions, variables } = declarationsOf(tokens);
  const declared = new Set([...functions, ...variables].map(({ name }) => name.text));
  const used = new Set(tokens.filter(({ kind }) => kind === "name").map(({ text }) => text));
  const isWanted = (name: string) => used.has(name) && !declared.has(name);
  const texts = Object.entries(gridTexts(grid)).filter(([name]) => isWanted(name));
  return [...texts.map(([, text]) => text), hostText(isWanted), ""].join("\n");
}

function gridTexts({ threadCount, blockCount }: ProgramGrid): Readonly<Record<string, string>> {
  const place = (name: string, value: string) => `fn ${name}() -> u32 { return ${value}; }`;
  const index = "(wave_index * LANE_COUNT + lane_index)";
  return {
    THREAD_COUNT: `const THREAD_COUNT = ${threadCount}u;`,
    BLOCK_COUNT: `const BLOCK_COUNT = ${blockCount}u;`,
    thread_index: place("thread_index", `${index} % ${threadCount}u`),
    block_index: place("block_index", `${index} / ${threadCount}u`),
    global_index: place("global_index", index),
  };
}

/** The stubs of the functions that are wanted. */
function hostText(isWanted: (name: string) => boolean): string {
  const wanted = APIS.map(({ name, functions }) =>
    hostApi(
      name,
      Object.fromEntries(
        Object.entries(functions).filter(([key]) => key !== "printf" && isWanted(key))
          .map(([key, { signature }]) => [key, signature]),
      ),
    )
  ).filter(({ functions }) => Object.keys(functions).length > 0);
  if (wanted.length === 0) return "";
  const bare = wanted.flatMap(({ name, functions }) =>
    Object.keys(functions).map((key) => [`fn ${name}_${key}(`, `fn ${key}(`] as const)
  );
  return bare.reduce((text, [from, to]) => text.replaceAll(from, to), wgslStubs(...wanted));
}
