import { assertEquals } from "@std/assert";
import { type Bit, type Lent, move, type OwnedPort, type PartialPort } from "../mod.ts";
import { makeIncrementPair, OPCODE } from "../testdata/pair.ts";

function consume(port: PartialPort<true>): void {
  port.close();
}

/** Never called: what is lent is a port, and would be consumed. */
function misuse(lent: Lent<PartialPort<true>>, sent: Lent<PartialPort<false>>): void {
  // @ts-expect-error it is not mine to send
  lent.send();
  // @ts-expect-error it is not mine to receive
  sent.recv();
  // @ts-expect-error it is not mine to look for, which gives it a new name
  sent.query();
  // @ts-expect-error it is not mine to close
  using _closed = lent;
  // @ts-expect-error it is not mine to move
  consume(move(lent));
  // @ts-expect-error a lent port is no port
  consume(lent);
  // @ts-expect-error the packet is theirs
  sent.use(() => {});
}

Deno.test("a Lent port does not compile where it would be consumed", () => {
  assertEquals(misuse.length, 2);
});

Deno.test("every port is a Lent of itself, and stays the caller's", () => {
  const { client, plainServer } = makeIncrementPair();
  const fill = <S extends Bit>(port: Lent<OwnedPort<S>>): S => {
    port.use((packet) => packet.setUint32(0, 0, 41));
    return port.outbox;
  };
  const look = (port: Lent<PartialPort<boolean>>) => port.inbox === port.outbox;
  const port = client.open(OPCODE);
  assertEquals([fill<Bit>(port), look(port)], [0, true]);
  const sent = port.send();
  assertEquals(look(sent), false);
  plainServer.runOnce();
  const back = sent.recv((packet) => assertEquals(packet.getUint32(0, 0), 42));
  assertEquals(look(back), true);
  back.close();
});
