// deno-lint-ignore-file linear/double-move linear/unconsumed-port linear/use-after-move -- what is refused is done on purpose
import { assert, assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import { CallError, InvariantError } from "../../mod.ts";
import type { Bit, Not, OwnedPort, PartialPort, SentPort, TypedClient, TypedPort } from "../mod.ts";
import { ConsumedError } from "../mod.ts";
import { makeIncrementPair, makePair, OPCODE } from "../testdata/pair.ts";

/** Compiles only where the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;

Deno.test("TypedPort<Inbox, Outbox> is owned where the bits are equal", () => {
  const truths: readonly [
    Same<TypedPort<0, 0>, OwnedPort<0>>,
    Same<TypedPort<1, 1>, OwnedPort<1>>,
    Same<TypedPort<0, 1>, SentPort<0>>,
    Same<TypedPort<1, 0>, SentPort<1>>,
    Same<TypedPort<Bit, Bit>, PartialPort<boolean>>,
    Same<Not<0>, 1>,
    Same<Not<Bit>, Bit>,
  ] = [true, true, true, true, true, true, true];
  // @ts-expect-error these two are not the same
  const untrue: Same<TypedPort<0, 0>, TypedPort<1, 1>> = true;
  assertEquals<unknown[]>([...truths, untrue], Array(8).fill(true));
});

Deno.test("send, recv and query change the type as they change the mailboxes", () => {
  type Sent = ReturnType<TypedPort<0, 0>["send"]>;
  type Back = ReturnType<Sent["recv"]>;
  type Look = ReturnType<TypedPort<1, 0>["query"]>;
  const truths: readonly [
    Same<Sent, TypedPort<0, 1>>,
    Same<Back, TypedPort<1, 1>>,
    Same<ReturnType<Back["send"]>, TypedPort<1, 0>>,
    Same<Look["value"], TypedPort<1, 0> | TypedPort<0, 0>>,
    Same<ReturnType<TypedClient["open"]>, PartialPort<true>>,
  ] = [true, true, true, true, true];
  assertEquals(truths.length, 5);
});

for (const checks of ["on", "off"] as const) {
  const refusal = checks === "on" ? ConsumedError : InvariantError;

  Deno.test(`query() hands the port on, arrived or not, checks ${checks}`, () => {
    const { client, plainServer } = makeIncrementPair(checks);
    const sent = client.open(OPCODE).send((packet) => packet.setUint32(0, 0, 41));
    const early = sent.query();
    assertEquals(early.arrived, false);
    if (checks === "on") assertThrows(() => sent.close(), refusal, "close() came after query()");
    plainServer.runOnce();
    const late = early.arrived ? undefined : early.value.query();
    if (!late?.arrived) throw new Error("the server has sent");
    late.value.use((packet) => assertEquals(packet.getUint32(0, 0), 42));
    late.value.close();
    client.assertNoneOpen();
  });

  Deno.test(`an operation that throws has closed the port, checks ${checks}`, async () => {
    const { client, plainServer, plainClient } = makePair(checks);
    for (const operation of ["recv", "query"] as const) {
      const refused = client.open(OPCODE).send();
      plainServer.runOnce();
      assertThrows(() => refused[operation](), CallError, "handler");
      assertThrows(() => refused[operation](), refusal);
      client.assertNoneOpen();
      plainClient.open(OPCODE).close();
    }
    const failure = new Error("no data");
    const port = client.open(OPCODE);
    const thrown = assertThrows(() =>
      port.send(() => {
        throw failure;
      })
    );
    assertEquals(thrown, failure);
    assertThrows(() => port.close(), refusal);
    plainClient.open(OPCODE).close();

    const late = client.open(OPCODE).send();
    await assertRejects(() => late.recvAsync(undefined, { timeoutSeconds: 0 }), DOMException);
    client.assertNoneOpen();
    plainServer.runOnce();
    plainClient.open(OPCODE).close();
  });

  Deno.test(`recvAsync() leaves the event loop free, and the port alone, checks ${checks}`, async () => {
    const { client, plainServer } = makeIncrementPair(checks);
    const sent = (await client.openAsync(OPCODE)).send((packet) => packet.setUint32(0, 0, 1));
    const pending = sent.recvAsync((packet) => assertEquals(packet.getUint32(0, 0), 2));
    assertThrows(() => sent.close(), refusal, checks === "on" ? "recvAsync()" : "the port is open");
    plainServer.runOnce();
    (await pending).close();
  });

  Deno.test(`the bits in the type are those of the memory, checks ${checks}`, () => {
    const { client, plainServer } = makeIncrementPair(checks);
    const bits: string[] = [];
    const note = ({ inbox, outbox }: TypedPort<Bit, Bit>) => bits.push(`${inbox}${outbox}`);
    for (let call = 0; call < 2; call++) {
      const opened = client.open(OPCODE);
      note(opened);
      const sent = opened.send();
      note(sent);
      plainServer.runOnce();
      note(sent);
      const back = sent.recv();
      note(back);
      back.close();
    }
    assertEquals(bits, ["00", "01", "01", "11", "11", "10", "10", "00"]);
  });

  Deno.test(`a partial port becomes typed by a look, and is partial again, checks ${checks}`, () => {
    const { client, plainServer } = makeIncrementPair(checks);
    const seen: string[] = [];
    for (let call = 0; call < 2; call++) {
      const partial: PartialPort<true> = client.open(OPCODE);
      let sent: PartialPort<false>;
      if (partial.inbox === 0) {
        const low: TypedPort<0, 0> = partial;
        const lowSent: TypedPort<0, 1> = low.send();
        sent = lowSent;
        seen.push("low");
      } else {
        const high: TypedPort<1, 1> = partial;
        const highSent: TypedPort<1, 0> = high.send();
        sent = highSent;
        seen.push("high");
      }
      plainServer.runOnce();
      const back: PartialPort<true> = sent.recv();
      back.close();
    }
    assertEquals(seen, ["low", "high"]);
  });

  Deno.test(`a function may take either parity, checks ${checks}`, () => {
    const { client, plainServer } = makeIncrementPair(checks);
    const add = <S extends Bit>(port: OwnedPort<S>): OwnedPort<Not<S>> => {
      const sent: SentPort<S> = port.send((packet) => packet.setUint32(0, 0, 41));
      plainServer.runOnce();
      return sent.recv((packet) => assertEquals(packet.getUint32(0, 0), 42));
    };
    add(client.open(OPCODE)).close();
    add(client.open(OPCODE)).close();
  });

  Deno.test(`one name carries the port round a loop, checks ${checks}`, () => {
    const { client, server, plainServer } = makeIncrementPair(checks);
    const rounds = 5;
    server.operatePort(OPCODE, (port) => {
      let owned: PartialPort<true> = port;
      for (let round = 1; round < rounds; round++) {
        const sent = owned.send((packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
        sends.shift()?.();
        owned = sent.recv();
      }
      owned.send((packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1)).close();
    });
    // Both sides run in this isolate: the server's handler calls the client's next step.
    const results: number[] = [];
    let sent: PartialPort<false> = client.open(OPCODE).send((packet) => packet.setUint32(0, 0, 0));
    const step = () => {
      const look = sent.query();
      assert(look.arrived, "the server has sent");
      sent = look.value.send((packet) => results.push(packet.getUint32(0, 0)));
    };
    const sends = Array.from({ length: rounds - 1 }, () => step);
    assertEquals(plainServer.runOnce(), true);
    sent.recv((packet) => results.push(packet.getUint32(0, 0))).close();
    assertEquals(results, [1, 2, 3, 4, 5]);
  });

  Deno.test(`using closes a port where its block ends, checks ${checks}`, () => {
    const { client, plainClient } = makeIncrementPair(checks);
    {
      using port = client.open(OPCODE);
      port.use((packet) => packet.setUint32(0, 0, 1));
      assertEquals(plainClient.tryOpen(OPCODE), undefined);
    }
    const again = plainClient.tryOpen(OPCODE);
    again?.close();
    assertEquals(again?.index, 0);
    client.assertNoneOpen();
  });

  Deno.test(`using leaves a port alone that moved on, checks ${checks}`, () => {
    const { client, plainClient, plainServer } = makeIncrementPair(checks);
    const begin = (): PartialPort<false> => {
      using port = client.open(OPCODE);
      return port.send();
    };
    const round = (): PartialPort<true> => {
      using port = client.open(OPCODE);
      using sent = port.send();
      plainServer.runOnce();
      return sent.recv();
    };
    const sent = begin();
    plainServer.runOnce();
    sent.recv().close();
    const back = round();
    assertEquals(plainClient.tryOpen(OPCODE), undefined);
    back.close();
    client.assertNoneOpen();
  });

  Deno.test(`using closes a port when the block throws, checks ${checks}`, () => {
    const { client, plainClient } = makeIncrementPair(checks);
    const failure = new Error("from the block");
    try {
      using port = client.open(OPCODE);
      port.use(() => {
        throw failure;
      });
    } catch (error) {
      assertEquals(error, failure);
    }
    assertInstanceOf(plainClient.tryOpen(OPCODE)?.close, Function);
  });
}

Deno.test("the states of a call chain as promises", async () => {
  const { client, plainServer } = makeIncrementPair();
  const send = (port: PartialPort<true>) => port.send((packet) => packet.setUint32(0, 0, 41));
  const recv = (sent: PartialPort<false>) => sent.recvAsync();
  const pending = client.openAsync(OPCODE).then(send).then(recv);
  while (!plainServer.runOnce()) await Promise.resolve(); // until the chain has sent
  const back: PartialPort<true> = await pending;
  back.use((packet) => assertEquals(packet.getUint32(0, 0), 42));
  back.close();
});

Deno.test("a promise of a typed port is as exact as the port", () => {
  const exact = async (sent: TypedPort<0, 1>): Promise<TypedPort<1, 1>> => await sent.recvAsync();
  const generic = <S extends Bit>(sent: SentPort<S>): Promise<OwnedPort<Not<S>>> =>
    sent.recvAsync();
  assertEquals([exact.length, generic.length], [1, 1]);
});
