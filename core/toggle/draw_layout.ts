import { LEAVE_SLOTS } from "./leave_requests.ts";
import { placesWordCount, PORT_PLACES, type PortPlaces } from "../memory/regions.ts";
import { HEADER_WORDS } from "../memory/port_headers.ts";
import { isAnonymous, lockPlaces } from "./design/channel_design.ts";
import { type ChannelLayout, CONTROL_WORDS } from "./layout.ts";

/** Its name, where it is, how long it is, and who writes it. */
type Region = readonly [name: string, word: number, wordCount: number, writer: string];

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
  const regions = regionsOf(layout).toSorted(([, left], [, right]) => left - right);
  const lines = regions.map(([name, word, wordCount, writer]) =>
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
  const { portCount, portLock, mailboxWidth, mailboxRead, controlWord, clientOutboxWord } = layout;
  const mailboxes = PORT_PLACES[mailboxWidth];
  const locks = lockPlaces(portLock);
  const perPort = (name: string, word: number, writer: string, places = WORDS): Region => [
    name,
    word,
    placesWordCount(places, portCount),
    writer,
  ];
  const owner = "who owns the port's buffer";
  return [
    ["control", controlWord, CONTROL_WORDS, "both, word by word"],
    perPort("clientOutbox", clientOutboxWord, "client (the server's inbox)", mailboxes),
    perPort("clientParked", layout.clientParkedWord, "client"),
    perPort("serverOutbox", layout.serverOutboxWord, "server (the client's inbox)", mailboxes),
    perPort("serverParked", layout.serverParkedWord, "server"),
    ...mailboxRead === "turn"
      ? [
        perPort("clientTurn", layout.clientTurnWord, "client", mailboxes),
        perPort("serverTurn", layout.serverTurnWord, "server", mailboxes),
      ]
      : [],
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
    ["leave", layout.leaveWord, LEAVE_SLOTS, "who asks, and who is asked to leave"],
    ["hint", layout.hintWord, layout.hintWordCount, "client sets, server clears"],
    ["headers", layout.headersWord, portCount * HEADER_WORDS, owner],
    ["packets", layout.packetsWord, portCount * layout.packetWords, owner],
  ];
}
