import { assertEquals, assertThrows } from "@std/assert";
import { CrewGate } from "./fork_join.ts";

Deno.test("CrewGate hands the same order to every member, and each order once", () => {
  const captain = new CrewGate();
  const members = [1, 2].map(() => new CrewGate(captain.buffer));
  for (const callCount of [10, 0, 7]) {
    captain.order({ callCount, memberCount: members.length });
    for (const member of members) {
      assertEquals(member.nextOrder(), callCount);
      member.reportDone();
    }
    captain.awaitDone();
  }
  captain.stop();
  assertEquals(members.map((member) => member.nextOrder()), [-1, -1]);
});

Deno.test("CrewGate.awaitDone() throws in the words of the member that failed", () => {
  const captain = new CrewGate();
  captain.order({ callCount: 1, memberCount: 2 });
  new CrewGate(captain.buffer).reportFailed("the server was shut down");
  assertThrows(() => captain.awaitDone(), Error, "the server was shut down");
});
