import { testMarked } from "../testdata/marked_source.ts";

testMarked("timer", {
  "what a timer is given runs when the code has ended or waits, once": `
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    setTimeout(() => a.close()); //! double-move
    a.close();
    queueMicrotask(() => b.close());
    b.use(fill);
    setTimeout((port) => port.close(), 10, c);
    setTimeout(() => client.open(5)); //! unconsumed-port
    setTimeout(d.close.bind(d));
    d.use(fill);
    await elsewhere();
    d.use(fill); //! use-after-move`,
  "a timer that is called off": `
    const port = client.open(1);
    clearTimeout(setTimeout(() => port.close(), 10));
    port.close();`,
  "an interval comes again, until it is called off": `
    const [a, b] = [client.open(1), client.open(2)];
    setInterval(() => a.close(), 10); //! double-move
    const twice = setInterval(() => { b.close(); stop(); }, 10);
    const stop = () => clearInterval(twice);
    let current = client.open(4);
    setInterval(() => { current = current.send().recv(); }, 10);
    const lost = client.open(6); //! unconsumed-port
    clearInterval(setInterval(() => lost.use(fill), 10));`,
  "through a function of the program": `
    const later = (work: () => void) => setTimeout(work, 10);
    const [a, b] = [client.open(1), client.open(2)];
    later(() => a.close()); //! double-move
    a.close();
    clearTimeout(later(() => b.close()));
    b.close();`,
  "timers share what one of them has changed": `
    let port: PartialPort<true> | undefined = client.open(1);
    setTimeout(() => { port?.close(); port = undefined; }, 10);
    setTimeout(() => port?.close(), 20);`,
});
