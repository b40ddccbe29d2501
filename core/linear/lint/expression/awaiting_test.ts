import { testMarked } from "../testdata/marked_source.ts";

testMarked("awaiting", {
  "what is no promise": `
    const port = await client.open(1);
    port.close();
    await port.send(); //! double-move unconsumed-port`,
  "a name for what holds a port has it": `
    const pending = client.openAsync(1).then((port) => port);
    const look = (await pending).send().query();
    look.value.close(); //! unchecked-maybe`,
  "an async function that returns a port": `
    async function begin(): Promise<PartialPort<true>> { return await client.openAsync(1); }
    const pending = begin();
    (await pending).close();
    const lost = await begin(); //! unconsumed-port`,
  "void lets go of a promise, not of what it does": `
    const port = client.open(1);
    void delay(1).then(() => port.close()); //! double-move
    port.close();`,
  "others run in between": `
    async function f() {
      const port = client.open(1);
      const pending = (async () => { await pause(); port.close(); })();
      port.use(fill);
      await pending;
      port.use(fill); //! use-after-move
    }`,
  "a field may be another port by then, unless it is fixed": `
    export class Caller {
      #port: PartialPort<true>;
      readonly own: PartialPort<true>;
      async again() { this.#port.close(); await pause(); this.#port.close(); }
      async twice() { this.own.close(); await pause(); this.own.close(); } //! double-move
    }`,
  "what a name is said to be counts where nobody knows better": `
    const port: SentPort<0> = elsewhere(); //! unconsumed-port
    const maybe: Maybe<TypedPort<0, 0>> = elsewhere(); //! unchecked-maybe
    const words: Maybe<string> = elsewhere();
    const look: Lent<PartialPort<true>> = client.open(1); //! unconsumed-port
    const index: { readonly index: number } = client.open(2); //! unconsumed-port`,
});
