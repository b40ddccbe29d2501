import { assertEquals, assertNotEquals } from "@std/assert";
import { SharedWords, type Words } from "../memory/words.ts";
import { PACKET_STACKS } from "./packet_stacks.ts";
import { NO_LINK, PacketStack, Stacks, TaggedLinks } from "./stacks.ts";

Deno.test("TaggedLinks: a link gives its packet back, whatever its tag", () => {
  for (
    const [packetCount, tagBits] of [[1, 31], [2, 30], [3, 30], [64, 25], [16384, 17]] as const
  ) {
    const links = new TaggedLinks(packetCount);
    for (const index of [0, packetCount >> 1, packetCount - 1]) {
      for (const tag of [0, 1, 77, 2 ** tagBits - 1, 2 ** 31]) {
        assertEquals(links.indexOf(links.link(index, tag)), index);
      }
    }
  }
});

Deno.test("TaggedLinks: links to a packet differ until its tag has gone round", () => {
  for (const [packetCount, tagBits] of [[1, 31], [5, 29], [16384, 17]] as const) {
    const links = new TaggedLinks(packetCount);
    assertNotEquals(links.link(0, 0), links.link(0, 2 ** (tagBits - 1)));
    assertEquals(links.link(0, 0), links.link(0, 2 ** tagBits % 2 ** 32));
  }
});

Deno.test("TaggedLinks: an invalid link names no packet", () => {
  const links = new TaggedLinks(5);
  assertEquals(links.indexOf(NO_LINK), undefined);
  assertEquals(links.indexOf(6), undefined);
  assertEquals(links.indexOf(1 << 20), undefined, "a tag without a packet");
});

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

Deno.test("PacketStack: invalid links, or links in a circle, end the walk", () => {
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

Deno.test("Stacks: a packet comes back by the ready stack, in the order of the pushes", () => {
  const stacks = new Stacks(PACKET_STACKS.create({ packetCount: 3, laneCount: 1 }));
  const taken = [0, 1, 2].map(() => stacks.tryTakeFree()!);
  for (const index of [2, 0, 1]) stacks.pushReady(taken[index]!);
  assertEquals(stacks.takeReady(), [2, 0, 1]);
  assertEquals(stacks.takeReady(), []);
});

Deno.test("Stacks.free() gives the packet another link", () => {
  const channel = PACKET_STACKS.create({ packetCount: 1, laneCount: 1 });
  const top = () => channel.words.load(channel.layout.freeTopWord);
  const before = top();
  const stacks = new Stacks(channel);
  stacks.free(stacks.tryTakeFree()!);
  assertNotEquals(top(), before);
});
