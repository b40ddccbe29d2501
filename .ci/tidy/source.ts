/** Folders that hold other people's text or generated text, which no rule of this project binds. */
const FOREIGN = /^(\.git|vendor|node_modules|coverage|dist)$/;
const TEXT_FILE = /(\.(ts|md|json|jsonl|ipynb|wgsl|sh|html|svg)|^\.ci\/run|^LICENSE|^\.gitignore)$/;

/** One file of the tree. `path` is relative to the root and has forward slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A rule reads one file, and the paths of all others, and returns what is wrong with it. */
export type Rule = (source: Source, paths: ReadonlySet<string>) => string[];

/** Every text file below `root`, in a fixed order. */
export function readSources(root: URL): Source[] {
  return listPaths(root).filter((path) => TEXT_FILE.test(path)).map((path) => ({
    path,
    text: Deno.readTextFileSync(new URL(path, root)),
  }));
}

/** The path of every file below `root`, but for other people's and generated ones, in a fixed order. */
export function listPaths(root: URL, folder = ""): string[] {
  const entries = [...Deno.readDirSync(new URL(folder || ".", root))];
  return entries.toSorted((left, right) => left.name < right.name ? -1 : 1).flatMap((entry) => {
    if (FOREIGN.test(entry.name)) return [];
    const path = folder + entry.name;
    return entry.isDirectory ? listPaths(root, `${path}/`) : [path];
  });
}

/** Tests, benches for `deno bench`, and what only they start. */
export function isTest(path: string): boolean {
  return /_(test|bench)(_worker)?\.ts$|\/(testdata|testing)\//.test(path);
}

/** The first folder of a path; `""` for a file at the root. */
export function topFolder(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}
