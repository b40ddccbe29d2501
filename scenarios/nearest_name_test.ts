import { assertEquals } from "@std/assert";
import { knownNames } from "./nearest_name.ts";

Deno.test("knownNames() finds a name that contains the text, or the one with the fewest letters to change", () => {
  const names = ["ping_pong", "post_message", "round_trip"];
  const nearest = Object.entries({
    pingpong: "ping_pong",
    "round-trips": "round_trip",
    POST: "post_message",
  });
  for (const [given, name] of nearest) {
    assertEquals(knownNames(given, names), `${names.join(", ")}; the nearest is "${name}"`);
  }
  assertEquals(knownNames("laneCount", []), "none");
  assertEquals(knownNames("", names), names.join(", "));
});
