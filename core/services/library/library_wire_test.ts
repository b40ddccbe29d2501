import { assertEquals } from "@std/assert";
import * as s from "../../signature/mod.ts";
import { crossBack, crossResult, crossValues, wireApi } from "./library_wire.ts";

const pair = s.struct({ count: s.i32, inner: s.struct({ box: s.nullable(s.handle("Box")) }) });
const api = s.hostApi("a", {
  take: s.fn(
    [s.ends("Box|Bag"), s.nullable(s.callback([], s.nothing)), s.pointer("out", pair), s.string],
    s.nullable(s.handle("Box")),
    { failsWith: null },
  ),
  give: s.fn([s.nullable(s.pointer("in", pair)), s.constant(s.i32, 7)], pair),
});

Deno.test("wireApi() has addresses for handles, also in structs, and numbers for callbacks", () => {
  const { take, give } = wireApi(api).functions;
  assertEquals(
    take!.text,
    "a.take(u64, u32, out *{ count: i32, inner: { box: u64 } }, string) -> u64, 0 on failure",
  );
  assertEquals(
    give!.text,
    "a.give(in *{ count: i32, inner: { box: u64 } } or null, i32 = 7) -> { count: i32, inner: { box: u64 } }",
  );
});

Deno.test("what crosses is replaced where it is a handle or a callback, and nowhere else", () => {
  const { take, give } = api.functions;
  const address = (value: unknown) => value === null ? 0n : value as bigint + 1n;
  const crossing = { address, callback: (value: unknown) => value === null ? 0 : 5 };
  const out = { count: 1, inner: { box: null as unknown } };
  assertEquals(crossValues(take, [8n, null, out, "x"], crossing), [
    9n,
    0,
    { count: 1, inner: { box: 0n } },
    "x",
  ]);
  assertEquals(crossValues(give, [null, 7], crossing), [null, 7]);
  crossBack(
    take,
    { from: [0n, 0, { count: 3, inner: { box: 4n } }, "x"], to: [8n, null, out, "x"] },
    address,
  );
  assertEquals(out, { count: 3, inner: { box: 5n } });
  assertEquals(crossResult(take, 4n, address), 5n);
  assertEquals(crossResult(give, { count: 1, inner: { box: 2n } }, address), {
    count: 1,
    inner: { box: 3n },
  });
});
