import { testMarked } from "../testdata/marked_source.ts";

testMarked("list", {
  "what goes through a list consumes what was put there": `
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    const all: PartialPort<true>[] = [];
    all.push(a);
    if (ready) a.close();
    for (const one of all) one.close(); //! double-move
    const pair = [b, c];
    pair.forEach((one) => { const sent = one.send(); sent.close(); });
    b.close(); //! double-move
    for (const one of [d]) one.send().close();
    d.use(fill); //! use-after-move
    const many = new Set<PartialPort<true>>();
    for (let i = 0; i < 3; i++) {
      const port = client.open(i);
      many.add(port);
      port.close(); //! double-move
    }
    many.forEach((one) => one.close());`,
  "a stack closes what nothing has closed": `
    const stack = new DisposableStack();
    const [a, b] = [client.open(1), client.open(2)];
    stack.use(a);
    stack.use(b);
    b.close();
    stack.dispose();
    a.use(fill); //! use-after-move`,
  "a list that a function has is kept": `
    {
      using port = client.open(1);
      const list = [port]; //! use-after-move
      setTimeout(() => list.forEach((one) => one.close()));
    }
    {
      using port = client.open(1);
      const list = [port], jobs: (() => void)[] = [];
      list.forEach((one) => log(one.index));
      jobs.push(() => port.use(fill));
      [1].forEach(() => list.forEach((one) => one.use(fill)));
      jobs.forEach((job) => job());
    }`,
  "all of a list that is gone through twice": `
    const ports = [1, 2].map((opcode) => client.open(opcode));
    for (const port of ports) port.close();
    ports.forEach((port) => port.close()); //! double-move
    const filled: PartialPort<true>[] = [];
    for (;;) {
      filled.push(client.open(1));
      for (const port of filled) port.close();
    }`,
  "all of a list that a function makes": `
    function openAll() {
      const all: PartialPort<true>[] = [];
      for (let i = 0; i < 3; i++) all.push(client.open(i));
      return all;
    }
    const openBoth = async () => await Promise.all([client.openAsync(1), client.openAsync(2)]);
    const every: PartialPort<true>[] = [];
    function openMore() {
      every.push(client.open(1));
      return every;
    }
    const all = openAll();
    for (const one of all) one.use(fill);
    for (const one of all) one.close();
    for (const one of all) one.close(); //! double-move
    const both = await openBoth();
    both.forEach((one) => one.close());
    both.forEach((one) => one.close()); //! double-move
    const more = openMore();
    for (const one of more) one.close();
    every.push(client.open(2));
    for (const one of more) one.close();`,
  "a list of which each element is asked for by number": `
    const pair = [client.open(1), client.open(2)] as const; //! unconsumed-port
    pair[0].close();
    const both = await Promise.all([client.openAsync(1), client.openAsync(2)]);
    both[0].close();
    both[1].close();
    export const shared = [client.open(1), client.open(2)];
    shared[0].close();`,
  "a method of a port under another name": `
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)]; //! unconsumed-port
    const endA = a.close.bind(a), endB = b.close.bind(b);
    const sendC = c.send.bind(c), endD = d.close.bind(d);
    endB();
    b.close(); //! double-move
    sendC().close();
    setTimeout(endD);`,
  "of a list that is changed or only looked at nothing is known": `
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    const popped: PartialPort<true>[] = [], drained: PartialPort<true>[] = [];
    popped.push(a);
    popped.pop()?.close();
    for (const one of popped) one.close();
    a.close();
    const looked = [b];
    for (const one of looked) if (ready) one.close();
    b.close();
    drained.push(c);
    drain(drained);
    c.close();
    for (const one of drained) one.close();
    const perhaps: PartialPort<true>[] = [];
    if (ready) perhaps.push(d);
    else d.close();
    for (const one of perhaps) one.close();`,
});
