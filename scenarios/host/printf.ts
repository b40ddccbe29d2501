import { Client, Opcode, type Packet, sendStream } from "../../core/mod.ts";
import {
  type FileHost,
  filesApi,
  type HostFile,
  serveFiles,
  serveHost,
} from "../../core/services/mod.ts";
import { ApiServer, connectApi } from "../../core/signature/mod.ts";
import type { Point } from "../axis.ts";
import { prepareServed, type ServerInit, servingWith } from "../calls/increment_server.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { lineControls } from "./line_controls.ts";
import {
  checkWritten,
  LINE_FORMAT,
  LineFile,
  type LineShape,
  lineText,
  lineValue,
} from "./lines.ts";

const axes = {
  /** `printf` and `puts` of the files, or the service that writes to standard output. */
  way: ["printf", "puts", "write"],
  /** Lines of one call: each lane prints one. */
  laneCount: [1, 64],
} as const;
type PrintfPoint = Point<typeof axes>;

/** Room for a format and its numbers, so that a call is one packet. */
const LANE_BYTES = 192;

function shapeOf({ laneCount }: PrintfPoint): LineShape {
  return { waveCount: 1, laneCount, linesPerLane: 1 };
}

const controls = lineControls(shapeOf);

/** Lines that a Worker has its host print, to a file. */
export const printf: Scenario<typeof axes> = {
  name: "printf",
  question: "How long does a line take that a Worker prints through the channel?",
  axes,
  floor: controls.floor,
  get references() {
    return controls.references;
  },
  mainReference: "console_log",
  callsPerTurn: ({ laneCount }) => laneCount,
  isPair: true,
  setup: preparePrinting,
};

async function preparePrinting(point: PrintfPoint, partner: Partner): Promise<Trial> {
  const file = LineFile.create();
  const shape = { portCount: 1, laneCount: point.laneCount, laneBytes: LANE_BYTES };
  const trial = await prepareServed(shape, partner, {
    moduleUrl: import.meta.url,
    init: { path: file.path },
    callerOf(channel) {
      const print = printerOf(new Client(channel, { waiter: "spin" }), point);
      return {
        call(callCount) {
          for (let call = 0; call < callCount; call++) print();
        },
      };
    },
  });
  return {
    ...trial,
    async [Symbol.asyncDispose]() {
      await trial[Symbol.asyncDispose]();
      file[Symbol.dispose]();
    },
  };
}

/** Prints a line by each lane; throws when other bytes were written. */
function printerOf(client: Client, { way, laneCount }: PrintfPoint): () => void {
  const places = Array.from({ length: laneCount }, (_, lane) => ({ wave: 0, lane, line: 0 }));
  const texts = places.map(lineText);
  const check = (written: readonly (number | undefined)[]) =>
    written.forEach((bytes, lane) => checkWritten(bytes!, texts[lane]!.length));
  if (way === "write") return writerOf(client, texts, check);
  const { printf, puts } = connectApi(client, filesApi);
  if (way === "puts") {
    const calls = texts.map((text) => [text.slice(0, -1)] as const);
    return laneCount === 1
      ? () => check([puts(...calls[0]!)])
      : () => check(puts.lanes(calls.map(([text]) => [text])));
  }
  const calls = places.map((place): Parameters<typeof printf> => [
    LINE_FORMAT,
    place.wave,
    place.lane,
    place.line,
    lineValue(place),
  ]);
  return laneCount === 1 ? () => check([printf(...calls[0]!)]) : () => check(printf.lanes(calls));
}

function writerOf(
  client: Client,
  texts: readonly string[],
  check: (written: readonly number[]) => void,
): () => void {
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  const written: number[] = texts.map(() => 0);
  const take = (packet: Packet) =>
    packet.forEachLane((lane) => written[lane] = packet.getUint32(lane, 0));
  return () => {
    using port = client.open(Opcode.writeStdout);
    sendStream(port, bytes);
    port.recv(take);
    check(written);
  };
}

/** Runs in the partner's isolate. */
export function prepareWork({ path, ...init }: ServerInit & { readonly path: string }): Work {
  const file = LineFile.open(path);
  return servingWith(init, (server) => {
    serveFiles(new ApiServer(server), { host: hostOf(file) });
    serveHost(server, { writeStdout: (bytes) => file.write(bytes) });
  });
}

/** A host whose standard output is a file. */
function hostOf(file: LineFile): FileHost {
  const refuse = () => {
    throw new TypeError("Cannot do that as there is standard output only");
  };
  const output: HostFile = {
    read: refuse,
    write: (bytes) => file.write(bytes),
    seek: refuse,
    close: () => {},
  };
  return { standard: [output, output, output], open: refuse, remove: refuse, rename: refuse };
}
