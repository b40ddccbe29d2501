import { assert } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { randomGenerator } from "../random.ts";
import { INCREMENT } from "./family_opcodes.ts";
import { FAMILY } from "./protocols.ts";

const SEED_COUNT = 300;
const SPOILED_WORDS = 40;
const OPERATIONS = 12;

/** Runs something bounded; the only bad end that garbage may have is a `CallError`. */
function unlessRefused(operation: () => unknown): void {
  try {
    operation();
  } catch (error) {
    assert(error instanceof CallError, `${error}`);
  }
}

for (const [name, { create }] of Object.entries(FAMILY)) {
  Deno.test(`${name}: garbage in memory neither ends nor holds up a server or a client`, () => {
    for (let seed = 1; seed <= SEED_COUNT; seed++) {
      const random = randomGenerator(seed * 0x9e3779b1);
      const channel = create(3);
      const server = channel.server();
      server.operate(INCREMENT, (value) => value + 1);
      const client = channel.client();
      const words = new Int32Array(channel.handle.buffer);
      for (let operation = 0; operation < OPERATIONS; operation++) {
        for (let count = 0; count < SPOILED_WORDS; count++) {
          const value = [0, 1, 2, -1, 3 << 30, random() | 0][random() % 6]!;
          words[random() % words.length] = value;
        }
        unlessRefused(() => client.tryCast(INCREMENT, operation));
        unlessRefused(() => server.runOnce());
      }
    }
  });
}
