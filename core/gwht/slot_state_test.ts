import { assertEquals } from "@std/assert";
import { HostState, hostState, WaveState, waveState } from "./slot_state.ts";

Deno.test("GWHT: both tables along one call; at most one side has the page", () => {
  const call = [[false, false], [true, false], [true, true], [false, true]] as const;
  assertEquals(call.map(([gpu, host]) => waveState(gpu, host)), Object.values(WaveState));
  assertEquals(call.map(([gpu, host]) => hostState(gpu, host)), Object.values(HostState));
  for (const [gpu, host] of call) {
    const isClients = waveState(gpu, host) === WaveState.answered;
    assertEquals(isClients && hostState(gpu, host) === HostState.work, false);
  }
});
