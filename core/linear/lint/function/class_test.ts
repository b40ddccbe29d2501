import { testMarked } from "../testdata/marked_source.ts";

testMarked("class", {
  "methods are functions": `
    class Caller {
      call() {
        const port = client.open(1); //! unconsumed-port
      }
      get port() { return client.open(1); }
      static make() { return client.open(1); }
    }`,
  "fields keep what they get": `
    class Holder { port = client.open(1); #other = client.open(2); static third = client.open(3); }`,
  "a client in a field": `
    class Caller {
      readonly #client: TypedClient;
      readonly other = new TypedClient(channel);
      call() {
        this.#client.open(1); //! unconsumed-port
        this.other.open(2); //! unconsumed-port
        this.unknown.open(3);
      }
    }`,
  "a field of another class": `
    class A { client = new TypedClient(channel); }
    class B { client = new Socket(); call() { this.client.open(1); } }`,
  "a field is no name": `
    class A { port: PartialPort<true>; close() { this.port.close(); this.port.close(); } }`,
  "a method that consumes a captured port": `
    const port = client.open(1);
    class Closer extends Base { close() { port.close(); } }
    new Closer().close();`,
  "a class expression": `
    const Caller = class { call() {
      client.open(1); //! unconsumed-port
    } };`,
});
