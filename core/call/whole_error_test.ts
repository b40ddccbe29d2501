import { assert, assertEquals } from "@std/assert";
import { Packet } from "../memory/packet.ts";
import { PacketViews } from "../memory/packet_views.ts";
import { errorReport } from "./error_report.ts";
import {
  cutErrorWriter,
  decodeError,
  encodeError,
  ERROR_LIMIT_BYTES,
  errorReader,
  errorWriter,
} from "./whole_error.ts";

Deno.test("encodeError() and decodeError() keep name, message and stack", () => {
  const error = new RangeError("kein Platz: \0 €".repeat(100));
  assertEquals(decodeError(encodeError(error, ERROR_LIMIT_BYTES)), errorReport(error));
  assertEquals(decodeError(encodeError("text", 100)), {
    name: "Error",
    message: "text",
    stack: "",
  });
});

Deno.test("an error is cut at its end and at whole characters, and never grows beyond its limit", () => {
  const error = new RangeError("ä".repeat(ERROR_LIMIT_BYTES));
  const bytes = encodeError(error, ERROR_LIMIT_BYTES);
  const { name, message, stack } = decodeError(bytes);
  assertEquals([name, stack], ["Error", ""], "what does not fit is left out");
  assert(bytes.length <= ERROR_LIMIT_BYTES && /^ä{32000,}$/.test(message));
  for (let length = 0; length < 40; length++) decodeError(bytes.subarray(0, length));
  const lies = new Uint8Array(20).fill(255);
  assertEquals(decodeError(lies).message, "");
  const small = decodeError(encodeError(new RangeError("x".repeat(52)), 56));
  assertEquals([small.name, small.message], ["Error", "x".repeat(52)], "the message comes first");
  const nameAndMessage = (limitBytes: number) => {
    const { name, message } = decodeError(encodeError(new RangeError("x".repeat(20)), limitBytes));
    return [name, message.length];
  };
  const all = 4 + "RangeError".length + 20;
  assertEquals([all, all - 1].map(nameAndMessage), [["RangeError", 20], ["Error", 20]]);
});

Deno.test("the writers fill one packet, or as many as the error takes", () => {
  const packet = new Packet(
    new PacketViews(new Int32Array(16), { laneCount: 1, packetWords: 16, packetsWord: 0 }),
  );
  packet.aim(0, 1, 0);
  const error = new TypeError("x".repeat(200));
  const cut = cutErrorWriter(error, packet);
  cut.put(packet);
  assertEquals(cut.isDone, true);
  const [writer, reader] = [errorWriter(error), errorReader()];
  while (!writer.isDone) {
    writer.put(packet);
    reader.take(packet);
  }
  assertEquals(decodeError(reader.bytes), errorReport(error));
});
