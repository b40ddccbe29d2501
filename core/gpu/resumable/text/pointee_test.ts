import { assertEquals } from "@std/assert";
import { KernelModule } from "./kernel_module.ts";
import { pointeeOf } from "./pointee.ts";
import { resolveFunction } from "./resolve_names.ts";

Deno.test("pointeeOf() follows pointers to the variable that they lead to, or into", () => {
  const module = new KernelModule(`var<private> shared_a: u32;
    fn kernel() {
      var a: array<vec2u, 2>; let p = &a; let q = (p); let r = &(*q); let s = &(*r)[1];
      let t = &s.x; let u = &shared_a; let v = a; let w = v[0].x; var x = 1u; { var a = 2u; let b = &a; }
    }`);
  resolveFunction(module, module.suspending.get("kernel")!);
  const variables = [...new Set(module.names.values())];
  const found = variables.flatMap((pointer) => {
    const pointee = pointeeOf(module, pointer);
    const at = pointee && variables.indexOf(pointee.variable);
    return pointee ? [`${pointer.name} ${at} ${pointee.isWhole}`] : [];
  });
  assertEquals(found, ["p 0 true", "q 0 true", "r 0 true", "s 0 false", "t 0 false", "b 10 true"]);
});
