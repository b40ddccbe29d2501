import { type Mutant } from "./edits/mutation.ts";
import { findMutants } from "./edits/sites.ts";
import { listPaths as filesBelow } from "../tidy/source.ts";

/** The tree's root, ending with `/`. */
export const ROOT: string = new URL("../../", import.meta.url).pathname;

/** What is no part of the product, or decides nothing but how fast it is. */
const PASSED_OVER = /_test\.ts$|\.d\.ts$|\/testdata\/|^core\/testing\/|^core\/wait\/tuning\.ts$/;

/** Every file of the parts that are changed or that test them, from the root, in order. */
export function listPaths(folders: readonly string[] = ["core", "bench", "scenarios"]): string[] {
  const root = new URL(ROOT, import.meta.url);
  return folders.flatMap((folder) => filesBelow(root, `${folder}/`)).toSorted();
}

/** Every file of the product whose changes are tried. */
export function listChanged(): string[] {
  return listPaths(["core"]).filter((path) => /\.(ts|wgsl)$/.test(path) && !PASSED_OVER.test(path));
}

/** Every mutant of these files, in the order of files and lines. */
export function listMutants(files: readonly string[]): Mutant[] {
  return files.flatMap((path) => findMutants({ path, text: Deno.readTextFileSync(ROOT + path) }));
}

/** The folder of `core/` that a file is in. */
export function roomOf(file: string): string {
  return file.split("/").slice(1, -1)[0] ?? "core";
}
