import { Client, type Packet, USER_OPCODE_FIRST } from "../../core/mod.ts";
import { bytes, connectApi, f64, fn, hostApi, serveApi } from "../../core/signature/mod.ts";
import { prepareServed, type ServerInit, servingWith } from "../calls/increment_server.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";

const axes = {
  call: [
    "no_arguments",
    "two_doubles",
    "seven_doubles",
    "bytes_64",
    "bytes_4k",
    "bytes_64k",
    "bytes_1m",
  ],
} as const;
type Call = typeof axes["call"][number];

/** Bytes that go there and back; calls without them fit a packet. */
const PAYLOAD_BYTES: Partial<Record<Call, number>> = {
  bytes_64: 64,
  bytes_4k: 4096,
  bytes_64k: 1 << 16,
  bytes_1m: 1 << 20,
};
const PLAIN_OPCODE = USER_OPCODE_FIRST;
const ECHO_OPCODE = USER_OPCODE_FIRST + 1;
const LIMIT = { limitBytes: 1 << 21 };
/** Wide lanes, so that long payloads take few packets. */
const LANE_BYTES = 4096;

const api = hostApi("cost", {
  no_arguments: fn([], f64),
  two_doubles: fn([f64, f64], f64),
  seven_doubles: fn([f64, f64, f64, f64, f64, f64, f64], f64),
  echo: fn([bytes("inout")], f64),
});

/** The same payload by the core's own calls, packed by hand. */
const plainCall: Control<typeof axes> = {
  name: "plain_call",
  isPair: true,
  setup: ({ call }, partner) => prepare(partner, (client) => plainCaller(client, call)),
};

/** Calls of functions that are declared, found by name, checked and packed by their signatures. */
export const signatureCost: Scenario<typeof axes> = {
  name: "signature_cost",
  question: "What does a call by its signature cost over the same call packed by hand?",
  axes,
  floor: plainCall,
  isPair: true,
  targets: [{
    text: "a call of two doubles by signature, in calls packed by hand",
    where: { call: "two_doubles" },
    figure: { kind: "timesFloor" },
    bound: "at most",
    limit: 1.3,
  }],
  setup: ({ call }, partner) => prepare(partner, (client) => signatureCaller(client, call)),
};

/** Makes one call, and returns what came back: 1 more than the number of the call. */
type Caller = (number: number) => number;

function prepare(
  partner: Partner,
  callerOf: (client: Client) => Caller,
): Promise<Trial> {
  return prepareServed({ portCount: 1, laneCount: 1, laneBytes: LANE_BYTES }, partner, {
    moduleUrl: import.meta.url,
    callerOf(channel) {
      const caller = callerOf(new Client(channel, { waiter: "spin" }));
      return { call: (callCount) => checkCalls(caller, callCount) };
    },
  });
}

/** @throws {Error} when a call brings another number than the one after its own */
export function checkCalls(caller: Caller, callCount: number): void {
  for (let call = 0; call < callCount; call++) {
    if (caller(call & 0x7f) !== (call & 0x7f) + 1) {
      throw new Error("Cannot trust the calls as a number did not come back one larger");
    }
  }
}

function plainCaller(client: Client, call: Call): Caller {
  const payloadBytes = PAYLOAD_BYTES[call];
  if (payloadBytes !== undefined) {
    const array = new Uint8Array(payloadBytes);
    return (number) => {
      array[0] = number;
      array.set(client.callMessage(ECHO_OPCODE, array, LIMIT));
      return array[0]!;
    };
  }
  const valueCount = call === "seven_doubles" ? 7 : call === "two_doubles" ? 2 : 0;
  let given = 0;
  let result = 0;
  const work = {
    fill(packet: Packet) {
      for (let value = 0; value < valueCount; value++) packet.setFloat64(0, value + 1, given);
    },
    use: (packet: Packet) => void (result = packet.getFloat64(0, 1)),
  };
  return (number) => {
    given = number;
    client.call(PLAIN_OPCODE, work);
    return valueCount === 0 ? number + 1 : result;
  };
}

function signatureCaller(client: Client, call: Call): Caller {
  const { no_arguments, two_doubles, seven_doubles, echo } = connectApi(client, api);
  const payloadBytes = PAYLOAD_BYTES[call];
  if (payloadBytes !== undefined) {
    const array = new Uint8Array(payloadBytes);
    return (number) => {
      array[0] = number;
      echo(array);
      return array[0]!;
    };
  }
  if (call === "two_doubles") return (number) => two_doubles(number, 1);
  if (call === "seven_doubles") return (number) => seven_doubles(number, 1, 2, 3, 4, 5, 6);
  return (number) => number + no_arguments();
}

/** Runs in the partner's isolate. */
export function prepareWork(init: ServerInit): Work {
  return servingWith(init, (server) => {
    server.operate(PLAIN_OPCODE, (packet) => packet.setFloat64(0, 1, packet.getFloat64(0, 1) + 1));
    server.operateMessage(ECHO_OPCODE, addToFirst, LIMIT);
    serveApi(server, api, {
      no_arguments: () => 1,
      two_doubles: (value, more) => value + more,
      seven_doubles: (value, more) => value + more,
      echo: (array) => addToFirst(array)[0]!,
    });
  });
}

function addToFirst(array: Uint8Array): Uint8Array {
  array[0]! += 1;
  return array;
}
