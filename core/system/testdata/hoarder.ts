/** A child behind a wall that by C's functions takes more than its limits count, and keeps it. */
import { Parent } from "../child.ts";
import { raiseWall } from "../wall.ts";

const { symbols: c } = Deno.dlopen("libc.so.6", {
  mmap: { parameters: ["u64", "u64", "i32", "i32", "i32", "i64"], result: "i64" },
  mprotect: { parameters: ["u64", "u64", "i32"], result: "i32" },
  memset: { parameters: ["u64", "i32", "u64"], result: "u64" },
  pause: { parameters: [], result: "i32" },
});
const PIECE_BYTES = 1n << 26n;
const parent = new Parent();
raiseWall({ memoryBytes: 1 << 27, cpuSeconds: 60 }, parent.pid);
console.log("begins");
// What may no longer be written is data no longer, as the system counts.
for (let piece = 0; piece < 16; piece++) {
  const address = BigInt(c.mmap(0n, PIECE_BYTES, 3, 0x22, -1, 0n));
  if (address < 0n) break;
  c.memset(address, 1, PIECE_BYTES);
  c.mprotect(address, PIECE_BYTES, 1);
}
for (;;) c.pause();
