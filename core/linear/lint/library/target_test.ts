import { testMarked } from "../testdata/marked_source.ts";

testMarked("target", {
  "who listens for an event is called, with what it brings": `
    const target = new EventTarget(), port = client.open(1);
    target.addEventListener("other", () => port.close());
    target.addEventListener("port", ({ detail }) => detail.close());
    target.dispatchEvent(new Event("none"));
    target.dispatchEvent(new CustomEvent("port", { detail: port }));
    port.use(fill); //! use-after-move`,
  "once, or until it is told off": `
    const target = new EventTarget(), [a, b, c] = [client.open(1), client.open(2), client.open(3)];
    const end = () => b.close(), tell = () => target.dispatchEvent(new Event("end"));
    target.addEventListener("end", () => a.close(), { once: true });
    target.addEventListener("end", end);
    target.removeEventListener("end", end);
    target.addEventListener("end", () => c.close()); //! double-move
    tell();
    tell();
    b.close();`,
  "a class that extends it": `
    class Calls extends EventTarget { end() { this.dispatchEvent(new Event("end")); } }
    const calls = new Calls(), port = client.open(1);
    calls.addEventListener("end", () => port.close());
    calls.end();
    port.use(fill); //! use-after-move`,
  "a signal is aborted once": `
    const { signal, abort } = new AbortController(), port = client.open(1);
    signal.addEventListener("abort", () => port.close());
    for (const round of [1, 2]) abort();
    if (!signal.aborted) port.use(fill);
    port.use(fill); //! use-after-move`,
  "others that have the target may tell it": `
    const own = new EventTarget(), [a, b] = [client.open(1), client.open(2)];
    export const shared = new EventTarget();
    own.addEventListener("end", () => a.use(fill));
    shared.addEventListener("end", () => b.use(fill)); //! use-after-move
    a.close();
    b.close();`,
  "a signal tells a listener off": `
    class Checkout extends EventTarget {
      constructor() {
        super();
        const port = client.open(1), over = new AbortController();
        const end = () => { over.abort(); port.close(); };
        this.addEventListener("click", end, { signal: over.signal });
        this.addEventListener("cancel", end, { signal: over.signal });
        const other = client.open(2), never = new AbortController();
        this.addEventListener("click", () => other.close(), { signal: never.signal }); //! double-move
      }
    }
    const checkout = new Checkout();
    checkout.dispatchEvent(new Event("click"));
    checkout.dispatchEvent(new Event("click"));
    checkout.dispatchEvent(new Event("cancel"));`,
});
