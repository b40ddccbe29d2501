import { testMarked } from "../testdata/marked_source.ts";

testMarked("class", {
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
  "an object has its fields, a class those that are static": `
    class Holder { port = client.open(1); static third = client.open(3); } //! unconsumed-port unconsumed-port
    new Holder().port.use(fill);
    Holder.third.use(fill);`,
  "an object that nobody has any more": `
    class Holder { constructor(port) { this.port = port; } }
    const port = client.open(1); //! unconsumed-port
    new Holder(port);
    export const holder = new Holder(client.open(2));`,
  "a static block": `
    class Holder {
      static port = client.open(1);
      static { this.port.close(); const port = client.open(2); port.close(); }
      static { Holder.port.use(fill); } //! use-after-move
    }`,
  "a parameter that is a field": `
    class Session {
      constructor(private readonly port: PartialPort<true>, readonly name = "call") {} //! unconsumed-port
      close() { this.port.close(); }
    }
    const port = client.open(1), session = new Session(port);
    session.close();
    port.use(fill); //! use-after-move
    new Session(client.open(2));`,
  "a constructor that gives another object": `
    class Pool { constructor(port: PartialPort<true>) { return { end() { port.close(); } }; } }
    const pool = new Pool(client.open(1));
    pool.end();
    pool.end(); //! double-move`,
  "what it extends comes first": `
    class Base {
      port = client.open(1);
      constructor(readonly sent: SentPort<0>) {}
      close() { this.port.close(); }
    }
    class Caller extends Base {
      readonly own = this.port;
      end = () => this.close();
      constructor(sent: SentPort<0>) {
        super(sent);
        this.sent.close();
        sent.close(); //! double-move
      }
      override close() { super.close(); work(); }
    }
    class Other extends Base {}
    const caller = new Caller(client.open(2).send()), other = new Other(client.open(3).send());
    caller.end();
    caller.own.use(fill); //! use-after-move
    other.close();
    other.sent.close();`,
  "methods call each other, in any order": `
    class Base {
      constructor(readonly port: PartialPort<true>, readonly socket: { send(): void }) {}
      stop() { this.port.close(); }
      ping() { this.socket.send(); }
    }
    class Child extends Base {
      end() { this.ping(); this.stop(); this.port.close(); } //! double-move
      tidy() { log(this.port.index); this.stop(); }
    }
    const child = new Child(client.open(1), elsewhere);
    for (const round of [1, 2]) child.ping();
    child.stop();
    child.tidy(); //! double-move`,
  "a method that nobody calls": `
    const port = client.open(1); //! unconsumed-port
    const closer = new (class { close() { port.close(); } })();`,
  "a class expression": `
    const make = (port: PartialPort<true>) => class { static end() { port.close(); } };
    const Ended = make(client.open(2));
    Ended.end();
    Ended.end(); //! double-move`,
  "a name that is worked out, and a base from elsewhere": `
    const end = "end", port = client.open(1);
    class Caller extends Elsewhere { [end]() { port.close(); } get ["last"]() { return client.open(1); } }
    const caller = new Caller();
    caller.end();
    port.use(fill); //! use-after-move
    caller.last.send(); //! unconsumed-port`,
  "what somebody else calls hands on to a base": `
    class Base { #port; constructor(port: OwnedPort<0>) { this.#port = port; } end() { this.#port.close(); } }
    export class Counted extends Base {
      constructor(port: OwnedPort<0>, readonly counts: { ended: number }) { super(port); }
    }
    export class Lossy extends Base {
      constructor(port: OwnedPort<0>, other: OwnedPort<0>) { super(port); } //! unconsumed-port
    }`,
});
