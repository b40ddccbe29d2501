import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { checkChoice, checkOptionNames, nameHint, nearest } from "./nearest.ts";

Deno.test("nearest() finds a name that one letter was changed, added or left out of", () => {
  const names = ["alpha.open", "beta.close", "gamma.write"];
  for (const [index, name] of names.entries()) {
    for (let place = 0; place < name.length; place++) {
      const [left, right] = [name.slice(0, place), name.slice(place + 1)];
      for (const typo of [left + right, `${left}#${right}`, `${left}#${name[place]}${right}`]) {
        assertEquals(nearest(typo, names), names[index]);
      }
    }
  }
});

Deno.test("nearest() finds the name itself, and nothing among none", () => {
  const some = fc.uniqueArray(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 8 });
  fc.assert(fc.property(some, fc.nat(), (names, which) => {
    const name = names[which % names.length]!;
    assertEquals(nearest(name, names), name);
  }));
  assertEquals(nearest("x", []), undefined);
});

Deno.test("nearest() compares no more than 64 letters of a name", () => {
  const reads: string[] = [];
  const name = new Proxy(new String("x".repeat(1e6)), {
    get: (text, key) => {
      reads.push(String(key));
      const value = Reflect.get(text, key);
      return typeof value === "function" ? value.bind(text) : value;
    },
  }) as unknown as string;
  assertEquals(nearest(name, ["x".repeat(64) + "tail", "y"]), "x".repeat(64) + "tail");
  assertEquals([...new Set(reads)], ["slice"]);
});

Deno.test("nearest() takes two letters that are swapped for one change, and nothing far for near", () => {
  assertEquals(nearest("cvs", ["table", "csv"]), "csv");
  assertEquals(nearest("--oot", ["--help", "--out"]), "--out");
  assertEquals(nearest("POST", ["ping_pong", "post_message"]), "post_message");
  assertEquals(nearest("a", ["A", "ab", "a"]), "a");
  const names = ["table", "csv", "--out", "--help", "--scenario"];
  for (const far of ["xml", "--nope", "--fast", "a", "--x", "qwertyuiop", "x".repeat(1e5), "\0"]) {
    assertEquals(nearest(far, names), undefined, far);
  }
});

Deno.test("nameHint() lists what there is where nothing is near", () => {
  assertEquals(nameHint("cvs", ["table", "csv"]), "did you mean csv");
  assertEquals(nameHint("xml", ["table", "csv"]), "there are table, csv");
  assertEquals(nameHint("xml", []), "there are none");
  const many = Array.from({ length: 20 }, (_, index) => `service_${index}`);
  assertEquals(nameHint("xml", many), `there are ${many.slice(0, 12).join(", ")} and 8 more`);
});

function check(value: unknown): () => void {
  return () => checkChoice("run", { refusals: value }, ["reject", "count"]);
}

Deno.test("checkChoice() takes a choice, or none", () => {
  for (const value of ["reject", "count", undefined]) check(value)();
});

Deno.test("checkChoice() names the choices, and the one that may be meant", () => {
  const list = "Cannot run as refusals must be one of reject, count: current value is ";
  for (
    const [value, told] of [
      ["Reject", "Reject; did you mean reject"],
      ["conut", "conut; did you mean count"],
      ["ignore", "ignore"],
      ["", ""],
      [true, "true"],
      [null, "null"],
    ]
  ) {
    assertEquals(assertThrows(check(value), TypeError).message, `${list}${told}`);
  }
});

Deno.test("checkOptionNames() takes the names that there are, and suggests one of them", () => {
  checkOptionNames("run", { laneCount: 1 }, ["waveCount", "laneCount"]);
  for (
    const [name, hint] of [["wavecount", "did you mean waveCount"], ["zzz", "there are waveCount"]]
  ) {
    assertThrows(
      () => checkOptionNames("run", { [name!]: 1 }, ["waveCount"]),
      TypeError,
      `Cannot run as there is no option ${name}: ${hint}`,
    );
  }
  for (const options of [null, 5, "lane"]) {
    assertThrows(
      () => checkOptionNames("run", options, ["waveCount"]),
      TypeError,
      `Cannot run as there is no option ${options}: there are waveCount`,
    );
  }
});
