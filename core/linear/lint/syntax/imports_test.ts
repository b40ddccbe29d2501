import { assertEquals } from "@std/assert";
import { foundFindings, markedFindings } from "../testdata/marked_source.ts";

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
