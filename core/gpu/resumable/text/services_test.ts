import { assertEquals } from "@std/assert";
import { KernelModule } from "./kernel_module.ts";

Deno.test("servicesOf() reads signatures, and how many words each parameter takes", () => {
  const { services, tokens } = new KernelModule(`
    const TURN = 40000u;
    @service(TURN + 1) fn turn(v: vec3f, @other half: bool) -> vec2u;
    @cast @service(40002) fn tell();
    fn own(a: u32) -> u32 { return a; }
    fn kernel() {}`);
  assertEquals([...services.keys()], ["turn", "tell"]);
  const { opcode, isCast, parameters, result } = services.get("turn")!;
  const opcodeText = tokens.slice(opcode.start, opcode.end).map(({ text }) => text).join(" ");
  assertEquals([opcodeText, isCast, result?.name], ["TURN + 1", false, "vec2"]);
  assertEquals(parameters.map(({ name, words }) => [name, words.length]), [["v", 3], ["half", 1]]);
  const tell = services.get("tell")!;
  assertEquals([tell.isCast, tell.parameters, tell.result], [true, [], undefined]);
});
