import { assertEquals } from "@std/assert";
import { PortHeaders } from "./port_headers.ts";
import { channelLayout } from "../toggle/layout.ts";
import { laneMask } from "./lane_mask.ts";
import { Status } from "./status.ts";

const LAYOUT = channelLayout({ portCount: 2, laneCount: 64 });

Deno.test("PortHeaders: what the client writes is what the server reads, one port apart", () => {
  const headers = new PortHeaders(new Int32Array(LAYOUT.totalBytes / 4), LAYOUT);
  headers.begin(1, 65_535, laneMask(31, 63));
  assertEquals([headers.maskLo(1), headers.maskHi(1)], [1 << 31, 1 << 31]);
  assertEquals([headers.opcode(1), headers.continues(1)], [65_535, false]);
  headers.markContinued(1);
  headers.markContinued(1);
  assertEquals([headers.opcode(1), headers.continues(1)], [65_535, true]);
  headers.setStatus(1, Status.handlerFailed);
  assertEquals([headers.status(0), headers.status(1), headers.opcode(0)], [0, 2, 0]);
  headers.begin(1, 3, laneMask(0));
  assertEquals([headers.status(1), headers.continues(1), headers.maskHi(1)], [0, false, 0]);
});

Deno.test("PortHeaders: a call like the last one writes nothing, so that the line stays shared", () => {
  let writeCount = 0;
  const memory = new Proxy(new Int32Array(LAYOUT.totalBytes / 4), {
    get: (target, key) => Reflect.get(target, key, target),
    set: (target, key, value) => {
      writeCount++;
      return Reflect.set(target, key, value, target);
    },
  });
  const headers = new PortHeaders(memory, LAYOUT);
  headers.begin(0, 7, laneMask(0));
  assertEquals(writeCount, 2);
  headers.begin(0, 7, laneMask(0));
  assertEquals(writeCount, 2);
});

Deno.test("PortHeaders: whatever call came before, a new one has the header that it was given", () => {
  const headers = new PortHeaders(new Int32Array(LAYOUT.totalBytes / 4), LAYOUT);
  const read =
    () => [headers.maskLo(1), headers.maskHi(1), headers.opcodeWord(1), headers.status(1)];
  const values = [0, 1, 2].flatMap((lo) =>
    [0, 1, 2].flatMap((hi) => [0, 1, 2].map((opcode) => [lo, hi, opcode] as const))
  );
  for (const before of values) {
    for (const [lo, hi, opcode] of values) {
      for (const status of [Status.ok, Status.unhandledOpcode, Status.handlerFailed]) {
        headers.begin(1, before[2], { lo: before[0], hi: before[1] });
        headers.setStatus(1, status);
        headers.begin(1, opcode, { lo, hi });
        assertEquals(read(), [lo, hi, opcode, Status.ok]);
      }
    }
  }
});
