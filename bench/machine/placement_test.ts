import { assertEquals } from "@std/assert";
import { allowedCpus, keepOnCpus } from "../../scenarios/partner/affinity.ts";
import { Partner } from "../../scenarios/partner/partner.ts";
import { choosePlacement, parseCpuList, placeApart } from "./placement.ts";

Deno.test("choosePlacement() takes two cores where there are, siblings where not", () => {
  const pairs = (cpu: number) => [cpu & ~1, cpu | 1];
  assertEquals(choosePlacement([0, 1, 2, 3], pairs), {
    clientCpu: 1,
    partnerCpu: 3,
    areSiblings: false,
  });
  assertEquals(choosePlacement([2, 3], pairs), { clientCpu: 2, partnerCpu: 3, areSiblings: true });
  assertEquals(choosePlacement([5], pairs), undefined);
  assertEquals(choosePlacement([], pairs), undefined);
});

Deno.test("parseCpuList() reads single processors and ranges", () => {
  assertEquals(parseCpuList("0-2,8\n"), [0, 1, 2, 8]);
  assertEquals(parseCpuList("7"), [7]);
});

Deno.test("placeApart() keeps the two threads on two processors, where there are two", async () => {
  const before = allowedCpus();
  await using partner = new Partner();
  try {
    const placement = await placeApart(partner);
    assertEquals(placement === undefined, before.length < 2);
    if (placement) assertEquals(allowedCpus(), [placement.clientCpu]);
  } finally {
    keepOnCpus(before);
  }
});
