import { assertEquals } from "@std/assert";
import { Partner } from "../../scenarios/partner/partner.ts";
import { PEERS } from "./peer_ends.ts";

Deno.test("PEERS copy what they are given: a call changes no byte of its argument", async () => {
  await using partner = new Partner();
  for (const name of ["portlab", "portlab_async", "post_message", "comlink"] as const) {
    const end = await PEERS[name](partner);
    const bytes = Uint8Array.of(41, 7);
    assertEquals(await end.call(bytes), Uint8Array.of(42, 7));
    assertEquals(bytes, Uint8Array.of(41, 7));
    await end.close();
  }
});
