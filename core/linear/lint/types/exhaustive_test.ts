import { testMarked } from "../testdata/marked_source.ts";

testMarked("exhaustive", {
  "all literals of a union": `
    function f(mode: "a" | "b") {
      const port = client.open(1);
      switch (mode) { case "a": port.close(); break; case "b": port.send().close(); }
    }`,
  "not all of them": `
    function f(mode: "a" | "b" | "c") {
      const port = client.open(1); //! unconsumed-port
      switch (mode) { case "a": port.close(); break; case "b": port.send().close(); }
    }`,
  "any text, any number": `
    function f(mode: string, count: number) {
      const a = client.open(1); //! unconsumed-port
      switch (mode) { case "a": a.close(); break; case "b": a.send().close(); }
      const b = client.open(1); //! unconsumed-port
      switch (count) { case 1: b.close(); break; case 2: b.send().close(); }
    }`,
  "one case alone": `
    const port = client.open(1); //! unconsumed-port
    switch (mode) { case "a": port.close(); }`,
  "an enum": `
    enum Mode { fast, slow }
    function f(mode: Mode) {
      const port = client.open(1);
      switch (mode) { case Mode.fast: port.close(); break; case Mode.slow: port.close(); }
    }
    function g(mode: Mode) {
      const port = client.open(1); //! unconsumed-port
      switch (mode) { case Mode.fast: port.close(); }
    }`,
  "a property that tells the members of a union apart": `
    type Message = { kind: "a" } | { kind: "b"; count: number };
    function f(message: Message) {
      const port = client.open(1);
      switch (message.kind) { case "a": port.close(); break; case "b": port.close(); }
    }`,
  "a default that nothing reaches": `
    function f(mode: "a" | "b") {
      const port = client.open(1);
      switch (mode) {
        case "a": port.close(); break;
        case "b": port.close(); break;
        default: throw new Error("unreachable");
      }
    }`,
  "a mailbox": `
    const port = client.open(1);
    switch (port.inbox) { case 0: port.close(); break; case 1: port.send().close(); }
    const other = client.open(2); //! unconsumed-port
    switch (other.inbox) { case 0: other.close(); }`,
  "a check": `
    const maybe = client.tryOpen(1);
    switch (maybe.present) { case true: maybe.value.close(); break; case false: work(); }
    const other = client.tryOpen(1);
    switch (true) { case other.present: other.value.close(); }
    let waiting = client.open(1).send();
    for (;;) {
      const look = waiting.query();
      switch (look.arrived) {
        case true: look.value.close(); return;
        case false: waiting = look.value;
      }
    }`,
});
