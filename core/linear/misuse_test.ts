// deno-lint-ignore-file linear/double-move linear/unchecked-maybe linear/unconsumed-port linear/use-after-move -- what is refused is done on purpose
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { InvariantError } from "../memory/assert.ts";
import type { Packet } from "../memory/packet.ts";
import {
  type Checks,
  ConsumedError,
  type Lent,
  type PartialPort,
  type TypedPort,
  TypedServer,
} from "./mod.ts";
import { assertRules } from "./testdata/rules.ts";
import { makeIncrementPair, OPCODE } from "./testdata/pair.ts";

for (const checks of ["on", "off"] as const) {
  const title = (what: string) => `misuse: ${what}, checks ${checks}`;

  Deno.test(title("send of what was sent"), () => {
    const sent = makeIncrementPair(checks).client.open(OPCODE).send();
    // @ts-expect-error the packet is theirs: there is nothing to send
    assertThrows(() => sent.send(), InvariantError, "sends has its packet");
  });

  Deno.test(title("use of what was sent"), () => {
    const sent = makeIncrementPair(checks).client.open(OPCODE).send();
    // @ts-expect-error the packet is theirs: there is nothing to use
    assertThrows(() => sent.use(() => {}), InvariantError);
  });

  Deno.test(title("recv before send"), () => {
    const port = makeIncrementPair(checks).client.open(OPCODE);
    // @ts-expect-error the packet is mine: there is nothing to wait for
    assertThrows(() => port.recv(), InvariantError, "receives has sent");
  });

  Deno.test(title("query before send"), () => {
    const port = makeIncrementPair(checks).client.open(OPCODE);
    // @ts-expect-error the packet is mine: there is nothing to look for
    assertThrows(() => port.query(), InvariantError, "receives has sent");
  });

  Deno.test(title("a port of the other parity"), () => {
    const opened: PartialPort<true> = makeIncrementPair(checks).client.open(OPCODE);
    // @ts-expect-error which of the two it is was not looked at
    const high: TypedPort<1, 1> = opened;
    assertEquals<number>(high.inbox, 0);
    high.close();
  });

  Deno.test(title("the value of a Maybe that was not looked at"), () => {
    const { client } = makeIncrementPair(checks);
    using _only = client.open(OPCODE);
    const maybe = client.tryOpen(OPCODE);
    // @ts-expect-error there may be no port
    assertThrows(() => maybe.value.close(), InvariantError);
    assertRules("client.tryOpen(1).value.close();", "unchecked-maybe");
  });

  Deno.test(title("the port of an Either that was not looked at"), () => {
    const look = makeIncrementPair(checks).client.open(OPCODE).send().query();
    // @ts-expect-error the packet may still be theirs
    assertThrows(() => look.value.use(() => {}), InvariantError);
    assertRules("client.open(1).send().query().value.close();", "unchecked-maybe");
  });

  Deno.test(title("a port inside its own callback"), () => {
    const { client, plainClient } = makeIncrementPair(checks);
    const port = client.open(OPCODE);
    assertThrows(() => port.use(() => port.close()), InvariantError, "its own callbacks");
    port.close();
    const second = client.open(OPCODE);
    assertThrows(() => second.use(() => void second.send()), InvariantError, "its own callbacks");
    const third = client.open(OPCODE);
    third.use(() => void assertThrows(() => third.send(), InvariantError));
    plainClient.tryOpen(OPCODE)!.close(); // there is one port, and it is free again
    client.assertNoneOpen();
  });

  Deno.test(title("close of what was closed"), () => {
    const port = makeIncrementPair(checks).client.open(OPCODE);
    port.close();
    assertThrows(() => port.close(), InvariantError);
    assertRules("const port = client.open(1); port.close(); port.close();", "double-move");
  });

  Deno.test(title("send of what was closed"), () => {
    const port = makeIncrementPair(checks).client.open(OPCODE);
    port.close();
    assertThrows(() => port.send(), InvariantError);
    assertRules("const port = client.open(1); port.close(); port.send().close();", "double-move");
  });

  Deno.test(title("a closed name when the port is open again"), () => {
    const { client } = makeIncrementPair(checks);
    const first = client.open(OPCODE);
    first.close();
    const second = client.open(OPCODE);
    assertThrows(() => first.close(), InvariantError);
    assertThrows(() => first.use(() => {}), InvariantError);
    second.use(() => {});
    second.close();
    assertRules(
      "const first = client.open(1); first.close(); client.open(1).close(); first.close();",
      "double-move",
    );
  });

  Deno.test(title("a port that is returned by the name of its using"), () => {
    const { client } = makeIncrementPair(checks);
    const begin = () => {
      using port = client.open(OPCODE);
      return port;
    };
    const port = begin();
    assertThrows(() => port.use(() => {}), InvariantError);
    assertThrows(() => port.close(), InvariantError);
    client.assertNoneOpen();
  });

  Deno.test(title("send under the old name"), () => {
    const first = makeIncrementPair(checks).client.open(OPCODE);
    const sent = first.send();
    assertThrows(() => first.send(), InvariantError);
    sent.close();
    assertRules(
      "const first = client.open(1); const sent = first.send(); first.send().close(); sent.close();",
      "double-move",
    );
  });

  Deno.test(title("use under the old name"), () => {
    const first = makeIncrementPair(checks).client.open(OPCODE);
    const sent = first.send();
    assertThrows(() => first.use(() => {}), InvariantError);
    sent.close();
    assertRules(
      "const first = client.open(1); const sent = first.send(); first.use(f); sent.close();",
      "use-after-move",
    );
  });
}

Deno.test("misuse: close under the old name, checks on", () => {
  const { client } = makeIncrementPair();
  const first = client.open(OPCODE);
  const sent = first.send();
  const error = assertThrows(() => first.close(), ConsumedError);
  assertMatch(error.message, /close\(\) came after send\(\) at \S+misuse_test\.ts:\d+:\d+$/);
  sent.close();
  client.assertNoneOpen();
  assertRules(
    "const first = client.open(1); const sent = first.send(); first.close(); sent.close();",
    "double-move",
  );
});

Deno.test("misuse: an old name whose state fits again, checks on", () => {
  const { client, plainServer } = makeIncrementPair();
  const first = client.open(OPCODE);
  const sent = first.send();
  plainServer.runOnce();
  const back = sent.recv();
  assertThrows(() => first.use(() => {}), ConsumedError, "use() came after send()");
  assertThrows(() => sent.recv(), ConsumedError, "recv() came after recv()");
  back.close();
  assertRules(
    "const first = client.open(1); const back = first.send().recv(); first.use(f); back.close();",
    "use-after-move",
  );
});

Deno.test("misuse: a missing close, checks on", () => {
  const { client } = makeIncrementPair();
  const sent = client.open(OPCODE).send();
  const error = assertThrows(() => client.assertNoneOpen(), InvariantError);
  assertMatch(error.message, /still open are port 0, open\(\) at \S+misuse_test\.ts:\d+:\d+$/);
  sent.close();
  assertRules("const port = client.open(1); const sent = port.send();", "unconsumed-port");
});

Deno.test("misuse: a Maybe that nobody looks at, checks on", () => {
  const { client } = makeIncrementPair();
  client.tryOpen(OPCODE);
  assertThrows(() => client.assertNoneOpen(), InvariantError, "in a Maybe: close its value, or");
  assertRules("client.tryOpen(1);", "unconsumed-port");
  assertRules("const maybe = client.tryOpen(1);", "unchecked-maybe");
});

Deno.test("misuse: a packet kept from its callback, checks on", () => {
  const { client } = makeIncrementPair();
  let kept: Packet | undefined;
  const port = client.open(OPCODE);
  port.use((packet) => {
    kept = packet;
  });
  const sent = port.send();
  assertThrows(() => kept!.setUint32(0, 0, 1), InvariantError, "inside the callback");
  sent.close();
  assertRules(
    `let kept; export function keep() {
    const port = client.open(1); port.use((packet) => { kept = packet; }); port.close(); }`,
    "use-after-move",
  );
});

Deno.test("misuse: close of what is lent, checks on", () => {
  const { client } = makeIncrementPair();
  const look = (port: Lent<PartialPort<true>>) => {
    // @ts-expect-error it is not mine to close
    port.close;
    // @ts-expect-error it is not mine to send
    port.send;
    return port.index;
  };
  const port = client.open(OPCODE);
  assertEquals(look(port), 0);
  port.close();
});

/** Calls a handler once: what its client, its server's host and `onMisuse` learn. */
function callOnce(checks: Checks, handler: Parameters<TypedServer["operatePort"]>[1]) {
  const { plainServer, plainClient, faults } = makeIncrementPair();
  const misuses: string[] = [];
  const onMisuse = ({ message }: Error) => misuses.push(message);
  const server = new TypedServer(plainServer, { checks, onMisuse });
  server.operatePort(OPCODE, handler);
  const sent = plainClient.open(OPCODE).send(() => {});
  plainServer.runOnce();
  const causes = faults.map(({ cause }) => (cause as Error | undefined)?.message ?? "no answer");
  return { server, sent, misuses, causes };
}

/** Asserts which rules the body of a handler breaks. */
function assertHandlerRules(body: string, ...rules: readonly string[]): void {
  const program =
    `const server = new TypedServer(s); server.operatePort(1, (port) => { ${body} });`;
  assertRules(program, ...rules);
}

for (const checks of ["on", "off"] as const) {
  const title = (what: string) => `misuse: ${what}, checks ${checks}`;
  const isChecked = checks === "on";

  Deno.test(title("a handler that keeps its port"), () => {
    let kept: PartialPort<true> | undefined;
    const { server, sent, misuses, causes } = callOnce(checks, (port) => {
      kept = port;
    });
    // Nobody serves the rest of the message in one thread; the server's side has it whole.
    assertThrows(
      () => sent.recv(() => {}),
      Error,
      isChecked ? "a handler has co" : "gave no answer",
    );
    assertEquals(misuses, []); // the client knows
    assertEquals(causes.length, 1);
    if (isChecked) {
      assertMatch(causes[0]!, /when it returns: that of operatePort\(\) at \S+_test\.ts:\d+:\d+ /);
      assertThrows(() => kept!.use(() => {}), InvariantError, "before the handler has returned");
      assertThrows(() => server.assertNoneOpen(), InvariantError, "failed 1 times");
    } else sent.close();
    assertHandlerRules("port.use(f);", "unconsumed-port");
  });

  Deno.test(title("a handler that keeps its port after the reply"), () => {
    let kept: PartialPort<false> | undefined;
    const { server, sent, misuses, causes } = callOnce(checks, (port) => {
      kept = port.send();
    });
    sent.recv(() => {}).close(); // answered before anything was wrong
    assertEquals(misuses, causes);
    assertEquals(misuses.length, isChecked ? 1 : 0);
    assertThrows(
      () => kept!.close(),
      InvariantError,
      isChecked ? "handler has returned" : "is open",
    );
    if (isChecked) {
      assertMatch(misuses[0]!, /when it returns: that of operatePort\(\) at \S+_test\.ts:\d+:\d+ /);
      assertThrows(() => server.assertNoneOpen(), InvariantError, misuses[0]);
    }
    assertHandlerRules("port.send();", "unconsumed-port");
  });

  Deno.test(title("a handler that replies twice"), () => {
    const { server, sent, misuses, causes } = callOnce(checks, (port) => {
      port.send().close();
      port.send().close();
    });
    sent.recv(() => {}).close();
    assertEquals(causes.length, 1);
    if (isChecked) {
      assertEquals(misuses, causes);
      assertMatch(misuses[0]!, /send\(\) came after send\(\) at \S+misuse_test\.ts:\d+:\d+$/);
      assertThrows(() => server.assertNoneOpen(), InvariantError, "send() came after send()");
    } else assertMatch(causes[0]!, /a port that sends has its packet/);
    assertHandlerRules("port.send().close(); port.send().close();", "double-move");
  });

  Deno.test(title("use in a handler after its reply"), () => {
    const { server, sent, misuses, causes } = callOnce(checks, (port) => {
      const replied = port.send();
      port.use(() => {});
      replied.close();
    });
    sent.recv(() => {}).close();
    assertEquals(causes.length, 1);
    if (isChecked) {
      assertEquals(misuses, causes);
      assertMatch(misuses[0]!, /use\(\) came after send\(\) at \S+misuse_test\.ts:\d+:\d+$/);
      assertThrows(() => server.assertNoneOpen(), InvariantError, "use() came after send()");
    } else assertMatch(causes[0]!, /the packet is on this side/);
    assertHandlerRules("const sent = port.send(); port.use(f); sent.close();", "use-after-move");
  });
}
