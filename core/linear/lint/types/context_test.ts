import { testMarked } from "../testdata/marked_source.ts";

testMarked("context", {
  "a place that wants a handler": `
    const one: TypedHandler = (port) => port.use(work); //! unconsumed-port
    const list: TypedHandler[] = [(port) => port.close(), (port) => port.use(work)]; //! unconsumed-port
    const table: Record<string, TypedHandler> = {
      a(port) { port.close(); },
      b: (port) => port.use(work), //! unconsumed-port
    };
    const either: TypedHandler = ready ? (port) => port.close() : (port) => port.use(work); //! unconsumed-port`,
  "a collection that is made of handlers": `
    const table = new Map<number, TypedHandler>([
      [1, (port) => port.close()],
      [2, (port) => port.use(work)], //! unconsumed-port
    ]);
    const all = new Set<TypedHandler>([(port) => port.use(work)]); //! unconsumed-port`,
  "what says that it is a handler": `
    const one = ((port) => port.use(work)) satisfies TypedHandler; //! unconsumed-port
    const two = ((port) => port.close()) as TypedHandler;`,
  "a place that wants a function on a port": `
    type Work = (port: PartialPort<true>) => void;
    const work: Work = (port) => port.use(fill);
    const twice: Work = (port) => { port.close(); port.close(); }; //! double-move
    function make(): Work { return (port) => { port.close(); port.use(fill); }; } //! use-after-move
    class Holder { work: Work = (port) => { port.close(); port.close(); }; } //! double-move`,
  "what is written counts more": `
    const one: TypedHandler = (port: unknown) => report(port);`,
  "a function that gives a port for a port has it": `
    type Step = (port: PartialPort<true>) => PartialPort<true>;
    const steps: Step[] = [
      (port) => port.send(fill).recv(),
      (port) => client.open(2), //! unconsumed-port
    ];`,
});
