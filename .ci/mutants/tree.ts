import { Equivalents } from "./equivalents.ts";
import { type Mutant } from "./edits/mutation.ts";
import { findMutants } from "./edits/sites.ts";

/** The tree's root, ending with `/`. */
export const ROOT: string = new URL("../../", import.meta.url).pathname;

/** What is changed, by language. */
const CHANGED = {
  core: /^core\/(memory|wait|call|toggle|worker)\/(?!.*_test\.ts$).*\.ts$/,
  wgsl: /^core\/gpu\/(wgsl|live|server)\/.*\.wgsl$/,
};

/** Every file of the parts that are changed or that test them, from the root, in order. */
export function listPaths(folders: readonly string[] = ["core", "bench", "scenarios"]): string[] {
  return folders.flatMap((folder) => listBelow(`${folder}/`)).toSorted();
}

function listBelow(folder: string): string[] {
  return [...Deno.readDirSync(ROOT + folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? listBelow(`${folder}${name}/`) : [folder + name]
  );
}

/** Every mutant of one language, in the order of files and lines. */
export function listMutants(language: keyof typeof CHANGED): Mutant[] {
  return listPaths(["core"]).filter((path) => CHANGED[language].test(path))
    .flatMap((path) => findMutants({ path, text: Deno.readTextFileSync(ROOT + path) }));
}

/** The reasons that are committed. */
export function readEquivalents(): Equivalents {
  const path = new URL("equivalent.json", import.meta.url);
  return new Equivalents(JSON.parse(Deno.readTextFileSync(path)));
}
