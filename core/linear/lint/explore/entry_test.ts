import { assertEquals } from "@std/assert";
import { checkedFile, PRELUDE, testMarked } from "../testdata/marked_source.ts";
import { functionsIn, isOpen, keepersIn } from "./entry.ts";

Deno.test("functionsIn() names the functions in no other one, isOpen() those for everybody", () => {
  const { source } = checkedFile(`
    export function a() { function inner() {} }
    function b() {}
    export const c = () => () => {}, d = 1;
    const e = { f() {} };
    export class G { h() {} }
    run(() => {});`);
  const texts = [...functionsIn(source)].map((one) =>
    `${isOpen(one)} ${one.getText().slice(0, 12)}`
  );
  assertEquals(texts, [
    "true export funct",
    "false function b()",
    "true () => () => ",
    "false f() {}",
    "true h() {}",
    "false () => {}",
  ]);
});

Deno.test("keepersIn() finds what can have ports from call to call", () => {
  const file = checkedFile(`${PRELUDE}
    const a = new Map<number, { readonly sent: SentPort<0> }[]>();
    let b: { readonly port?: OwnedPort<0> } | string = "";
    const c = new Map<number, string>(), d = (port: OwnedPort<0>) => port;
    const e = class { port = client.open(1); }, f = Promise.resolve(client.open(1));`);
  assertEquals(keepersIn(file).map((one) => one.getText().slice(0, 7)), [
    "const a",
    "let b: ",
    "const e",
  ]);
});

testMarked("entry", {
  "a function that anybody may call owns what its types bring": `
    export function a(port: OwnedPort<0>, other: PartialPort<true>) { port.close(); } //! unconsumed-port
    export const b = (maybe: Maybe<PartialPort<true>>) => work(1); //! unchecked-maybe
    export const api = { c(port: OwnedPort<0>) { port.use(fill); } }; //! unconsumed-port
    export const handler: TypedHandler = (port) => port.use(fill); //! unconsumed-port
    export class D { constructor(port: OwnedPort<0>) { port.use(fill); } } //! unconsumed-port
    export function e(port: Lent<PartialPort<true>>, count: number) { work(count); }
    export default function (port: OwnedPort<0>) { port.use(fill); } //! unconsumed-port`,
  "one that is called here has its callers'": `
    function look(port) { port.use(fill); }
    const port = client.open(1);
    look(port);
    port.close();`,
  "one that nobody calls is tried, too": `
    const port = client.open(1);
    function unused(one: OwnedPort<0>) { one.close(); one.use(fill); } //! use-after-move
    port.close();`,
});
