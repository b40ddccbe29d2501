import { assertEquals } from "@std/assert";
import { isLinearModule, isOwnModule } from "./vocabulary.ts";

Deno.test("isLinearModule() knows the places that the names come from", () => {
  const yes = [
    "./linear/mod.ts",
    "../core/linear/typed_client.ts",
    "https://example.org/portlab@1.0.0/core/linear/mod.ts",
    "portlab",
    "@lab/portlab/linear",
    "@acme/portlab-client",
    "./my_linear_ports.ts",
    "linearPorts",
    "../../mod.ts",
    "./typed_port.ts",
    "./maybe.ts",
  ];
  const no = ["@scope/typed-client", "./client.ts", "mode", "@std/assert"];
  assertEquals(yes.filter((specifier) => !isLinearModule(specifier)), []);
  assertEquals(no.filter(isLinearModule), []);
});

Deno.test("isOwnModule() knows the modules of the program itself", () => {
  const yes = ["./rpc.ts", "../net/rpc.ts", "/src/rpc.ts", "@/rpc.ts", "~/rpc", "#rpc", "$/rpc.ts"];
  const no = ["@scope/rpc", "https://example.org/rpc.ts", "rpc"];
  assertEquals(yes.filter((specifier) => !isOwnModule(specifier)), []);
  assertEquals(no.filter(isOwnModule), []);
});
