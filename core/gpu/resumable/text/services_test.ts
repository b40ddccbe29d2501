import { assertEquals } from "@std/assert";
import { KernelModule } from "./kernel_module.ts";
import { serviceNames } from "./services.ts";

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

Deno.test("serviceNames() are what the author calls functions of the host", () => {
  const module = new KernelModule(`
    const TURN = 0x9c40u; // const TURN = 1;
    @service(TURN + 1) fn turn();
    @service(40001u) fn again();
    @service(40002) fn files_fread_call() -> u32;
    fn fread() -> u32 { return files_fread_call(); }
    @service(40003) fn lonely_call();
    @service(OPCODE_NOOP + 9) fn unknown();
    fn helper() { turn(); }
    fn kernel() { _ = fread(); again(); helper(); _ = fread();
      _ = fread(); again(); // turn()
      turn();
      turn(); }`);
  assertEquals([...serviceNames(module)].filter(([opcode]) => opcode >= 40_000), [
    [40_001, { name: "turn or again", place: "in line 9, 10, 11 or 2 others" }],
    [40_002, { name: "fread", place: "in line 10 or 11" }],
    [40_003, { name: "lonely_call", place: "" }],
  ]);
});
