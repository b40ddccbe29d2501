import { testMarked } from "../testdata/marked_source.ts";

testMarked("context", {
  "a function where one is wanted that serves calls may refuse one": `
    const table: Record<string, TypedHandler> = {
      sum: (port) => { if (bad) throw new RangeError("bad"); port.send(work).close(); },
      keep: (port) => { if (bad) return; port.send(work).close(); }, //! unconsumed-port
    };`,
  "where no result is wanted it is lost": `
    const start: () => void = () => client.open(1); //! unconsumed-port
    const make: () => PartialPort<true> = () => client.open(1);`,
});
