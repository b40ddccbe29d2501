import { assert, assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { serveHost } from "../../services/serve_host.ts";
import { onDevice } from "../device/on_device_test.ts";
import type { GpuDevice } from "../device/device.ts";
import { type KernelRunOptions, runKernel } from "../epochs/kernel_run_test.ts";

const NOTE = 40_200;
const DECLARED =
  `@service(${NOTE}) fn note(x: u32) -> u32; @service(${NOTE}) @cast fn tell(x: u32);`;

/** Runs a kernel, and keeps in one list what it prints and what it notes, as the host sees it. */
async function seenBy(gpu: GpuDevice, options: Partial<KernelRunOptions> & { source: string }) {
  const seen: string[] = [];
  const shape = { portCount: 4, laneCount: 1, waveCount: 1, laneBytes: 256 };
  const error: Error | undefined = await runKernel(gpu, {
    ...shape,
    ...options,
    register: (server) => {
      serveHost(server, {
        writeStdout: (bytes) => seen.push(new TextDecoder().decode(bytes)) && bytes.length,
      });
      server.operate(NOTE, (packet) =>
        packet.forEachLane((lane) => {
          seen.push(`<${packet.getUint32(lane, 0)}>`);
          packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 100);
        }));
    },
  }).then(({ report }) => void seen.push(`${report.packetCount} packets`), (thrown) => thrown);
  return { seen, error };
}

onDevice("what a lane prints goes before what it asks for next", async (gpu) => {
  const source = `${DECLARED} fn kernel() {
    printf("a"); printf("b");
    let x = note(note(7u));
    printf("%u", x);
    tell(9u);
    printf("c");
  }`;
  const { seen } = await seenBy(gpu, { source });
  assertEquals(seen, ["ab", "<7>", "<107>", "207", "<9>", "c", "6 packets"]);
});

onDevice("a printf that is refused ends nothing, and the run tells of it", async (gpu) => {
  const source = `${DECLARED} fn kernel() { printf("lost"); _ = note(1u); printf("lost too"); }`;
  const shape = { portCount: 1, laneCount: 1, waveCount: 1, laneBytes: 128 };
  const notes: number[] = [];
  await assertRejects(
    () =>
      runKernel(gpu, {
        ...shape,
        source,
        register: (server) =>
          server.operate(NOTE, (packet) => void notes.push(packet.getUint32(0, 0))),
      }),
    CallError,
  );
  assertEquals(notes, [1]);
});

onDevice("where a kernel keeps a port, each line goes at once", async (gpu) => {
  const session = `fn kernel() {
    printf("a"); printf("b");
    packet_set(0u, 5u); begin(${NOTE}u); recv(); close();
    printf("%u", reply(0u));
  }`;
  assertEquals((await seenBy(gpu, { source: session })).seen.slice(0, 3), ["a", "b", "<5>"]);
});

onDevice("a line that goes at once leaves what the lane has put", async (gpu) => {
  const source = (line: string) =>
    `fn kernel() {
      for (var i = 0u; i < 8u - lane_index; i++) { put("0123"); printf("%u ", i); }
      put("abc");
      printf("${line}%f ", 1.5);
      print();
      printf("%u", reply(0u));
    }`;
  const long = "long ".repeat(20);
  // A stream that holds a line of several packets, and one that is full at last, within a word.
  for (
    const [line, laneCount, streamBytes] of [[long, 2, 112], ["x", 2, 36], ["x", 1, 35]] as const
  ) {
    const shape = { source: source(line), laneBytes: 64, laneCount, streamBytes };
    const { seen } = await seenBy(gpu, shape);
    // Lanes that print at the same time share a write.
    let text = seen.slice(0, -1).join("");
    const take = (piece: string) => {
      assert(text.includes(piece), `${piece} is not in ${text}`);
      text = text.replace(piece, "");
    };
    for (let lane = 0; lane < laneCount; lane++) {
      const own = `${"0123".repeat(8 - lane)}abc`;
      for (const piece of [own, `${line}1.500000 `, `${own.length}`]) take(piece);
      for (let i = 0; i < 8 - lane; i++) take(`${i} `);
    }
    assertEquals(text, "");
  }
});
