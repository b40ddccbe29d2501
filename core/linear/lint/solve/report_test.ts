import { assertEquals } from "@std/assert";
import { foundMessages, testMarked } from "../testdata/marked_source.ts";

testMarked("report", {
  "a function that is not run has no ports from outside": `
    const port = client.open(1);
    function unused() { port.use(fill); }
    port.close();
    port.close(); //! double-move`,
  "a function counts on nothing but a moved name that stays": `
    let [a, b] = [client.open(1), client.open(2)];
    a.close();
    b.close();
    const later = () => { a.use(fill); b.use(fill); }; //! use-after-move
    b = client.open(3);
    b.close();`,
  "a consumed port goes to somebody who minds, or does not": `
    function end(port) { port.close(); }
    function look(port) { port.use(fill); }
    function tidy(port) { port[Symbol.dispose](); }
    const port = client.open(1);
    port.close();
    end(port); //! double-move
    look(port); //! use-after-move
    tidy(port);`,
  "what a block disposes of, and what a refused call ends": `
    server.operatePort(1, (given) => {
      using disposed = client.open(1);
      const plain = client.open(2); //! unconsumed-port
      if (bad) throw new RangeError("bad");
      plain.close();
      given.close();
    });`,
  "what is wrong whatever the state, where a run comes": `
    client.open(1); //! unconsumed-port
    Deno.exit();
    client.open(1);`,
});

Deno.test("report() names the place in or out of a function that made and moved a port", () => {
  const program = `const port = client.open(1);
    function finish() {
      port.close();
    }
    finish();
    port.use(fill);`;
  assertEquals(foundMessages(program), ["Port 'port' is used after close() consumed it at line 3"]);
  const twice = `const port = client.open(1);
    const finish = () => { port.close(); port.close(); };
    finish();`;
  const message = "Port 'port' is consumed by close() after close() consumed it at line 2";
  assertEquals(foundMessages(twice), [message]);
});
