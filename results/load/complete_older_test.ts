import { assertEquals } from "@std/assert";
import type { RunRecord, UnmeasuredPoint } from "../../bench/record/record.ts";
import { sampleRecord, sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import { pointId } from "../../scenarios/axis.ts";
import { scenarios } from "../../scenarios/registry.ts";
import { hasFixedFloor, smallestPoint } from "../../scenarios/scenario.ts";
import { completeOlder } from "./complete_older.ts";

/** The sample as version 2 had it. */
function older(change: Partial<RunRecord>): RunRecord {
  const { callsPerTurn: _, targets: __, hasPairFloor: ___, hasFixedFloor: ____, ...rest } =
    sampleRecord;
  const { repeatArguments: _____, ...line } = { ...rest, recordVersion: 2, ...change };
  return line as RunRecord;
}

Deno.test("completeOlder() knows of this project's scenarios what they were when version 3 came", () => {
  for (const scenario of scenarios) {
    const { name, floor, targets = [], mainReference, callsPerTurn, axes } = scenario;
    const point = smallestPoint(scenario);
    const control = floor === undefined ? {} : { control: floor.name };
    const { control: _, ...rest } = older({ scenario: name, point, pointId: pointId(axes, point) });
    const completed = completeOlder({ ...rest, ...control } as RunRecord) as RunRecord;
    assertEquals(completed.recordVersion, 3);
    assertEquals(completed.targets, targets as RunRecord["targets"], name);
    assertEquals(completed.callsPerTurn, callsPerTurn?.(point) ?? 1, name);
    assertEquals(completed.mainReference, mainReference, name);
    assertEquals(completed.hasPairFloor, floor?.isPair === true, name);
    assertEquals(completed.hasFixedFloor, hasFixedFloor(scenario), name);
    assertEquals(completed.repeatArguments.slice(0, 2), ["--scenario", name]);
    assertEquals(completed.warnings, []);
  }
});

Deno.test("completeOlder() says what nobody knows of a scenario of others", () => {
  const commandLine = ["--rounds", "2", "--scenario=ping_pong,./mine.ts"];
  const mine = completeOlder(older({ scenario: "mine", commandLine })) as RunRecord;
  assertEquals([mine.callsPerTurn, mine.targets], [1, []]);
  assertEquals(mine.warnings, [
    "Records of version 2 say neither the targets of a scenario nor how many calls a turn of it is: " +
    "a call is a turn here, and nothing is judged",
  ]);
  assertEquals(mine.repeatArguments, [
    ...["--scenario", "./mine.ts", "--point", sampleRecord.pointId],
  ]);
  const name = completeOlder(older({ scenario: "constructor" })) as RunRecord;
  assertEquals(name.repeatArguments[1], "constructor");
  const peers = older({ scenario: "peers", commandLine: ["--scenario", "bench/peers/peers.ts"] });
  assertEquals(completeOlder(peers).repeatArguments[1], "bench/peers/peers.ts");
});

Deno.test("completeOlder() leaves lines of version 3, and completes points without samples", () => {
  assertEquals(completeOlder(sampleRecord), sampleRecord);
  const { repeatArguments, ...rest } = sampleUnmeasured;
  const line = { ...rest, recordVersion: 2 } as UnmeasuredPoint;
  assertEquals(completeOlder(line), { ...sampleUnmeasured, repeatArguments });
});
