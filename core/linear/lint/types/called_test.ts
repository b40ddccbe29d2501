import { testMarked } from "../testdata/marked_source.ts";

testMarked("called", {
  "what only looks by its type leaves the port where it was": `
    declare function look(port: { readonly index: number }): void;
    declare function peek(port: Pick<OwnedPort<0>, "use"> | Pick<OwnedPort<1>, "use">): void;
    const note = ({ inbox }: PartialPort<true>) => inbox;
    const port = client.open(1); //! unconsumed-port
    look(port);
    peek(port);
    note(port);`,
  "a type parameter says what it extends": `
    declare function keep<T>(value: T): void;
    declare function end<P extends PartialPort<true>>(port: P): void;
    const [a, b] = [client.open(1), client.open(2)];
    keep(a);
    a.close();
    end(b);
    b.close(); //! double-move`,
  "an overload takes what its signature says": `
    function end(port: OwnedPort<0>): void;
    function end(port: OwnedPort<1>): void;
    function end(port: { close(): void }): void { port.close(); }
    const port = client.open(1);
    end(port as OwnedPort<0>);`,
  "a parameter for this is none of the inputs": `
    function finish(this: { n: number }, port: PartialPort<true>): void { port.close(); }
    const holder = { n: 1, finish };
    const port = client.open(1);
    holder.finish(port);
    port.close(); //! double-move`,
});
