import { assert, assertEquals } from "@std/assert";
import { allowedCpus, keepOnCpus } from "./affinity.ts";
import { Partner } from "./partner.ts";

Deno.test("keepOnCpus() keeps the thread there, until it is told otherwise", () => {
  const before = allowedCpus();
  if (before.length === 0) return assertEquals(keepOnCpus([0]), false);
  try {
    for (const cpu of before.slice(0, 3)) {
      assert(keepOnCpus([cpu]));
      assertEquals(allowedCpus(), [cpu]);
    }
  } finally {
    keepOnCpus(before);
  }
  assertEquals(allowedCpus(), before);
});

Deno.test("keepOnCpus() says when there is no such processor", () => {
  const before = allowedCpus();
  assertEquals(keepOnCpus([1023]), false);
  assertEquals(allowedCpus(), before);
});

Deno.test("Partner.keepOnCpu() moves the partner and nobody else", async () => {
  await using partner = new Partner();
  const before = allowedCpus();
  assertEquals(await partner.keepOnCpu(before[0] ?? 0), before.length > 0);
  assertEquals(allowedCpus(), before);
});
