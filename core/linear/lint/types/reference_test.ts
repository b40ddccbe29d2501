import { testMarked } from "../testdata/marked_source.ts";

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
