import { assertEquals, assertStrictEquals } from "@std/assert";
import { Facts } from "./facts.ts";
import { ts } from "../program/compiler.ts";

const TEXT = `interface Array<T> { [index: number]: T; push(value: T): number }
  interface OwnedPort { inbox: 0; outbox: 0; close(): void }
  function f(port: OwnedPort, list: OwnedPort[], name: string) {
    const end = () => port.close(); list.push(port); end(); }`;

Deno.test("Facts of a program are the same for whoever asks", () => {
  const source = ts.createSourceFile("/a.ts", TEXT, ts.ScriptTarget.ESNext, true);
  const host = {
    ...ts.createCompilerHost({}),
    getSourceFile: () => source,
    fileExists: () => false,
  };
  const program = ts.createProgram({ rootNames: ["/a.ts"], options: { noLib: true }, host });
  const { types, places, modes, closures, lists } = new Facts(program.getTypeChecker());
  const fn = source.statements[2] as ts.FunctionDeclaration;
  const [port, list, name] = fn.parameters.map((one) => one.name);
  assertEquals([port, list, name].map((one) => types.kindAt(one!)), ["port", "bag", undefined]);
  const [, push] = fn.body!.statements as unknown as readonly ts.ExpressionStatement[];
  const [pushed] = (push!.expression as ts.CallExpression).arguments;
  assertStrictEquals(places.at(pushed!), places.at(port!));
  assertEquals(modes.of(pushed!), "move");
  assertEquals(lists.shownBy(list!), list);
  const end = (fn.body!.statements[0] as ts.VariableStatement).declarationList.declarations[0]!;
  const [capture] = closures.capturesOf(end.initializer!);
  assertEquals([capture!.place, capture!.consumes], [places.at(port!), true]);
});
