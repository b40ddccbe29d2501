import type * as Core from "../../mod.ts";

/** The core, as it is or with a fault planted. */
export type CoreModule = typeof Core;

/** A change of the core's source that makes it wrong, or quicker to explore. */
export interface SourceChange {
  /** A path from `core/`. */
  readonly file: string;
  /** Must occur exactly once. */
  readonly from: string;
  readonly to: string;
}

/**
 * Loads a copy of the core with changes in its source, so that what is explored is the real code
 * and the code needs no switches.
 *
 * @param options `isSynchronous`: whether asynchronous functions are made synchronous, for programs
 *     that can be stopped anywhere and run again. A worker that has nothing but one wait is then as it
 *     was; functions that wait for anything but the words do not work.
 * @throws {Error} when the text of a change does not occur exactly once in its file
 */
export function changedCore(
  changes: readonly SourceChange[],
  { isSynchronous = false } = {},
): Promise<CoreModule> {
  return changedModule("mod.ts", changes, { isSynchronous });
}

/** As {@linkcode changedCore}, for another module of the core: a path from `core/`. */
export async function changedModule<Module>(
  path: string,
  changes: readonly SourceChange[],
  { isSynchronous = false } = {},
): Promise<Module> {
  const folder = await Deno.makeTempDir({ prefix: "portlab_model_" });
  try {
    const texts = await readCore();
    for (const change of changes) texts.set(change.file, changed(texts, change));
    for (const [file, text] of texts) {
      await writeFile(`${folder}/${file}`, isSynchronous ? withoutAwait(text) : text);
    }
    return await import(`file://${folder}/${path}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function withoutAwait(text: string): string {
  return text.replaceAll(/\basync (?=[\w#(])/g, "").replaceAll(/\bawait /g, "");
}

async function writeFile(path: string, text: string): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, text);
}

/** Folders of `core/` that `core/mod.ts` does not reach, or that are tests themselves. */
const APART = ["gpu", "linear", "testing"];

async function readCore(folder = ""): Promise<Map<string, string>> {
  const core = new URL("../../", import.meta.url);
  const texts = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder || ".", core))) {
    const path = folder + name;
    if (isDirectory && !APART.includes(path)) {
      for (const [file, text] of await readCore(`${path}/`)) texts.set(file, text);
    } else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) {
      texts.set(path, await Deno.readTextFile(new URL(path, core)));
    }
  }
  return texts;
}

function changed(texts: ReadonlyMap<string, string>, change: SourceChange): string {
  const { file, from, to } = change;
  const parts = texts.get(file)?.split(from);
  if (!parts) throw new Error(`Cannot change core/${file} as there is no such file`);
  if (parts.length === 2) return parts.join(to);
  throw new Error(
    `Cannot change core/${file} as the text must occur once: it occurs ${
      parts.length - 1
    } times: ${from}`,
  );
}
