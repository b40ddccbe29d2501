import { testMarked } from "../testdata/marked_source.ts";

testMarked("arguments", {
  "are worked out from left to right": `
    const port = client.open(1);
    work(port.use(fill), port.close(), port.inbox); //! use-after-move`,
  "a spread array, or generator, gives its items": `
    function* more() { yield client.open(1); yield client.open(2); }
    function closeAll(...ports: PartialPort<true>[]): void { for (const port of ports) port.close(); }
    const [a, b] = [client.open(1), client.open(2)];
    closeAll(...[a], b, ...more());
    a.use(fill); //! use-after-move
    b.close(); //! double-move`,
  "a spread array in an array, and a hole": `
    const some = [client.open(1), client.open(2)]; //! unconsumed-port
    const [first, , , third] = [...some, , client.open(3)];
    first.close();
    third.close();
    some[0].use(fill); //! use-after-move`,
});
