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

testMarked("condition", {
  "a Maybe is checked and left": `
    function f() {
      const maybe = client.tryOpen(1);
      if (!maybe.present) return;
      const port = maybe.value;
      port.close();
    }`,
  "a Maybe is checked too late": `
    const maybe = client.tryOpen(1);
    const port = maybe.value; //! unchecked-maybe
    if (maybe.present) port.use(fill);
    port.close();`,
  "a Maybe's port is used in place": `
    const maybe = client.tryOpen(1);
    if (maybe.present) { maybe.value.use(fill); maybe.value.close(); }`,
  "a Maybe's port is used after close": `
    const maybe = client.tryOpen(1);
    if (maybe.present) {
      maybe.value.close();
      maybe.value.use(fill); //! use-after-move
    }`,
  "a Maybe may be asked again": `
    function f() {
      const maybe = client.tryOpen(1);
      if (maybe.present) maybe.value.close();
      return maybe.present;
    }`,
  "compared with true": `
    const maybe = client.tryOpen(1);
    if (maybe.present === true) maybe.value.close();`,
  "and": `
    const maybe = client.tryOpen(1);
    maybe.present && maybe.value.close();`,
  "and, with more": `
    const maybe = client.tryOpen(1); //! unconsumed-port
    if (maybe.present && ready) maybe.value.close();`,
  "or": `
    const a = client.tryOpen(1);
    const b = client.tryOpen(1);
    if (!a.present || !b.present) {
      if (a.present) a.value.close();
      if (b.present) b.value.close();
    } else {
      a.value.close();
      b.value.close();
    }`,
  "an assertion": `
    const maybe = client.tryOpen(1);
    assert(maybe.present, "a port is free");
    maybe.value.close();`,
  "the loop is the check": `
    let maybe = client.tryOpen(1);
    while (!maybe.present) maybe = client.tryOpen(1);
    maybe.value.close();`,
  "an Either is looked at": `
    const look = client.open(1).send().query();
    if (look.arrived) look.value.recvd(); else wait();
    look.value.close();`,
  "an Either keeps its port": `
    const look = client.open(1).send().query(); //! unconsumed-port
    if (look.arrived) look.value.close();`,
  "a port or undefined, compared": `
    const port = a ? client.open(1) : undefined;
    if (port !== undefined) port.close();
    const other = a ? client.open(1) : null;
    if (other == null) work(); else other.close();`,
  "an object or nothing": `
    const port = a ? client.open(1) : undefined;
    if (port instanceof Object) port.close();`,
  "two ports are two": `
    const a = client.open(1), b = client.open(2);
    if (a === b) throw new Error("one");
    a.close();
    b.close();`,
  "assertions": `
    assertFalse(client.tryOpen(1).present); //! unconsumed-port
    const none = client.tryOpen(1);
    assertFalse(none.present);
    const other = client.tryOpen(1);
    assertEquals(other.present, false);
    const some = client.tryOpen(1);
    assertEquals(some.present, true);
    some.value.close();`,
  "nullish": `
    const port = known() ?? client.open(1);
    if (a ?? b) port.close(); else port.close();`,
  "the last of several parts": `
    let port: PartialPort<true> = client.open(1);
    for (let i = 0; i < 3 || (port.close(), false); i++) port = port.send().recv();
    const other = client.open(2); //! unconsumed-port
    if ((count++, ready)) other.close();`,
});
