import { assertEquals, assertThrows } from "@std/assert";
import { LIMITS, type Limits, limitsOf } from "./sandbox_limits.ts";

Deno.test("limitsOf() takes numbers within their bounds, which the guide has", () => {
  const page = Deno.readTextFileSync(new URL("../../../docs/sandbox.md", import.meta.url));
  const shown = (value: number) => {
    const power = [40, 30, 20, 10].find((bits) => value >= 2 ** bits && value % 2 ** bits === 0);
    const unit = { 40: "TiB", 30: "GiB", 20: "MiB", 10: "KiB" }[power ?? 0];
    return unit ? `${value / 2 ** power!} ${unit}` : value === 1e9 ? "1e9" : String(value);
  };
  for (const [name, [usual, least, most]] of Object.entries(LIMITS)) {
    const isTime = name.endsWith("Seconds");
    for (const value of [-1, NaN, "4", least - 0.001, most + 1, ...isTime ? [] : [least + 0.5]]) {
      const demand = `${name} must be ${
        isTime ? "a number of seconds" : "an integer"
      } from ${least} to ${most}`;
      assertThrows(
        () => limitsOf({ [name]: value }),
        RangeError,
        `Cannot limit a guest as ${demand}${
          isTime ? ", or Infinity" : ""
        }: current value is ${value}`,
      );
    }
    for (const value of [least, most, undefined, ...isTime ? [Infinity] : []]) {
      assertEquals(limitsOf({ [name]: value })[name as keyof Limits], value ?? usual);
    }
    const bytes = name.endsWith("Bytes") ? shown : String;
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\``)) ?? "";
    const cells = row.split("|").map((cell) => cell.trim());
    const bounds = `${bytes(least)} to ${most === 1e9 ? "1e9" : bytes(most)}`;
    assertEquals([cells[3], cells[4]], [bytes(usual), bounds], name);
  }
});
