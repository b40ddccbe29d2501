import { assertEquals } from "@std/assert";
import { isLinear, isLinearModule } from "./vocabulary.ts";

Deno.test("isLinearModule() knows the places that the names come from", () => {
  const yes = [
    "./linear/mod.ts",
    "../core/linear/typed_client.ts",
    "https://example.org/portlab@1.0.0/core/linear/mod.ts",
    "portlab",
    "@lab/portlab/linear",
    "../../mod.ts",
    "./typed_port.ts",
    "./maybe.ts",
  ];
  const no = [
    "@scope/typed-client",
    "./client.ts",
    "collinear/matrix.ts",
    "./linearity.ts",
    "mode",
  ];
  assertEquals(yes.filter((specifier) => !isLinearModule(specifier)), []);
  assertEquals(no.filter(isLinearModule), []);
});

Deno.test("isLinear() is true of what must be consumed", () => {
  assertEquals((["port", "maybe", "either"] as const).every(isLinear), true);
  assertEquals((["client", "server", "handler", undefined] as const).some(isLinear), false);
});
