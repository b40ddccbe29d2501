/** What is declared of a header, for tests. */
import type { HostApi } from "../../../../core/signature/mod.ts";
import { declareHeader, type DeclareOptions } from "../declare_header.ts";
import { readHeader } from "../read_header.ts";

/** The texts of the functions that a module declares. */
export async function textsOf(module: string): Promise<Record<string, string>> {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, module);
    const { libApi } = await import(`file://${path}`) as { readonly libApi: HostApi };
    const entries = Object.entries(libApi.functions);
    return Object.fromEntries(entries.map(([key, { text }]) => [key, text.slice("lib.".length)]));
  } finally {
    await Deno.remove(path);
  }
}

/** What a declaration of one function of a header says, and what was guessed of it. */
export async function declared(
  types: string,
  one: string,
  options: Partial<DeclareOptions> = {},
): Promise<readonly [string, ...string[]]> {
  const header = readHeader(
    `# 1 "lib.h"\ntypedef unsigned long size_t;\n${types}\n${one};\n`,
    () => true,
  );
  const importFrom = new URL("../../../../core/signature/mod.ts", import.meta.url).href;
  const { module, guesses } = declareHeader(header, { ...options, name: "lib", importFrom });
  const name = /(\w+)\s*\(/.exec(one)![1]!;
  const mine = guesses.filter((text) => text.startsWith(`${name}`));
  return [
    (await textsOf(module))[name]!.slice(name.length),
    ...mine.map((text) => text.slice(name.length)),
  ];
}
