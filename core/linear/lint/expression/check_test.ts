import { testMarked } from "../testdata/marked_source.ts";

testMarked("check", {
  "a name for the answer": `
    const maybe = client.tryOpen(1);
    const isFree = maybe.present;
    if (isFree) maybe.value.close();`,
  "a name for the opposite": `
    function f() {
      const maybe = client.tryOpen(1);
      const isBusy = !maybe.present;
      if (isBusy) return;
      maybe.value.close();
    }`,
  "a name for the answer, and nothing done": `
    const maybe = client.tryOpen(1); //! unconsumed-port
    const isFree = maybe.present;
    if (isFree) work();`,
  "only asked": `
    const maybe = client.tryOpen(1); //! unconsumed-port
    console.log(maybe.present);
    function isBack(sent: SentPort<0>): boolean {
      const look = sent.query(); //! unconsumed-port
      return look.arrived;
    }`,
  "every way to write that a port may be missing": `
    function a(port?: OwnedPort<0>) { if (!port) return; port.close(); }
    function b(port: OwnedPort<0> | null) { if (port === null) return; port.close(); }
    function c(port: OwnedPort<0> | null) { if (null == port) return; port.close(); }
    function d(port?: OwnedPort<0>) { if (typeof port === "undefined") return; port.close(); }
    function e(port?: OwnedPort<0>) { if (typeof port !== "undefined") port.close(); }
    function f(port?: OwnedPort<0>) { if (typeof port === "object") port.close(); }
    function g(port?: OwnedPort<0>) { if (!!port) port.close(); }
    function h(port?: OwnedPort<0>) { if (Boolean(port)) port!.close(); }
    function i(port?: OwnedPort<0>) { const has = port !== void 0; if (has) port.close(); }`,
  "a port that is there, forgotten": `
    function f(port?: OwnedPort<0>) { //! unconsumed-port
      if (typeof port === "undefined") return;
      port.use(fill);
    }`,
  "an assignment is the question": `
    function wait(sent: SentPort<0>) {
      let look: Either<SentPort<0>, OwnedPort<1>>;
      let current = sent;
      while (!(look = current.query()).arrived) current = look.value;
      look.value.close();
    }`,
  "an assignment is the question, and the port is lost": `
    function wait(sent: SentPort<0>) {
      let look;
      let current = sent;
      while (
        !(look = current.query()).arrived //! unconsumed-port
      ) current = look.value;
      look.value.use(fill);
    }`,
  "compared the other way round": `
    const maybe = client.tryOpen(1);
    if (false !== maybe.present) maybe.value.close();`,
  "compared with something else": `
    const maybe = client.tryOpen(1);
    if (maybe.present === wanted) maybe.value.close();`,
});
