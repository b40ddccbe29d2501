import { assertEquals } from "@std/assert";
import { meddledChannel } from "../../testing/fixtures/meddled_words.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { ClientSide } from "../client/client_side.ts";
import { DESIGN_AXES } from "../design/channel_design.ts";
import { ServerSide } from "./server_side.ts";
import { workFinder } from "./work_finder.ts";

const BIT = { mailboxWidth: "bit", mailboxUpdate: "fetch-add" } as const;

for (const discovery of DESIGN_AXES.discovery) {
  const scene = (portCount = 70) => {
    const design = { discovery, ...discovery === "bitmap" ? BIT : {} };
    const { channel, words, layout } = meddledChannel(portCount, design);
    const client = new ClientSide(channel, "spin");
    const side = new ServerSide(channel, { waiter: "spin", clientTimeoutSeconds: 5 });
    const send = (...indexes: readonly number[]) => {
      for (const index of indexes) {
        client.tryLockOwned(index);
        client.giveAway(index);
      }
    };
    return { words, layout, side, send, finder: workFinder(side) };
  };

  Deno.test(`workFinder() by ${discovery} finds the next port with work that nobody holds, around the end`, () => {
    const { finder, side, send } = scene();
    assertEquals(finder.find(0), NO_PORT);
    send(0, 31, 32, 69);
    const found = [0, 1, 31, 32, 33, 69].map((start) => finder.find(start));
    assertEquals(found, [0, 31, 31, 32, 69, 69]);
    side.tryLockOwned(69);
    side.tryLockOwned(31);
    assertEquals([1, 33, 69].map((start) => finder.find(start)), [32, 0, 0]);
    side.tryLockOwned(0);
    side.tryLockOwned(32);
    assertEquals([0, 33].map((start) => finder.find(start)), [NO_PORT, NO_PORT]);
  });

  Deno.test(`workFinder() by ${discovery} finds the only port with work from wherever it starts`, () => {
    const missed: string[] = [];
    for (const port of [0, 1, 30, 31, 32, 40, 63, 64, 69]) {
      const { finder, send } = scene();
      send(port);
      for (let start = 0; start < 70; start++) {
        if (finder.find(start) !== port) missed.push(`port ${port} from ${start}`);
      }
    }
    assertEquals(missed, []);
  });

  Deno.test(`workFinder() by ${discovery}: the last look takes no port of its own server for work`, () => {
    const { finder, side, send } = scene();
    assertEquals(finder.findLast(), NO_PORT);
    send(33, 69);
    side.tryLockOwned(33);
    assertEquals(finder.findLast(), 69);
    side.tryLockOwned(69);
    assertEquals(finder.findLast(), NO_PORT);
  });

  Deno.test(`workFinder() by ${discovery}: the last look sees what another thread has just written`, () => {
    const { finder, words, layout } = scene(32);
    words.storeElsewhere(layout.clientOutboxWord, 1);
    assertEquals(finder.find(0), NO_PORT, "a glance may be stale");
    assertEquals(finder.findLast(), 0);
  });
}
