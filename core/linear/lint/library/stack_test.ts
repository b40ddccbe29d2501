import { testMarked } from "../testdata/marked_source.ts";

testMarked("stack", {
  "a stack closes what nothing has closed": `
    const stack = new DisposableStack();
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    stack.use(a);
    stack.adopt(b, (port) => port.close());
    stack.defer(() => c.close());
    stack.use(d);
    d.close();
    stack.dispose();
    for (const one of [a, b, c]) one.use(fill); //! use-after-move`,
  "a stack that nobody ends": `
    const stack = new DisposableStack();
    stack.use(client.open(1)).use(fill); //! unconsumed-port
    export const shared = new DisposableStack();
    shared.use(client.open(2));
    shared.adopt(client.open(3), (one) => one.close());
    const other = client.open(4);
    shared.defer(() => other.close());`,
  "what was told last comes first": `
    using stack = new DisposableStack();
    const port = client.open(1);
    stack.defer(() => port.use(fill)); //! use-after-move
    stack.defer(() => port.close());
    stack.defer(() => port.use(fill));`,
  "a stack that moves on": `
    function begin() {
      using stack = new DisposableStack();
      const port = stack.use(client.open(1));
      return ready ? { port, stack: stack.move() } : undefined;
    }
    const call = begin();
    call?.port.use(fill);
    call?.stack.dispose();
    call?.port.use(fill); //! use-after-move`,
  "a stack that waits": `
    await using stack = new AsyncDisposableStack();
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)];
    stack.defer(async () => { await idle(); a.close(); });
    stack.adopt(b, (port) => port.close()); //! double-move
    b.close();
    const other = new AsyncDisposableStack();
    other.use(c);
    await other.disposeAsync();
    c.use(fill); //! use-after-move`,
});
