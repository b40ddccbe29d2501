import { assertEquals } from "@std/assert";
import { ownsBuffer } from "./side.ts";

Deno.test("ownsBuffer() gives every state of the mailboxes exactly one owner", () => {
  for (const clientBox of [0, 1]) {
    for (const serverBox of [0, 1]) {
      const client = ownsBuffer("client", { inbox: serverBox, outbox: clientBox });
      const server = ownsBuffer("server", { inbox: clientBox, outbox: serverBox });
      assertEquals(client, !server);
      assertEquals(client, clientBox === serverBox);
    }
  }
});
