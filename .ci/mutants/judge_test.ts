import { assertEquals } from "@std/assert";
import { failureOf } from "./judge.ts";

const files = ["core/a_test.ts", "core/testing/model/b_model_test.ts"];
const FAILED = `running 2 tests from ./core/testing/model/b_model_test.ts
 ERRORS

model: one => ./core/testing/model/b_model_test.ts:3:6
error: AssertionError: one is wrong
`;
const NOT_FOUND = `
model: two => ./core/testing/model/b_model_test.ts:9:6
error: Error: Cannot change core/wait/hint.ts: it must be there once
`;
const NOTHING_LOADED = `running 0 tests from ./core/testing/model/b_model_test.ts
 ERRORS

./core/testing/model/b_model_test.ts (uncaught error)
error: (in promise) Error: Cannot change core/wait/hint.ts: it must be there once
`;

function of(text: string, isLate = false) {
  return failureOf({ text, isGood: false, isLate }, { files });
}

Deno.test("a test that fails kills the mutant, and is named with its file", () => {
  const path = "core/testing/model/b_model_test.ts";
  assertEquals(of(FAILED), { verdict: "killed", by: `${path}: model: one`, path });
  assertEquals(failureOf({ text: "", isGood: true, isLate: false }, { files }), undefined);
});

Deno.test("a model that cannot look says nothing, and takes nothing from what others say", () => {
  assertEquals(of(NOTHING_LOADED), undefined);
  assertEquals(of(` ERRORS\n${NOT_FOUND}`), undefined);
  assertEquals(of(FAILED + NOT_FOUND)?.verdict, "killed");
  assertEquals(of(FAILED.replace("ERRORS\n", `ERRORS\n${NOT_FOUND}`))?.by.endsWith("one"), true);
});

Deno.test("a hang kills, and a kernel that does not compile is refused", () => {
  assertEquals(of(FAILED, true)?.by, "a hang in core/testing/model/b_model_test.ts");
  assertEquals(of("x => ./core/a_test.ts:1:2\nShader validation error")?.verdict, "refused");
});
