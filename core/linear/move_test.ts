import { assertEquals } from "@std/assert";
import { move, type PartialPort } from "./mod.ts";
import { makeIncrementPair, OPCODE } from "./testdata/pair.ts";

for (const checks of ["on", "off"] as const) {
  Deno.test(`move() takes a port out of the hands of using, checks ${checks}`, () => {
    const { client, plainClient, plainServer } = makeIncrementPair(checks);
    // deno-lint-ignore linear/unconsumed-port -- the last of its calls goes on without this side
    const kept: PartialPort<boolean>[] = [];
    {
      using port = client.open(OPCODE);
      using other = move(port);
      kept.push(move(other));
    }
    assertEquals(plainClient.tryOpen(OPCODE), undefined);
    for (const port of kept) port.close();

    {
      using sent = client.open(OPCODE).send();
      kept.push(move(sent));
    }
    plainServer.runOnce();
    assertEquals(plainClient.tryOpen(OPCODE), undefined);
  });
}
