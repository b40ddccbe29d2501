import { assertThrows } from "@std/assert";
import { f64, fn, hostApi } from "../../signature/mod.ts";
import { Packet } from "../../memory/packet.ts";
import { PacketViews } from "../../memory/packet_views.ts";
import { Channel } from "../../toggle/channel.ts";
import { functionWork, hostLibrary } from "./host_functions.ts";
import { runText } from "./run_text.ts";

const SHAPES = `
  struct Place { at: vec2f, isOpen: bool, counts: array<i32, 2> }
  @service fn turned(place: Place, m: mat2x3f, u: vec3u, flag: bool) -> Place;`;

const ANSWER = { at: [-2, 0.1], isOpen: false, counts: new Int32Array([-(2 ** 31), 3]) };

Deno.test("a result that does not fit fails the call, and says where", () => {
  const faults = [
    [undefined, "the result of turned must be an object: current value is undefined"],
    [{ ...ANSWER, at: [1] }, "the result of turned.at must be 2 values: current value is 1"],
    [{ ...ANSWER, at: "ab" }, "the result of turned.at must be 2 values: current value is ab"],
    [{ ...ANSWER, at: [1, "2"] }, "the result of turned.at[1] must be a number, f32"],
    [{ ...ANSWER, isOpen: 1 }, "the result of turned.isOpen must be true or false"],
    [{ ...ANSWER, isOpen: null }, "current value is null"],
    [
      { ...ANSWER, counts: [0, 0.5] },
      "counts[1] must be an integer from -2147483648 to 2147483647, i32: current value is 0.5",
    ],
    [{ ...ANSWER, counts: [2 ** 31, 0] }, "counts[0] must be an integer from -2147483648 to"],
  ] as const;
  const { layout, words } = Channel.create({ portCount: 1, laneCount: 1, laneBytes: 128 });
  const packet = new Packet(new PacketViews(words.plain, layout));
  packet.aim(0, 1, 0);
  const { text: { types }, services } = runText(SHAPES, { apis: [], laneWords: 32 });
  for (const [result, reason] of faults) {
    const work = functionWork(types, services[0]!, () => result);
    assertThrows(() => void work(packet), TypeError, reason);
  }
  const { services: [count] } = runText("@service fn count() -> u32;", { apis: [], laneWords: 32 });
  const reason = "the result of count must be an integer from 0 to 4294967295, u32: current";
  assertThrows(() => void functionWork(types, count!, () => -1)(packet), TypeError, reason);
});

Deno.test("hostLibrary() refuses what its API does not have", () => {
  const math = hostApi("math", { hypot: fn([f64, f64], f64) });
  const { hypot } = Math;
  assertThrows(
    () => hostLibrary(math, { hypot, hipot: hypot } as never),
    TypeError,
    "Cannot serve math as it has no function hipot: did you mean hypot",
  );
  assertThrows(
    () => hostLibrary(math, { hypot: 3 } as never),
    TypeError,
    "Cannot serve math.hypot as there must be a function: current value is 3",
  );
  assertThrows(() => hostLibrary({} as never, {}), TypeError, "hostApi() must make it");
});
