import { assertEquals } from "@std/assert";
import { checkedFile } from "../testdata/marked_source.ts";
import { ts } from "./compiler.ts";

Deno.test("CheckedFile tells what a node is, and where it is declared", () => {
  const file = checkedFile("export function f(): number { return 1; } f(); export { f as g };");
  const [declared, statement, exported] = file.source.statements;
  const call = (statement as ts.ExpressionStatement).expression as ts.CallExpression;
  const declaration: ts.Node = file.declarationAt(call.expression)!;
  assertEquals(file.checker.typeToString(file.typeAt(call)), "number");
  assertEquals(declaration === declared, true);
  assertEquals(file.isOfLanguage(declaration), false);
  const { exportClause } = exported as ts.ExportDeclaration;
  const [specifier] = (exportClause as ts.NamedExports).elements;
  assertEquals(file.symbolAt(specifier!.propertyName!) === file.symbolAt(call.expression), true);
});

Deno.test("CheckedFile reads what is not finished", () => {
  assertEquals(ts.isSourceFile(checkedFile("const a = ; b(").source), true);
});
