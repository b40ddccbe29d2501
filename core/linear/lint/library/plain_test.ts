import { testMarked } from "../testdata/marked_source.ts";

testMarked("plain", {
  "what the language works out is known": `
    let bits = 0;
    const slots: OwnedPort<0>[] = [];
    for (const slot of [0, 3, 1]) { slots[slot] = client.open(1); bits |= 1 << slot; }
    while (bits !== 0) {
      const lowest = 31 - Math.clz32(bits & -bits);
      slots[lowest]!.close();
      bits &= bits - 1;
    }
    slots[Math.max(1, Number("3"))]!.close(); //! double-move`,
  "texts are cut as they are": `
    const ports = new Map("a,b".split(",").map((name) => [name, client.open(1)] as const)); //! unconsumed-port
    ports.get("A".toLowerCase())!.close();
    if (String(ports.size) === "3") client.open(1);
    if ("abc"[1] === "b" && "abc".length === Math.sqrt(9)) ports.get("a")!.close(); //! double-move`,
  "what nobody knows stays so": `
    const port = client.open(1); //! unconsumed-port
    if (Math.random() < Math.min(1, chance)) port.close();
    const other = client.open(2); //! unconsumed-port
    if (name.replace("a", () => "b") === "b") other.close();`,
  "what throws is not gone on with": `
    const port = client.open(1);
    "a".repeat(-1);
    port.close();
    port.close();`,
  "the least and the most that a number is": `
    export function f(capacity: number) {
      const least = Math.max(capacity, 1), most = Math.min(capacity, 1), port = client.open(1);
      if (least >= 1) port.close();
      if (most > 1) port.close();
      if (least > 1) port.use(fill); //! use-after-move
    }`,
});
