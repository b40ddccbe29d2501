import { assertEquals } from "@std/assert";
import fc from "fast-check";
import services from "./testdata/services.wgsl" with { type: "text" };
import { onDevice } from "../device/on_device_test.ts";
import { differences } from "./testdata/both_ways.ts";

const SEED = 20_261;
const MODULES = 2;
const PROGRAMS_PER_MODULE = 3;
const HELPERS = 2;

/** Builds programs of decisions: each number says which way to go on. */
class ProgramText {
  readonly #decisions: readonly number[];
  readonly #name: string;
  #next = 0;
  #loops = 0;

  constructor(decisions: readonly number[], name: string) {
    this.#decisions = decisions;
    this.#name = name;
  }

  /** Helpers, each of which may call those before it, and the case. */
  text(): string {
    const helpers = Array.from(
      { length: HELPERS },
      (_, at) =>
        `fn ${this.#name}_${at}(a: u32, b: u32) -> u32 {
  var c = a;
  var d = 1u;
${this.#statements(2, { helpers: at, isValued: true, inLoop: false })}
  return ${this.#value(1, at)};
}`,
    );
    return `${helpers.join("\n")}
fn case_${this.#name}() {
  let a = lane_index;
  var b = 2u;
  var c = lane_index + 1u;
  var d = 0u;
  var list = array<u32, 4>(1u, a, 3u, c);
${this.#statements(3, { helpers: HELPERS, isValued: false, inLoop: false })}
  store(a + b * 3u + c * 5u + d * 7u + list[1] + list[3]);
}
`;
  }

  /** One of so many. Later decisions are 0, which ends everything soon. */
  #pick(count: number): number {
    return (this.#decisions[this.#next++] ?? 0) % count;
  }

  #name_(): string {
    return ["c", "d"][this.#pick(2)]!;
  }

  #value(depth: number, helpers: number): string {
    const value = () => this.#value(depth - 1, helpers);
    if (depth === 0) return ["a", "b", "c", "d", "3u", "1u"][this.#pick(6)]!;
    switch (this.#pick(9)) {
      case 0:
        return `(${value()} + ${value()})`;
      case 1:
        return `(${value()} ^ ${value()})`;
      case 2:
        return `square(${value()} & 15u)`;
      case 3:
        return `half_of(${value()})`;
      case 4:
        return `min(${value()}, ${value()})`;
      case 5:
        return `select(${value()}, ${value()}, ${this.#condition(depth - 1, helpers)})`;
      case 6:
        if (helpers > 0) return `${this.#name}_${this.#pick(helpers)}(${value()}, ${value()})`;
        return value();
      case 7:
        return `set_word(${value()})`;
      default:
        return `(${value()} + read_word())`;
    }
  }

  #condition(depth: number, helpers: number): string {
    const value = () => this.#value(Math.max(0, depth - 1), helpers);
    const condition = () => this.#condition(depth - 1, helpers);
    if (depth <= 0) return `${value()} < ${value()}`;
    switch (this.#pick(5)) {
      case 0:
        return `(${condition()} && ${condition()})`;
      case 1:
        return `(${condition()} || ${condition()})`;
      case 2:
        return `!(${condition()})`;
      case 3:
        return `is_odd(${value()})`;
      default:
        return `${value()} % 3u == 1u`;
    }
  }

  #statements(depth: number, place: Place): string {
    const count = 1 + this.#pick(4);
    return Array.from({ length: count }, () => this.#statement(depth, place)).join("\n");
  }

  #statement(depth: number, place: Place): string {
    const { helpers, isValued } = place;
    const value = () => this.#value(2, helpers);
    const inside = (inLoop = place.inLoop) => this.#statements(depth - 1, { ...place, inLoop });
    switch (this.#pick(depth === 0 ? 5 : 12)) {
      case 0:
        return `${this.#name_()} = ${value()};`;
      case 1:
        return `${this.#name_()} ${["+=", "^=", "|="][this.#pick(3)]} ${value()};`;
      case 2:
        return `note(${value()});`;
      case 3:
        return `store(${value()});`;
      case 4: {
        const condition = this.#condition(2, helpers);
        const ways = [`return${isValued ? ` ${value()}` : ""};`, "break;", "continue;"];
        return `if ${condition} { ${ways[this.#pick(place.inLoop ? 3 : 1)]} }`;
      }
      case 5:
        return `if ${this.#condition(2, helpers)} {\n${inside()}\n}`;
      case 6:
        return `if ${this.#condition(2, helpers)} {\n${inside()}\n} else {\n${inside()}\n}`;
      case 7: {
        const i = `i${this.#loops++}`;
        return `for (var ${i} = 0u; ${i} < ${1 + this.#pick(3)}u; ${i}++) {\n${inside(true)}\n}`;
      }
      case 8: {
        const i = `i${this.#loops++}`;
        return `var ${i} = 0u; loop {\n${inside(true)}\ncontinuing { ${i}++; ${this.#name_()} += 1u;
          break if ${i} > 1u || ${this.#condition(1, helpers)}; } }`;
      }
      case 9: {
        const i = `i${this.#loops++}`;
        return `var ${i} = 0u; while ${i} < 3u && ${this.#condition(1, helpers)} { ${i}++;\n${
          inside(true)
        }\n}`;
      }
      case 10:
        return `switch ${value()} % 3u { case 0u: {\n${inside(false)}\n} case 1u, default: {\n${
          inside(false)
        }\n} }`;
      default:
        return `{ let ${this.#name_()} = ${value()}; var b = ${value()};\n${inside()}\nb = square(b & 3u); store(b); }`
          .replace(/\b(?:let) (\w)/, "var $1");
    }
  }
}

interface Place {
  readonly helpers: number;
  /** Whether the function gives a value back. */
  readonly isValued: boolean;
  readonly inLoop: boolean;
}

const programs = fc.array(fc.array(fc.nat(9999), { minLength: 160, maxLength: 160 }), {
  minLength: PROGRAMS_PER_MODULE,
  maxLength: PROGRAMS_PER_MODULE,
});

onDevice(
  `random kernels do what the same text does as a plain shader, seed ${SEED}`,
  async (gpu) => {
    for (const module of fc.sample(programs, { seed: SEED, numRuns: MODULES })) {
      const names = module.map((_, at) => `program${at}`);
      const texts = module.map((decisions, at) => new ProgramText(decisions, names[at]!).text());
      const text = services + texts.join("");
      const cases = names.map((name) => `case_${name}`);
      assertEquals(await differences(gpu, text, { cases }), [], text);
    }
  },
);
