import { type Cell, isSilent, parseNotebook, sourceText } from "../../notebooks/runner/notebook.ts";
import type { Source } from "./source.ts";
import { syntaxOf } from "./syntax.ts";

function cellsOf({ path, text }: Source): readonly Cell[] {
  return path.endsWith(".ipynb") ? parseNotebook(text, path).cells : [];
}

/** A notebook holds no logic: nothing in it is linted or type-checked. */
export function notebooksOnlyTell(source: Source): string[] {
  return cellsOf(source).filter((cell) => cell.cell_type === "code").flatMap((cell) => {
    const code = syntaxOf({ path: source.path, text: sourceText(cell) });
    const logic = [...code.declared, ...code.refused];
    const foreign = code.imports.filter(({ what }) => what !== "../mod.ts");
    return [
      ...logic.map(({ what }) => `${source.path} holds ${what}`),
      ...foreign.map(({ what }) => `${source.path} imports ${what}`),
    ];
  });
}

/** Whoever opens a notebook on a forge sees what it says: `deno task notebooks --write` stores it. */
export function notebooksCarryOutputs(source: Source): string[] {
  return cellsOf(source).flatMap((cell, index) => {
    const { cell_type, outputs = [] } = cell;
    const isRight = cell_type !== "code" || isSilent(cell) === (outputs.length === 0);
    return isRight ? [] : [`${source.path} cell ${index + 1} has not the output that it promises`];
  });
}
