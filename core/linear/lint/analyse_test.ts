import { testMarked } from "./testdata/marked_source.ts";

testMarked("analyse", {
  "methods are functions": `
    class Caller {
      get port() { return client.open(1); }
      call() { const port = client.open(1); } //! unconsumed-port
      static make() { return client.open(1); }
    }`,
  "a client in a field": `
    class Caller {
      readonly #client: TypedClient;
      readonly other = new TypedClient(channel);
      call() { this.#client.open(1); } //! unconsumed-port
      begin() { this.other.open(2); } //! unconsumed-port
      end() { this.unknown.open(3); }
    }`,
  "a private field that nothing in the class consumes": `
    class A { readonly #port = client.open(1); get index() { return this.#port.index; } } //! unconsumed-port
    class B { #port = client.open(1); close() { this.#port.close(); } }
    class C { private ports: PartialPort<true>[] = []; add(port: PartialPort<true>) { this.ports.push(port); } } //! unconsumed-port
    class D { #port = client.open(1); get port(): Lent<PartialPort<true>> { return this.#port; } }
    class E { readonly port = client.open(1); }`,
  "a parameter that is a private field": `
    class Writer {
      constructor(private readonly port: PartialPort<true>, readonly other: PartialPort<true>) {} //! unconsumed-port
      write() { this.port.use(fill); }
    }`,
});
