import type { Source } from "./source.ts";
import { syntaxOf } from "./syntax.ts";

interface Cell {
  readonly cell_type: string;
  readonly source: string | readonly string[];
  readonly outputs?: readonly unknown[];
  readonly execution_count?: number | null;
}

function cellsOf({ path, text }: Source): readonly Cell[] {
  return path.endsWith(".ipynb") ? JSON.parse(text).cells : [];
}

/** A notebook holds no logic: nothing in it is linted or type-checked. */
export function notebooksOnlyTell(source: Source): string[] {
  return cellsOf(source).filter((cell) => cell.cell_type === "code").flatMap((cell) => {
    const { imports, declared, refused } = syntaxOf({
      path: source.path,
      text: [cell.source].flat().join(""),
    });
    const logic = [...declared, ...refused].map(({ what }) => `${source.path} holds ${what}`);
    const foreign = imports.filter(({ what }) => what !== "../mod.ts");
    return [...logic, ...foreign.map(({ what }) => `${source.path} imports ${what}`)];
  });
}

/** Outputs belong to a run, not to the repository. */
export function notebooksAreCleared(source: Source): string[] {
  return cellsOf(source)
    .flatMap((cell, index) => {
      const isCleared = (cell.outputs ?? []).length === 0 &&
        (cell.execution_count ?? null) === null;
      return isCleared ? [] : [`${source.path} cell ${index} keeps its output`];
    });
}
