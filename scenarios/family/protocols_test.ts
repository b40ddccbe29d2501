import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../core/mod.ts";
import { FAMILY, type FamilyProtocol } from "./protocols.ts";

Deno.test("FAMILY has every folder of core that is a protocol", () => {
  const core = new URL("../../core/", import.meta.url);
  const protocols = [...Deno.readDirSync(core)].map(({ name }) => name).filter((name) =>
    isFile(new URL(`${name}/PROTOCOL.md`, core))
  );
  assertEquals(Object.keys(FAMILY).toSorted(), protocols.toSorted());
});

for (const [name, protocol] of Object.entries<FamilyProtocol>(FAMILY)) {
  Deno.test(`${name} has nothing to serve before a call, and no call after the end`, () => {
    const shape = { portCount: 2, laneCount: 1 };
    const channel = protocol.create(shape);
    const attached = protocol.attach(channel.handle as never, shape);
    assertEquals(attached.server().serveOnce(), false);
    attached.stop();
    assertThrows(() => channel.caller().call(1), CallError);
  });
}

function isFile(url: URL): boolean {
  try {
    return Deno.statSync(url).isFile;
  } catch {
    return false;
  }
}
