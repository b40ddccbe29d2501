import { assert, assertEquals } from "@std/assert";
import { testMarked } from "../testdata/marked_source.ts";
import { Thrown } from "./thrown.ts";
import { Unknown } from "./value.ts";

Deno.test("Thrown.foreign() is what nobody knows, asOwn() what a program has to count on", () => {
  const foreign = Thrown.foreign();
  assert(foreign.value instanceof Unknown && foreign.value.isForeignError && foreign.isForeign);
  const { value, isForeign } = foreign.asOwn();
  assertEquals([value === foreign.value, isForeign], [true, false]);
});

testMarked("thrown", {
  "an exception of the program is a path, one from elsewhere nobody's fault": `
    export function own(isBad: boolean) {
      const port = client.open(1); //! unconsumed-port
      if (isBad) throw new Error("bad");
      port.close();
    }
    export function foreign() { const port = client.open(1); work(); port.close(); }`,
});
