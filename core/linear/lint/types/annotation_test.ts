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
