import { testMarked } from "../testdata/marked_source.ts";

testMarked("places", {
  "a chain that ends early": `
    const box: { port?: PartialPort<true> } | undefined = ready ? { port: client.open(2) } : undefined;
    box?.port?.use(fill);
    box?.port?.close();
    box?.port?.close(); //! double-move`,
  "a field that others may have given another port": `
    export class Desk {
      port: PartialPort<true> | undefined = client.open(1);
      get fresh() { return client.open(1); }
      fill() { this.port?.close(); this.port = client.open(1); }
      end() {
        this.fill();
        elsewhere(this);
        this.port?.close();
        this.fresh.close();
        this.fresh.close();
      }
    }`,
  "a place that nobody knows is emptied": `
    export class Ring {
      readonly #places: (OwnedPort<0> | undefined)[] = [];
      #start = 0;
      read() {
        const port = this.#places[this.#start];
        this.#places[this.#start] = undefined;
        this.#start = (this.#start + 1) % this.#places.length;
        return port;
      }
      peek() { return this.#places[this.#start]; }
    }
    export function drain(ring: Ring) { for (let port = ring.read(); port; port = ring.read()) port.close(); }`,
  "a name of a block hides one from outside": `
    const port = client.open(1);
    { const port = client.open(2); port.use(fill); } //! unconsumed-port
    try { work(); } catch (port) { port.close(); }
    port.close();`,
  "a port of a module is everybody's": `
    const port = client.open(1);
    export function look() { port.use(fill); }
    export function end() { port.close(); port.close(); } //! double-move`,
  "functions are there before their line": `
    end(client.open(1));
    function end(port: PartialPort<true>) { port.close(); port.use(fill); } //! use-after-move`,
});
