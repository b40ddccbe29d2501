import { assertEquals } from "@std/assert";
import { foundMessages, testMarked } from "../testdata/marked_source.ts";

testMarked("field", {
  "a field is followed within a function": `
    interface Conn { port: PartialPort<true>; readonly sent: SentPort<0> }
    class Desk {
      #port = client.open(1);
      constructor(readonly other: PartialPort<true>) {}
      end(conn: Conn) {
        this.#port.close();
        log(this.#port.index);
        this.#port.use(fill); //! use-after-move
        if (ready) this.other.close();
        this.other.send().close(); //! double-move
        const { sent } = conn;
        conn.sent.close();
        conn.sent.recv(); //! double-move unconsumed-port
      }
    }
    const box = { port: client.open(1) };
    box.port.close();
    box.port.close(); //! double-move`,
  "through methods of the same object": `
    class Base {
      constructor(readonly port: PartialPort<true>, public other = client.open(1)) {}
      stop() { this.port.close(); this.other.close(); }
      look() { this.port.use(fill); }
      tidy() { log(this.port.index); this.stop(); }
    }
    class Child extends Base {
      end() { this.look(); this.stop(); this.port.close(); } //! double-move
      halt() { this.stop(); this.other.close(); }
      last() { this.port.close(); this.tidy(); } //! double-move
    }
    const child = new Child(client.open(1));
    child.stop();
    child.port.send(); //! double-move unconsumed-port`,
  "through what a function makes": `
    function makeCall() {
      const port = client.open(1);
      const tidy = () => { log(port.index); port.close(); };
      return { port, fire: () => port.send().close(), cancel() { return port.close(); }, tidy };
    }
    const first = makeCall();
    first.fire();
    first.cancel(); //! double-move
    for (let i = 0; i < 3; i++) {
      const { fire, cancel } = makeCall();
      if (ready) fire(); else cancel();
      const { port, tidy } = makeCall();
      port.use(fill); tidy();
      port.close(); //! double-move
      const again = makeCall();
      again.port.close();
      again.tidy(); //! double-move
      let other = makeCall();
      other.fire(); other = makeCall(); other.fire();
      const last = makeCall();
      try { last.port.use(fill); } finally { last.cancel(); }
    }
    function makeFlagged() {
      let [port, isOpen] = [client.open(1), true];
      const close = () => { if (isOpen) port.close(); isOpen = false; };
      return { close, renew: () => { port.close(); port = client.open(1); } };
    }
    const { close, renew } = makeFlagged();
    renew(); renew(); close(); close();`,
  "through a method that others see": `
    class Session {
      readonly #port = client.open(1);
      #other = client.open(2);
      constructor(readonly socket: { send(): void }) {}
      finish() { this.#port.send().close(); }
      cancel() { this.#port.close(); }
      renew() { this.#other.close(); this.#other = client.open(2); }
      ping() { this.socket.send(); }
    }
    const session = new Session(elsewhere), other = new Session(elsewhere);
    session.finish();
    session.cancel(); //! double-move
    if (ready) other.finish(); else other.cancel();
    other.renew(); other.renew(); other.ping(); other.ping();
    const makeWire = () => { const socket = other.socket; return { ping: () => socket.send() }; };
    const wire = makeWire();
    wire.ping(); wire.ping();`,
  "until something may change it": `
    interface Node { port: PartialPort<true>; next?: Node }
    class Desk {
      port: PartialPort<true> | undefined = client.open(1);
      get fresh() { return client.open(1); }
      fill() { this.port = client.open(1); }
      async end(others: readonly Node[], node: Node | undefined) {
        if (this.port) { this.port.close(); this.port = undefined; }
        while (ready) { this.fill(); this.port?.close(); }
        this.fill();
        this.port?.close();
        await idle;
        this.port?.close();
        elsewhere(this);
        this.port?.close();
        this.fresh.close();
        this.fresh.close();
        for (const one of others) { if (ready) continue; one.port.close(); }
        while (node) { node.port.close(); node = node.next; }
        const old = this.port;
        old?.close();
      }
    }`,
});

Deno.test("a port that functions share has the name that it has where they are", () => {
  const program = `const make = () => {
    const port = client.open(1);
    return { fire: () => port.send().close(), end: () => port.close() };
  };
  const { fire, end } = make();
  fire();
  end();`;
  const message = "Port 'port' is consumed by end() after fire() consumed it at line 6";
  assertEquals(foundMessages(program), [message]);
});
