import { assertEquals } from "@std/assert";
import { checkedFile } from "../testdata/marked_source.ts";
import { child, children } from "../syntax/syntax.ts";

Deno.test("CheckedFile tells what a node is, and where it is declared", () => {
  const file = checkedFile("export function f(): number { return 1; } f();");
  const call = child(children(file.tree, "body")[1]!, "expression")!;
  const callee = child(call, "callee")!;
  const declaration = file.declarationOf(callee)!;
  assertEquals(file.checker.typeToString(file.typeAt(call)!), "number");
  assertEquals(file.toTree(declaration)?.type, "FunctionDeclaration");
  assertEquals(file.isOfLanguage(declaration), false);
});

Deno.test("CheckedFile reads what is not finished", () => {
  assertEquals(checkedFile("const a = ; b(").tree.type, "Program");
});
