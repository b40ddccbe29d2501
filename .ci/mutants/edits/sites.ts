import ts from "typescript";
import { type Edit, type Mutant, mutantsOf } from "./mutation.ts";
import { expressionEdits } from "./expression_edits.ts";
import { statementEdits } from "./statement_edits.ts";
import { wgslEdits } from "./wgsl_edits.ts";

/** Every mutant of a module, in the order of the text. Finds WGSL by the name of the file. */
export function findMutants(source: { readonly path: string; readonly text: string }): Mutant[] {
  if (source.path.endsWith(".wgsl")) return mutantsOf(source, wgslEdits(source.text));
  const root = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.ESNext, true);
  const edits: (Edit & { readonly scope: string })[] = [];
  visit(root, "");
  return mutantsOf(source, edits.toSorted((left, right) => left.start - right.start));

  function visit(node: ts.Node, outer: string): void {
    if (isPassedOver(node)) return;
    const scope = scopeOf(node, outer);
    for (const edit of [...statementEdits(node), ...expressionEdits(node)]) {
      edits.push({ ...edit, scope });
    }
    ts.forEachChild(node, (child) => visit(child, scope));
  }
}

/** Types have no run time, and the text of an error is prose. */
function isPassedOver(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return true;
  }
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  return ts.isNewExpression(node) && /(Error|Exception)$/.test(node.expression.getText());
}

function scopeOf(node: ts.Node, outer: string): string {
  const isNamed = ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) || ts.isAccessor(node);
  if (ts.isConstructorDeclaration(node)) return `${outer}.constructor`;
  if (!isNamed || !node.name) return outer;
  return outer ? `${outer}.${node.name.getText()}` : node.name.getText();
}
