import { testMarked } from "../testdata/marked_source.ts";

testMarked("class type", {
  "fields": `
    class Caller {
      #first = new TypedClient(channel);
      second: TypedClient;
      third;
      static fourth = new TypedClient(channel);
      constructor(private readonly fifth: TypedClient) { this.third = fifth; }
      call() {
        this.#first.open(1); //! unconsumed-port
        this.second.open(2); //! unconsumed-port
        this.third.open(3); //! unconsumed-port
        Caller.fourth.open(4); //! unconsumed-port
        this.fifth.open(5); //! unconsumed-port
        this.other.open(6);
      }
    }`,
  "getters and methods": `
    class Caller {
      #rpc = new TypedClient(channel);
      get rpc() { return this.#rpc; }
      begin() { return this.rpc.open(1); }
      end(port: PartialPort<true>) { port.close(); }
      static make() { return new Caller(); }
      run() {
        this.end(this.begin());
        this.begin(); //! unconsumed-port
      }
    }
    Caller.make().begin(); //! unconsumed-port`,
  "what it extends": `
    class Base { protected readonly rpc = new TypedClient(channel); }
    class Derived extends Base {
      call() {
        this.rpc.open(1); //! unconsumed-port
      }
    }
    class Own extends TypedClient {}
    new Own(channel).open(2); //! unconsumed-port`,
  "what others are to write": `
    abstract class Base {
      protected abstract change(port: PartialPort<true>): PartialPort<true>;
      run() {
        this.change(client.open(1)).close();
        this.change(client.open(2)); //! unconsumed-port
      }
    }`,
  "an object in its own members": `
    class Odd { a = this.b; b = this.c; c = this.a; run() { this.a.open(1); } }
    class One { value = new Two().value; }
    class Two { value = new One().value; }
    new One().value.open(1);
    const odd = { ...odd, own: odd.own };
    odd.other.open(1);`,
  "an object that is written in place": `
    const context = {
      rpc: new TypedClient(channel),
      call() { return this.rpc.open(1); },
    };
    const more = { ...context };
    more.rpc.open(2); //! unconsumed-port
    context.call(); //! unconsumed-port`,
  "super is what the class extends": `
    class Base {
      begin() { return client.open(1); }
      static begin() { return client.open(2); }
    }
    class Derived extends Base {
      begin() {
        super.begin(); //! unconsumed-port
        return client.open(3);
      }
      static end() {
        super.begin(); //! unconsumed-port
      }
      constructor() { super(); }
    }`,
});
