import { testMarked } from "../testdata/marked_source.ts";

testMarked("object", {
  "methods that others may call come in any order": `
    export class Call {
      #port?: PartialPort<true>;
      constructor(readonly rpc: TypedClient) {}
      begin() { if (!this.#port) this.renew(); }
      end() { this.#port?.close(); this.#port = undefined; }
      private renew() { this.#port = this.rpc.open(1); }
    }
    export class Forgetful {
      #port?: PartialPort<true>;
      begin() { this.#port = client.open(1); } //! unconsumed-port
      end() { this.#port?.close(); this.#port = undefined; }
    }`,
  "who ends an object twice is to blame, not its class": `
    export class Call {
      readonly #port = client.open(1);
      ask() { this.#port.use(fill); }
      close() { this.#port.close(); }
    }
    export class Stale {
      readonly #ports: PartialPort<true>[] = [];
      add(port: OwnedPort<0>) { this.#ports.push(port); }
      send() { for (const one of this.#ports) one.close(); } //! double-move
      close() { for (const one of this.#ports) one.close(); } //! double-move
    }`,
  "numbers are any numbers: a cache of four is full": `
    export class Cache {
      readonly #ports = new Map<string, PartialPort<true>>();
      get(name: string) {
        if (this.#ports.has(name)) return;
        if (this.#ports.size >= 4) this.#ports.delete([...this.#ports.keys()][0]!);
        this.#ports.set(name, client.open(1)); //! unconsumed-port
      }
    }`,
  "a method that ends one of several is no end": `
    export class Tracker {
      readonly #byAge: SentPort<0>[] = [];
      readonly #byStream = new Map<string, SentPort<0>>();
      submit(stream: string) {
        if (this.#byStream.has(stream)) return;
        const port = client.open(1).send();
        this.#byAge.push(port);
        this.#byStream.set(stream, port);
      }
      resetStream(stream: string) { this.#byStream.get(stream)?.close(); this.#byStream.delete(stream); }
      retire() { for (const port of this.#byAge.splice(0)) port.recv().close(); this.#byStream.clear(); } //! double-move
    }`,
});
