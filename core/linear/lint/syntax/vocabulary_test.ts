import { assertEquals } from "@std/assert";
import { isLinearModule, isOwnModule, relevanceOf, Words } from "./vocabulary.ts";
import { foundFindings, inTree, markedFindings } from "../testdata/marked_source.ts";
import { children } from "./syntax.ts";

Deno.test("isLinearModule() knows the places that the names come from", () => {
  const yes = [
    "./linear/mod.ts",
    "../core/linear/typed_client.ts",
    "https://example.org/portlab@1.0.0/core/linear/mod.ts",
    "portlab",
    "@lab/portlab/linear",
    "@acme/portlab-client",
    "./my_linear_ports.ts",
    "linearPorts",
    "../../mod.ts",
    "./typed_port.ts",
    "./maybe.ts",
  ];
  const no = ["@scope/typed-client", "./client.ts", "mode", "@std/assert"];
  assertEquals(yes.filter((specifier) => !isLinearModule(specifier)), []);
  assertEquals(no.filter(isLinearModule), []);
});

Deno.test("isOwnModule() knows the modules of the program itself", () => {
  const yes = ["./rpc.ts", "../net/rpc.ts", "/src/rpc.ts", "@/rpc.ts", "~/rpc", "#rpc", "$/rpc.ts"];
  const no = ["@scope/rpc", "https://example.org/rpc.ts", "rpc"];
  assertEquals(yes.filter((specifier) => !isOwnModule(specifier)), []);
  assertEquals(no.filter(isOwnModule), []);
});

const CASES: Readonly<Record<string, string>> = {
  "another module's TypedClient is nothing to us": `
    import { TypedClient } from "@scope/rpc";
    const client = new TypedClient();
    client.open(1);`,
  "a local name": `
    import { TypedClient as Client } from "./linear/mod.ts";
    new Client(channel).open(1); //! unconsumed-port`,
  "a namespace": `
    import * as linear from "./linear/mod.ts";
    new linear.TypedClient(channel).open(1); //! unconsumed-port
    function f(port: linear.TypedPort<0, 1>) { work(); } //! unconsumed-port`,
  "types only": `
    import type { PartialPort } from "./linear/mod.ts";
    function f(port: PartialPort<true>) { work(); } //! unconsumed-port`,
  "an alias": `
    import { type OwnedPort, type SentPort } from "./linear/mod.ts";
    type Sent = SentPort<0> | SentPort<1>;
    type Loop = Loop | undefined;
    function f(port: Sent, other: Loop) { work(other); } //! unconsumed-port
    export type Owned = OwnedPort<0>;
    function g(port: Owned | null) { work(); } //! unconsumed-port`,
  "containers count for what they hold": `
    import { type Either, type Maybe, type SentPort } from "./linear/mod.ts";
    function f(a: Maybe<SentPort<0>>) { work(); } //! unchecked-maybe
    function g(a: Maybe<string>, b: Either<string, number>) { work(); }`,
  "a union with something else is not followed": `
    import { type SentPort } from "./linear/mod.ts";
    function f(a: SentPort<0> | string, b: SentPort<0>[], c: Map<string, SentPort<0>>) {}`,
  "move from elsewhere is no move of ours": `
    import { TypedClient } from "./linear/mod.ts";
    import { move } from "@scope/files";
    const port = new TypedClient(channel).open(1);
    move(port);
    port.close();`,
  "nothing imported": `
    const port = client.open(1);
    port.close();
    port.close();`,
};

for (const [name, source] of Object.entries(CASES)) {
  Deno.test(`lint imports: ${name}`, () => {
    assertEquals(foundFindings(source).toSorted(), markedFindings(source).toSorted());
  });
}

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
