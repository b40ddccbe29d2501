import { LEAVE_SLOTS } from "./leave_requests.ts";
import { placesWordCount, PORT_PLACES, type PortPlaces } from "../memory/regions.ts";
import { HEADER_WORDS } from "../memory/port_headers.ts";
import { isAnonymous, lockPlaces } from "./design/channel_design.ts";
import { type ChannelLayout } from "./layout.ts";

interface Region {
  readonly name: string;
  readonly word: number;
  readonly wordCount: number;
  readonly writer: string;
}

/**
 * The memory of a channel as text: one line a region, in the order of their addresses, with who may
 * write it. Sizes are what is used; regions are padded so that none shares a cache line.
 *
 * @example
 * ```ts
 * import { drawLayout } from "./draw_layout.ts";
 * import { channelLayout } from "./layout.ts";
 * const picture = drawLayout(channelLayout({ portCount: 4, laneCount: 2 }));
 * if (!picture.includes("clientOutbox")) throw new Error("every region has a line");
 * ```
 */
export function drawLayout(layout: ChannelLayout): string {
  const { portCount, laneCount, totalBytes } = layout;
  const lines = regionsOf(layout).map(({ name, word, wordCount, writer }) =>
    line([`${word * 4}`, `${wordCount * 4}`, name, writer])
  );
  return [
    `${portCount} ports x ${laneCount} lanes, ${totalBytes} bytes`,
    line(["byte", "bytes", "region", "who writes"]),
    ...lines,
  ].join("\n");
}

const WORDS: PortPlaces = PORT_PLACES.word;

function line([byte, bytes, name, writer]: readonly [string, string, string, string]): string {
  return `${byte.padStart(9)} ${bytes.padStart(9)}  ${name.padEnd(12)}  ${writer}`;
}

function regionsOf(layout: ChannelLayout): Region[] {
  const { portCount, portLock, mailboxWidth } = layout;
  const mailboxes = PORT_PLACES[mailboxWidth];
  const locks = lockPlaces(portLock);
  const perPort = (name: string, word: number, writer: string, places = WORDS) => ({
    name,
    word,
    wordCount: placesWordCount(places, portCount),
    writer,
  });
  return [
    {
      name: "control",
      word: layout.controlWord,
      wordCount: layout.clientOutboxWord - layout.controlWord,
      writer: "both, word by word",
    },
    perPort("clientOutbox", layout.clientOutboxWord, "client (the server's inbox)", mailboxes),
    perPort("clientParked", layout.clientParkedWord, "client"),
    perPort("serverOutbox", layout.serverOutboxWord, "server (the client's inbox)", mailboxes),
    perPort("serverParked", layout.serverParkedWord, "server"),
    perPort("clientLock", layout.clientLockWord, "client", locks),
    perPort("serverLock", layout.serverLockWord, "server", locks),
    ...isAnonymous(portLock)
      ? [
        perPort("clientMarks", layout.clientMarksWord, "who waits, and who wakes"),
        perPort("serverMarks", layout.serverMarksWord, "who waits, and who wakes"),
      ]
      : [],
    perPort("clientParts", layout.clientPartsWord, "client"),
    perPort("serverParts", layout.serverPartsWord, "server"),
    perPort("serverLate", layout.serverLateWord, "server"),
    {
      name: "leave",
      word: layout.leaveWord,
      wordCount: LEAVE_SLOTS,
      writer: "who asks, and who is asked to leave",
    },
    {
      name: "hint",
      word: layout.hintWord,
      wordCount: layout.hintWordCount,
      writer: "client sets, server clears",
    },
    {
      name: "headers",
      word: layout.headersWord,
      wordCount: portCount * HEADER_WORDS,
      writer: "who owns the port's buffer",
    },
    {
      name: "packets",
      word: layout.packetsWord,
      wordCount: portCount * layout.packetWords,
      writer: "who owns the port's buffer",
    },
  ];
}
