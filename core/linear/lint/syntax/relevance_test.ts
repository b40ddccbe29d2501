import { assertEquals } from "@std/assert";
import { relevanceOf, Words } from "./relevance.ts";
import { children } from "./syntax.ts";
import { inTree } from "../testdata/marked_source.ts";

const TEXT = `
  const log = (text) => lines.push(text);
  interface Options { readonly client: TypedClient }
  function start(options: Options) { return options.client.open(1); }
  let started;
  started = start({ client });
  if (started) log("started");
  export class Table { rows = 1; }
  const { a, b: [c] } = new TypedClient(channel);
  work(c);`;

Deno.test("relevanceOf() keeps what mentions a name that ports can come from", () => {
  const { statements, names } = inTree(TEXT, (tree) => {
    const { statements, names } = relevanceOf(children(tree, "body"), {
      words: new Words(TEXT),
      names: ["TypedClient"],
    });
    const texts = statements.map(({ range }) => TEXT.slice(...range).slice(0, 14));
    return { statements: texts, names: [...names] };
  });
  assertEquals(statements, [
    "interface Opti",
    "function start",
    "let started;",
    "started = star",
    "if (started) l",
    "const { a, b: ",
    "work(c);",
  ]);
  assertEquals(names.toSorted(), ["Options", "TypedClient", "a", "c", "start", "started"]);
});

Deno.test("Words.within() gives the names and keywords that begin in a part of a text", () => {
  const text = "ab.$b + #b('d e') + b + größe";
  const words = new Words(text);
  assertEquals(words.within([0, text.length]), ["ab", "$b", "#b", "d", "e", "b", "größe"]);
  assertEquals(words.within([1, 10]), ["$b", "#b"]);
  assertEquals(new Words("").within([0, 9]), []);
  assertEquals([words.has("e"), words.has("a")], [true, false]);
});
