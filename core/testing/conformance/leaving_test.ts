import { assertEquals } from "@std/assert";
import { Status } from "../../memory/status.ts";
import { clientsLeave, serversLeave } from "./cases/leaving_cases.ts";

/** Raised by hand for a long run: `LEAVING_ROUNDS=500`. */
const rounds = Number(Deno.env.get("LEAVING_ROUNDS") ?? 15);
const seed = 2;

Deno.test("Servers that leave at random moments lose no call, in many rounds", async () => {
  assertEquals(await serversLeave({ rounds, seed }), [Status.serverGone, Status.serverGone]);
});

Deno.test("Clients that leave at random moments disturb no other, in many rounds", async () => {
  assertEquals(await clientsLeave({ rounds, seed }), Status.serverGone);
});
