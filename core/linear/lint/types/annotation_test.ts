import { testMarked } from "../testdata/marked_source.ts";

testMarked("annotation", {
  "wrapped": `
    function f(a: Readonly<{ readonly rpc: TypedClient }>, b: Promise<SentPort<0>>) { //! unconsumed-port
      a.rpc.open(1); //! unconsumed-port
    }`,
  "a union": `
    function f(a: OwnedPort<0> | OwnedPort<1> | undefined, b: OwnedPort<0> | string) { //! unconsumed-port
      work(b);
    }`,
  "an intersection": `
    function f(context: { readonly id: number } & { readonly rpc: TypedClient }) {
      context.rpc.open(1); //! unconsumed-port
    }`,
  "lists hold what is lent": `
    function f(ports: readonly PartialPort<true>[], [first]: [PartialPort<true>, number]) {
      for (const port of ports) port.use(fill);
      first.close();
      first.close(); //! double-move
    }`,
  "a function type": `
    function f(dial: (opcode: number) => PartialPort<true>) {
      dial(1); //! unconsumed-port
      dial(2).close();
    }`,
  "what a name is": `
    function f(other: typeof client, again: ReturnType<typeof connect>) {
      other.open(1); //! unconsumed-port
      again.open(2); //! unconsumed-port
    }
    const connect = () => new TypedClient(channel);`,
  "an import": `
    function f(rpc: import("./linear/mod.ts").TypedClient) {
      rpc.open(1); //! unconsumed-port
    }`,
  "a member": `
    interface Options { readonly rpc: TypedClient }
    function f(rpc: Options["rpc"]) {
      rpc.open(1); //! unconsumed-port
    }`,
});

testMarked("reference", {
  "an alias": `
    type Sent = SentPort<0> | SentPort<1>;
    type Loop = Loop | undefined;
    function f(port: Sent, other: Loop) { work(other); } //! unconsumed-port`,
  "an alias of a block": `
    function f() {
      type Rpc = TypedClient;
      const rpc: Rpc = elsewhere();
      rpc.open(1); //! unconsumed-port
    }`,
  "a type parameter stands for what it extends": `
    function traced<P extends PartialPort<true>>(port: P): P { console.log(port.index); return port; }
    function lost<P extends PartialPort<true>>(port: P): void { port.use(fill); } //! unconsumed-port
    traced(client.open(1)).close();
    traced(client.open(2)); //! unconsumed-port`,
  "a part of a port is borrowed": `
    function write(target: Pick<PartialPort<true>, "use">): void { target.use(fill); }
    const port = client.open(1);
    write(port);
    port.close();
    function ask(rpc: Pick<TypedClient, "open">): void { rpc.open(1); } //! unconsumed-port`,
  "an enum is no port": `
    enum TypedClient { a, b }
    function f(mode: TypedClient) { mode.open(1); }`,
  "types of the language": `
    function f(
      a: Map<string, TypedClient>, b: Set<TypedClient>, c: Record<string, TypedClient>,
      d: Awaited<Promise<TypedClient>>, e: InstanceType<typeof TypedClient>,
    ) {
      a.get("x")!.open(1); //! unconsumed-port
      for (const rpc of b) rpc.open(2); //! unconsumed-port
      c.any.open(3); //! unconsumed-port
      d.open(4); //! unconsumed-port
      e.open(5); //! unconsumed-port
    }`,
  "a namespace of this file": `
    namespace Net {
      export type Rpc = TypedClient;
      export const rpc = new TypedClient(channel);
    }
    function f(rpc: Net.Rpc) {
      rpc.open(1); //! unconsumed-port
    }
    Net.rpc.open(2); //! unconsumed-port`,
  "a stack of disposables": `
    function f(stack: DisposableStack) {
      const port = stack.use(client.open(1));
      port.use(fill);
    }`,
});

testMarked("function type", {
  "what it says that it returns": `
    function begin(): SentPort<0> { return elsewhere(); }
    begin(); //! unconsumed-port`,
  "what it says that it returns, however far its body would lead": `
    function count(): number { return f0(); }
    ${Array.from({ length: 300 }, (_, at) => `function f${at}() { return f${at + 1}(); }`).join("")}
    function f300() { return client.open(1); }
    client.open(count()).close();`,
  "what it returns": `
    function begin(value: number) {
      if (value < 0) return undefined;
      for (const part of parts) { if (part) return client.open(1); }
      return client.open(2);
    }
    begin(1)?.close();
    begin(2); //! unconsumed-port`,
  "what it gets": `
    function same<T>(value: T): T { return value; }
    async function later<T>(value: T): Promise<T> { return await value; }
    same(client.open(1)).close();
    same(client.open(2)); //! unconsumed-port
    const port = await later(client.open(3)); //! unconsumed-port
    same(5);`,
  "what is only lent": `
    const kept: PartialPort<true>[] = [];
    function last(): PartialPort<true> { return kept.at(-1)!; }
    last().use(fill);
    last();`,
  "a function in a function": `
    const opener = (rpc: TypedClient) => (opcode: number) => rpc.open(opcode);
    const open = opener(client);
    open(1).close();
    open(2); //! unconsumed-port`,
  "functions that call each other": `
    const even = (count: number): boolean => count === 0 ? true : odd(count - 1);
    const odd = (count: number): boolean => count === 0 ? false : even(count - 1);
    const gcd = (a, b) => b === 0 ? a : gcd(b, a % b);
    function ping(count) { return count === 0 ? client.open(1) : pong(count - 1); }
    function pong(count) { return ping(count - 1); }
    gcd(4, 2);
    ping(3); //! unconsumed-port`,
  "a generator that does not say what it yields": `
    function* open() {
      yield* others;
      for (const id of ids) yield client.open(id);
    }
    for (const port of open()) {
      port.close();
      port.close(); //! double-move
    }`,
});
