/** Bad news: what a client learns when the server refuses or leaves its call. */
import { recvStream, sendStream } from "../../../call/stream.ts";
import { laneMask } from "../../../memory/lane_mask.ts";
import { Status } from "../../../memory/status.ts";
import { Client } from "../../../toggle/client/client.ts";
import { statusOf } from "../../fixtures/status_of.ts";
import { echoOnce } from "../wave_programs.ts";
import { ECHO_LIMIT_BYTES, TestOpcode } from "../services.ts";
import { TestBed } from "../test_bed.ts";
import type { Case } from "./case.ts";

const WORK = { fill() {}, use() {} };

/** What a client in this thread learns from a server in a worker, on one port of one lane. */
async function onOnePort(learn: (client: Client) => unknown): Promise<unknown> {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  return learn(new Client(bed.channel));
}

export const FAULT_CASES: readonly Case[] = [
  {
    name: "X2: an unhandled opcode is refused, and the port serves the next call",
    run: () => onOnePort(refuseUnhandled),
    expected: [Status.unhandledOpcode, Status.unhandledOpcode, Status.unhandledOpcode],
  },
  {
    name: "A handler that throws reaches the caller with its message, and the server lives",
    run: failOddLanes,
    expected: ["the message of lane 1", Status.handlerFailed, Status.ok],
  },
  {
    name: "A stream beyond the server's limit is refused without harm to the port",
    run: () =>
      onOnePort((client) =>
        [ECHO_LIMIT_BYTES + 1, 100_000].map((length) => refuseLength(client, length))
      ),
    expected: [Status.lengthRefused, Status.lengthRefused],
  },
  {
    name: "A stream beyond the client's limit is refused, and the server is free again",
    run: () => onOnePort((client) => [499, 498, 497].map((limit) => takeLess(client, limit))),
    expected: ["LengthRefusedError", "LengthRefusedError", "LengthRefusedError"],
  },
  {
    name: "A client that goes on with a call whose handler has left is told so",
    run: () => onOnePort(goOnTooLong),
    expected: Status.outOfStep,
  },
  {
    name: "A server whose client left in the middle of a call serves the next call",
    run: () => onOnePort(leaveInTheMiddle),
    expected: "served",
  },
];

function refuseUnhandled(client: Client): Status[] {
  const long = [new Uint8Array(56 + 64 + 64)];
  const calls = [
    () => client.call(TestOpcode.unhandled, WORK),
    () => {
      using port = client.open(TestOpcode.unhandled);
      sendStream(port, long);
    },
    () => {
      using port = client.open(TestOpcode.unhandled);
      sendStream(port, [new Uint8Array(0)]);
      recvStream(port, { limitBytes: 8 });
    },
  ];
  return calls.map((call) => {
    const status = statusOf(call);
    echoOnce(client, long);
    return status;
  });
}

async function failOddLanes(): Promise<unknown> {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 4 });
  const client = new Client(bed.channel);
  let message = "";
  const status = statusOf(() => {
    try {
      client.call(TestOpcode.fails, WORK);
    } catch (error) {
      message = (error as Error).message;
      throw error;
    }
  });
  const even = statusOf(() => client.call(TestOpcode.fails, WORK, { mask: laneMask(0, 2) }));
  return [message.includes("lane 1 is odd") ? "the message of lane 1" : message, status, even];
}

function refuseLength(client: Client, lengthBytes: number): Status {
  const status = statusOf(() => echoOnce(client, [new Uint8Array(lengthBytes)]));
  echoOnce(client, [new Uint8Array(4096).fill(9)]);
  return status;
}

function takeLess(client: Client, limitBytes: number): string {
  using port = client.open(TestOpcode.echo);
  sendStream(port, [new Uint8Array(500)]);
  try {
    recvStream(port, { limitBytes });
  } catch (error) {
    return (error as Error).name;
  }
  return "took all";
}

function goOnTooLong(client: Client): Status {
  using port = client.open(TestOpcode.leavesEarly);
  const flow = port.send(() => {}).recv(() => {});
  return statusOf(() => flow.send(() => {}).recv(() => {}));
}

function leaveInTheMiddle(client: Client): string {
  client.open(TestOpcode.sendsTwice).send(() => {}).recv(() => {}).close();
  echoOnce(client, [new Uint8Array(70)]);
  return "served";
}
