/** A client in a worker: calls each function alone and by lanes; answers how many there were. */
import { assert, assertEquals } from "@std/assert";
import { Channel } from "../../../../toggle/channel.ts";
import type { ChannelHandle } from "../../../../toggle/channel_handle.ts";
import { Client } from "../../../../toggle/client/client.ts";
import { answerParent } from "../../../../worker/worker_scope.ts";
import { connectApi, type HostStub } from "../../../../signature/mod.ts";
import { libcApi, libmApi } from "../libc_api.ts";
import { LIBC_CALLS, type LibcCall } from "./libc_calls.ts";
import { libmCall } from "./libm_calls.ts";

answerParent<ChannelHandle>((handle) => {
  const client = new Client(Channel.attach(handle));
  const libm = connectApi(client, libmApi);
  const libc = connectApi(client, libcApi);
  assertEquals(Object.keys(libc).toSorted(), Object.keys(LIBC_CALLS).toSorted());
  for (const [name, stub] of Object.entries(libm)) callEachWay(name, stub, libmCall(name));
  for (const [name, stub] of Object.entries(libc)) {
    callEachWay(name, stub, LIBC_CALLS[name as keyof typeof LIBC_CALLS]);
  }
  return Object.keys(libm).length + Object.keys(libc).length;
});

function callEachWay(name: string, stub: unknown, { given, check }: LibcCall): void {
  const call = stub as HostStub & ((...given: unknown[]) => unknown);
  const [alone, first, second] = [given(), given(), given()];
  try {
    check(call(...alone), alone);
    const results = call.lanes([first, undefined, second] as never);
    assert(results.length === 3);
    check(results[0], first);
    check(results[2], second);
  } catch (cause) {
    throw new Error(`Cannot go on after ${name}: ${cause}`, { cause });
  }
}
