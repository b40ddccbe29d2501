import { testMarked } from "../testdata/marked_source.ts";

testMarked("object", {
  "an object has what is in it": `
    const port = client.open(1);
    const call = { port, other: client.open(2), ["third"]: client.open(3), ...rest };`,
  "its methods may close what they see": `
    function begin() {
      const port = client.open(1);
      return { use: (work) => port.use(work), close() { port.close(); } };
    }`,
  "its methods are functions": `
    const api = {
      begin(): SentPort<0> { return client.open(1).send(fill); },
      end(sent: SentPort<0>) { sent.close(); },
      forget() {
        client.open(2); //! unconsumed-port
      },
    };
    api.end(api.begin());
    api.begin(); //! unconsumed-port`,
  "what it is said to be tells what its functions get": `
    const handlers = {
      echo: (port) => port.send(work).close(),
      keep: (port) => port.use(work), //! unconsumed-port
    } satisfies Record<string, TypedHandler>;
    const all: Map<number, TypedHandler> = new Map([
      [1, (port) => port.use(work)], //! unconsumed-port
    ]);`,
  "never is the end": `
    function f(mode: Mode) {
      const port = client.open(1);
      switch (mode) {
        case "a": port.close(); break;
        case "b": port.close(); break;
        default: mode satisfies never;
      }
    }`,
  "a cast to never is the end where nobody goes on with the value": `
    function f(mode: Mode) {
      const port = client.open(1);
      if (mode === "a") return port.close();
      if (mode === "b") return port.send().close();
      return mode as never;
    }
    function g() {
      const sent = client.open(1).send({} as never); //! unconsumed-port
      const odd = elsewhere as never;
    }`,
});
