import { testMarked } from "../testdata/marked_source.ts";

testMarked("declaration", {
  "without a value": `
    let port: PartialPort<true> | undefined, other;
    work(port);
    if (ready) other = client.open(1);
    other?.close();`,
  "several": `
    const a = client.open(1), b = a.send(), c = b.recv(); //! unconsumed-port
    let d, e = client.open(2);
    e.close();`,
  "var is declared again, and outside its block": `
    var port = client.open(1); //! unconsumed-port
    var port = client.open(2);
    port.close();
    { var other = client.open(3); }
    other.close();`,
  "declared elsewhere": `
    declare const port: PartialPort<true>, maybe: Maybe<PartialPort<true>>;
    port.close();
    port.close(); //! double-move
    if (maybe.present) maybe.value.use(fill);`,
  "an exported port is everybody's": `
    export const port = client.open(1);
    const other = client.open(1);
    export { other };
    export default client.open(2);`,
});
