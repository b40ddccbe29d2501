import { assertEquals } from "@std/assert";
import { questionOrder } from "./question_order.ts";

Deno.test("questionOrder() has the main question first, and what is only compared with last", () => {
  const row = (scenario: string, control?: string) => ({
    scenario,
    ...(control !== undefined && { control }),
    timesFasterThan: {},
  });
  const rows = [
    row("ping_pong", "ping_pong"),
    row("linear_cost"),
    row("zebra"),
    row("round_trip", "ping_pong"),
    row("many_clients"),
  ];
  assertEquals(questionOrder(rows), [
    ...["zebra", "round_trip", "many_clients", "linear_cost", "ping_pong"],
  ]);
  assertEquals(questionOrder([]), []);
});
