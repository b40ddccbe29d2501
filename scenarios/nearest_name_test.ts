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

Deno.test("knownNames() takes two letters that are swapped for one change, and nothing far for near", () => {
  const nearestOf = (given: string, ...names: readonly string[]) =>
    /nearest is "(.*)"/.exec(knownNames(given, names))?.[1];
  assertEquals(nearestOf("cvs", "table", "csv"), "csv");
  assertEquals(nearestOf("--oot", "--help", "--out"), "--out");
  assertEquals(nearestOf("--secnds", "--scenario", "--seconds"), "--seconds");
  for (const far of ["xml", "--nope", "--fast", "a", "--x", "qwertyuiop", "x".repeat(1e5), "\0"]) {
    assertEquals(nearestOf(far, "table", "csv", "--out", "--help", "--scenario"), undefined, far);
  }
});
