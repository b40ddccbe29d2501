import { testMarked } from "../testdata/marked_source.ts";

testMarked("expression type", {
  "names for a client": `
    const second = client;
    const third = ready ? second : client;
    const fourth = missing ?? third;
    (work(), fourth).open(1); //! unconsumed-port
    (fourth as Other).open(2); //! unconsumed-port
    (await fourth)!.open(3); //! unconsumed-port`,
  "said to be a client": `
    (elsewhere() as TypedClient).open(1); //! unconsumed-port
    const port = elsewhere() as PartialPort<true>; //! unconsumed-port`,
  "a list by its elements": `
    const clients = [...[client]];
    clients[0].open(1); //! unconsumed-port`,
  "a module at run time": `
    const { TypedClient: Rpc } = await import("./linear/mod.ts");
    new Rpc(channel).open(1); //! unconsumed-port
    const linear = await import("./linear/mod.ts");
    new linear.TypedClient(channel).open(2); //! unconsumed-port`,
  "a private member of another object of the class": `
    class Caller {
      #client = client;
      static call(other: object) {
        if (#client in other) {
          other.#client.open(1); //! unconsumed-port
        }
      }
    }`,
});
