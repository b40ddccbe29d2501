import { assertEquals } from "@std/assert";
import { SharedWords, type Words } from "../memory/words.ts";
import { PacketStack } from "./packet_stack.ts";
import { TaggedLinks } from "./tagged_link.ts";

const COUNT = 3;
const links = new TaggedLinks(COUNT);

function stackOver(words: Words): PacketStack {
  return new PacketStack(words, { topWord: 0, nextWord: 1 }, links);
}

function begin() {
  const words = new SharedWords(new SharedArrayBuffer(16));
  return { words, stack: stackOver(words) };
}

Deno.test("PacketStack: the last packet that was put on is taken off first", () => {
  const { stack } = begin();
  assertEquals([stack.tryPop(), stack.hasAny], [undefined, false]);
  for (const index of [2, 0, 1]) stack.push(index, links.link(index, 0));
  assertEquals(stack.hasAny, true);
  assertEquals([stack.tryPop(), stack.tryPop(), stack.tryPop()], [1, 0, 2]);
  assertEquals(stack.tryPop(), undefined);
});

Deno.test("PacketStack.takeAll() gives the order in which they were put on", () => {
  const { stack } = begin();
  for (const index of [2, 0, 1]) stack.push(index, links.link(index, 0));
  assertEquals(stack.takeAll(COUNT), [2, 0, 1]);
  assertEquals(stack.takeAll(COUNT), []);
});

Deno.test("PacketStack: links that are none, or lead round, end the walk", () => {
  const { words, stack } = begin();
  words.store(0, 3 << 10);
  assertEquals([stack.tryPop(), stack.takeAll(COUNT)], [undefined, []]);
  words.store(0, links.link(1, 0));
  words.store(2, links.link(1, 0));
  assertEquals(stack.takeAll(COUNT), [1, 1, 1]);
});

/** Two packets lie on the stack, 0 on top. Another thread gets in before our compare-exchange. */
function popWithOtherBetween(tagOf: (freedCount: number) => number) {
  const { words, stack: other } = begin();
  for (const index of [1, 0]) other.push(index, links.link(index, 0));
  let isBetween = true;
  const ours = stackOver(
    new Proxy(words, {
      get(target, name) {
        if (name === "compareExchange" && isBetween) {
          isBetween = false;
          other.tryPop();
          other.tryPop();
          other.push(0, links.link(0, tagOf(1)));
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    }),
  );
  return { popped: ours.tryPop(), left: other.tryPop() };
}

Deno.test("PacketStack: the tag keeps a pop from putting a packet back that another has (ABA)", () => {
  // The other keeps packet 1. Packet 0 was freed once more, so that its link is another.
  assertEquals(popWithOtherBetween((freedCount) => freedCount), { popped: 0, left: undefined });
});

Deno.test("PacketStack: without the tag, a packet that another has is on the stack again (ABA)", () => {
  assertEquals(popWithOtherBetween(() => 0), { popped: 0, left: 1 });
});
