import { testMarked } from "../testdata/marked_source.ts";

testMarked("look", {
  "taken without a look": `
    client.tryOpen(1).value.close(); //! unchecked-maybe
    client.open(1).send().query().value.close(); //! unchecked-maybe
    const maybe = client.tryOpen(1), port = maybe.value; //! unchecked-maybe
    port.close();`,
  "taken where there is none": `
    const maybe = client.tryOpen(1);
    if (maybe.present) maybe.value.close();
    else maybe.value.close(); //! unchecked-maybe
    const other = client.tryOpen(2); //! unconsumed-port
    if (other.present === wanted) other.value.close(); //! unchecked-maybe`,
  "only asked, or not even that": `
    client.tryOpen(1); //! unconsumed-port
    const maybe = client.tryOpen(1); //! unchecked-maybe
    const other = client.tryOpen(1); //! unconsumed-port
    console.log(other.present);
    function isBack(sent: SentPort<0>): boolean {
      const look = sent.query(); //! unconsumed-port
      return look.arrived;
    }`,
  "a name for the answer": `
    function f() {
      const maybe = client.tryOpen(1), isBusy = !maybe.present;
      if (isBusy) return isBusy === maybe.present;
      maybe.value.close();
    }
    const maybe = client.tryOpen(1), isFree = maybe.present; //! unconsumed-port
    if (isFree) work();`,
  "and, or": `
    const a = client.tryOpen(1), b = client.tryOpen(1);
    if (!a.present || !b.present) {
      if (a.present) a.value.close();
      b.present && b.value.close();
    } else { a.value.close(); b.value.close(); }
    const c = client.tryOpen(1); //! unconsumed-port
    if (c.present && ready) c.value.close();`,
  "a function asks, or it is disposed of as a whole": `
    function isOpen(maybe: Maybe<PartialPort<true>>): maybe is Present<PartialPort<true>> {
      return maybe.present;
    }
    const maybe = client.tryOpen(1), other = client.tryOpen(2);
    if (isOpen(maybe)) maybe.value.close();
    other[Symbol.dispose]();`,
  "a loop asks": `
    let maybe = client.tryOpen(1);
    while (!maybe.present) maybe = client.tryOpen(1);
    maybe.value.close();
    function wait(sent: SentPort<0>) {
      let look, current = sent;
      while (!(look = current.query()).arrived) current = look.value; //! unconsumed-port
      look.value.use(fill);
    }`,
  "an Either always has its port": `
    const look = client.open(1).send().query(); //! unconsumed-port
    if (look.arrived) look.value.close(); else wait();
    look.value.use(fill); //! use-after-move`,
  "value is taken out": `
    const maybe = client.tryOpen(1);
    if (maybe.present) {
      const { value: port } = maybe;
      port.close();
      maybe.value.use(fill); //! use-after-move
    }`,
  "what a server of the program has answered is there": `
    declare const plain: { runAll(): void };
    const sent = client.open(1).send();
    const first = sent.query();
    if (first.arrived) first.value.close();
    else {
      plain.runAll();
      const look = first.value.query();
      if (look.arrived) look.value.close();
    }
    const late = client.open(1).send().query(); //! unconsumed-port
    if (late.arrived) late.value.close();`,
});
