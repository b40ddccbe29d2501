import { assertEquals } from "@std/assert";
import { analyse } from "../analysis.ts";
import { checkedFile, PRELUDE, testMarked } from "../testdata/marked_source.ts";

testMarked("solve", {
  "a round goes on with what the round before has left": `
    let [a, b, c] = [client.open(1), client.open(2), client.open(3)]; //! unconsumed-port unconsumed-port
    while (ready) {
      a.use(fill);
      [a, b] = [b, c]; //! double-move
      c.close(); //! double-move
    }
    b.close();`,
  "nothing is reported where no run comes": `
    const maybe = client.tryOpen(1);
    if (maybe.present) maybe.value.close();
    else if (maybe.present) { maybe.value.close(); maybe.value.close(); }`,
  "functions that call each other come to an end": `
    let port: PartialPort<true> | undefined;
    function one() {
      port = client.open(1); //! unconsumed-port
      if (ready) other();
    }
    function other() { port?.close(); port = undefined; one(); }
    one();`,
});

Deno.test("solve() stops when the work becomes too much, and says where", () => {
  const program = PRELUDE + `const port = client.open(1);
    while (ready) port.use(fill);`;
  const messagesWith = (stepsMax: number) =>
    analyse(checkedFile(program), stepsMax).map(({ message }) => message.slice(0, 22));
  assertEquals(messagesWith(5).includes("Ports are not followed"), true);
  assertEquals(messagesWith(1000), ["Port 'port' of line 1 "]);
});
