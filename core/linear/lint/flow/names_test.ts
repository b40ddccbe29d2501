import { testMarked } from "../testdata/marked_source.ts";

testMarked("names", {
  "without a value": `
    let port: PartialPort<true> | undefined, other;
    work(port);
    if (ready) other = client.open(1);
    other?.close();`,
  "several": `
    const a = client.open(1), b = a.send(), c = b.recv(); //! unconsumed-port
    let d, e = client.open(2);
    e.close();`,
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
  "what is stored may be used, and is not closed": `
    const kept = new Set<PartialPort<true>>();
    export function open() { const port = client.open(1); kept.add(port); port.use(fill); }
    export function twice() {
      const port = client.open(1);
      kept.add(port);
      port.close(); //! double-move
    }
    export function end(port: PartialPort<true>) { port.close(); kept.delete(port); }`,
  "a field that is there already": `
    let shared: PartialPort<true> | undefined;
    export function put(port: PartialPort<true>) {
      if (shared) shared = port; //! unconsumed-port
      else shared = port;
    }
    export function open() { const port = shared ??= client.open(1); port.use(fill); }`,
  "a name that was taken out of an object is in it, too": `
    const job = { port: client.open(1), id: 1 };
    const { port } = job;
    port.close();
    job.port.close(); //! double-move`,
});
