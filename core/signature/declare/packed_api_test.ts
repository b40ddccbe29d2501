import { assertEquals } from "@std/assert";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { connectApi, fn, hostApi, i32 } from "../mod.ts";
import type { FunctionSignature } from "../declaration_types.ts";
import { addServices, demoApi } from "../testdata/demo_api.ts";
import { Length } from "./length.ts";
import { packApi, unpackApi } from "./packed_api.ts";

Deno.test("an API that crossed to another isolate is the same, and serves to call it", () => {
  const again = unpackApi(structuredClone(packApi(demoApi)));
  for (const [key, { name, text, hash, signature }] of Object.entries(demoApi.functions)) {
    const other = again.functions[key]!;
    assertEquals([other.name, other.text, other.hash], [name, text, hash]);
    const lengths = (one: FunctionSignature) =>
      one.parameters.map((parameter) => "length" in parameter ? `${parameter.length}` : "");
    assertEquals(lengths(other.signature), lengths(signature));
  }
  const { client, server } = oneThread({ portCount: 2, laneCount: 64 });
  addServices(server);
  const demo = connectApi(client, again as typeof demoApi);
  assertEquals(demo.hypot(3, 4), 5);
  assertEquals(demo.sum(new Uint8Array(new Float64Array([1, 2]).buffer), 2), 3);
  const { signature } = again.functions.sum!;
  assertEquals((signature.parameters[0] as { length: unknown }).length instanceof Length, true);
});

Deno.test("unpackApi() tells errors with a meaning of their own by their numbers", () => {
  const meaningOf = (errno: number) => ({ code: `OWN${errno}`, text: "its own" });
  const api = hostApi("api", { f: fn([i32], i32, { failsWith: -1, meaningOf }) });
  const { f } = unpackApi(structuredClone(packApi(api))).functions;
  assertEquals([f!.text, f!.hash], [api.functions.f.text, api.functions.f.hash]);
  assertEquals(f!.signature.meaningOf?.(6).code, "6");
});
