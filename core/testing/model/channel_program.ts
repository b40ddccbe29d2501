import type * as Core from "../explorer/whole_core.ts";
import type { Program } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import {
  CALLS_MAX,
  type Disturbance,
  opcodeOf,
  type PlanSetting,
  shapesOf,
} from "./channel_plan.ts";
import { isExpected } from "./channel_errors.ts";
import {
  fillPlaces,
  giveNext,
  recvAllParts,
  sendAllParts,
  takeFollowing,
} from "./packet_values.ts";
import { clientOfPage, serverOfPage } from "../one_page/library_face.ts";

/** Where a server is between two calls. */
const SERVES = "serves";
/** Values of one call: more than it has steps. */
const CALL_VALUES = 100;

type OwnedClientPort = Core.ClientPort<"mine">;
type OwnedServerPort = Core.ServerPort<"mine">;

/** A client: makes its calls one after the other; the last one to finish shuts the channel down. */
export function clientProgram(setting: PlanSetting, client: number): Program {
  const { plan: { core, makeSteps, waiter = "park", clients, disturbance, late, pages }, layout } =
    setting;
  return (words) => {
    const channel = new core.Channel(layout, words, { makeSteps });
    const isLate = late === "client" && client === clients.length - 1;
    const isPage = pages?.includes("client") || (client === 0 && pages?.includes("first client"));
    const make = () => isPage ? clientOfPage(core, channel) : new core.Client(channel, { waiter });
    const self = isLate ? make() : words.setUp(make);
    const isTimed = disturbance === "time passes" && client === 0;
    const deadline = words.setUp(() => isTimed && new core.Deadline({ timeoutSeconds: 1 }));
    const callers = clients[client]!.map((_, call) =>
      new Caller(setting, words, { client, call, deadline })
    );
    if (setting.plan.isBatch && client === 0) makeBatch(setting, self, callers);
    else {
      clients[client]!.forEach((shape, call) => {
        words.boundary(`call ${call}`);
        callers[call]!.makeCall(self, shape);
      });
    }
    words.boundary("over");
    words.takeTurns();
    finish(setting, words, client);
  };
}

/** Counts a thread as done; the last one shuts the channel down, where nobody else does. */
export function finish(
  { plan, layout, at }: PlanSetting,
  words: ScheduledWords,
  member: number,
): void {
  const memberCount = plan.clients.length + Number(plan.disturbance !== undefined);
  const everybody = 2 ** memberCount - 1;
  const before = words.or(at.doneWord, 1 << member);
  const isLast = before !== everybody && (before | 1 << member) === everybody;
  if (isLast) new plan.core.Channel(layout, words).shutDown();
}

function makeBatch({ plan }: PlanSetting, self: Core.Client, callers: readonly Caller[]): void {
  const works = callers.map(({ work }) => work);
  const { options } = callers[0]!;
  try {
    if (plan.isAsync) self.callManyAsync(opcodeOf(plan, "call"), works, options);
    else self.callMany(opcodeOf(plan, "call"), works, options);
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    error.errors.forEach((one, call) => one === undefined || callers[call]!.checkError(one));
  }
}

interface CallPlace {
  readonly client: number;
  readonly call: number;
  /** Of all calls of the client, if they have one. */
  readonly deadline: Core.Deadline | false;
}

class Caller {
  readonly #setting: PlanSetting;
  readonly #words: ScheduledWords;
  readonly #client: number;
  readonly #deadline: Core.Deadline | undefined;
  readonly #number: number;
  #value: number;
  #portIndex = 0;

  constructor(
    setting: PlanSetting,
    words: ScheduledWords,
    { client, call, deadline }: CallPlace,
  ) {
    this.#setting = setting;
    this.#words = words;
    this.#client = client;
    this.#deadline = deadline || undefined;
    this.#number = client * CALLS_MAX + call;
    this.#value = this.#number * CALL_VALUES;
  }

  makeCall(self: Core.Client, shape: string): void {
    const { plan } = this.#setting;
    const { options } = this;
    const opcode = opcodeOf(plan, shape);
    try {
      if (shape === "call") self.call(opcode, this.work, options);
      else if (shape === "cast") self.cast(opcode, this.#give, options);
      else this.#makeSession(self, shape, opcode);
    } catch (error) {
      this.checkError(error);
    }
  }

  get work(): Core.CallWork {
    return { fill: this.#give, use: this.#take };
  }

  get options(): Core.CallOptions {
    const { mask } = this.#setting.plan;
    return this.#deadline ?? (mask ? { mask } : {});
  }

  #makeSession(self: Core.Client, shape: string, opcode: number): void {
    const { isAsync } = this.#setting.plan;
    const opened = isAsync ? self.openAsync(opcode, this.options) : self.open(opcode, this.options);
    using port = opened as unknown as OwnedClientPort;
    [...shape].forEach((operation, place) => {
      this.#words.boundary(`at ${place} of ${this.#number} on ${port.index} with ${this.#value}`);
      this.#step(port, operation);
    });
  }

  #step(port: OwnedClientPort, operation: string): void {
    const { isAsync } = this.#setting.plan;
    if (operation === "s") isAsync ? port.sendAsync(this.#give) : port.send(this.#give);
    else if (operation === "t") this.#poll(port as unknown as Core.ClientPort<"theirs">);
    else if (operation === "p") this.#sendStream(port);
    else if (operation === "q") this.#recvStream(port);
    else if (isAsync) port.recvAsync(this.#take);
    else port.recv(this.#take);
  }

  #sendStream(port: OwnedClientPort): void {
    port.send((packet) => (this.#give(packet), void port.offerParts()));
    this.#value = sendAllParts(this.#setting, this.#words, { port, value: this.#value });
  }

  #recvStream(port: OwnedClientPort): void {
    port.recv(this.#take);
    this.#value = recvAllParts(this.#setting, this.#words, { port, value: this.#value });
  }

  #poll(port: Core.ClientPort<"theirs">): void {
    while (!port.tryRecv(this.#take)) this.#words.turn("poll");
  }

  readonly #give = (packet: Core.Packet): void => {
    this.#portIndex = packet.index;
    this.#value = giveNext(this.#words, this.#dataWord, this.#value);
    fillPlaces(this.#setting, this.#words, packet.index);
  };

  readonly #take = (): void => {
    this.#value = takeFollowing(this.#words, this.#dataWord, this.#value);
  };

  get #dataWord(): number {
    return this.#setting.at.dataWord + this.#portIndex;
  }

  checkError(error: unknown): void {
    const { plan, at } = this.#setting;
    if (!isExpected(error, { plan, client: this.#client })) throw error;
    if (plan.disturbance !== "shut down") return;
    const isServed = this.#words.load(at.servedWord) >> this.#number & 1;
    if (isServed) this.#words.violate("A call that was answered ended with an error");
  }
}

/** A server: serves until the channel ends or it has to leave. */
export function serverProgram(setting: PlanSetting, place: number): Program {
  const { plan, plan: { core, makeSteps, waiter = "park", disturbance }, layout } = setting;
  const clientTimeoutSeconds = disturbance === "a client is slow" ? 1 : Infinity;
  return (words) => {
    const channel = new core.Channel(layout, words, { makeSteps });
    const onFault = (fault: Core.FaultReport) => checkFault(words, disturbance, fault);
    const make = () => {
      if (plan.pages?.includes("server")) return serverOfPage(core, channel);
      const one = new core.Server(channel, { waiter, clientTimeoutSeconds, onFault });
      if (disturbance) one.announce();
      return one;
    };
    const isLate = plan.late === "server" && place === plan.serverCount - 1;
    const server = isLate ? make() : words.setUp(make);
    registerAll(setting, words, server);
    do words.boundary(SERVES); while (
      plan.isAsync ? server.runAsync() as unknown as boolean : server.run()
    );
    words.takeTurns();
  };
}

function checkFault(
  words: ScheduledWords,
  disturbance: Disturbance | undefined,
  { status, cause }: Core.FaultReport,
): void {
  const isLeft = cause instanceof Error && cause.name.startsWith("C"); // CallAbandoned, ClientLate
  if (disturbance === undefined || (cause !== undefined && !isLeft)) {
    noteFault(words, `A call failed with status ${status}: ${String(cause)}`);
  }
}

/** Notes what a listener found, who cannot end the program by a throw. */
export function noteFault(words: ScheduledWords, text: string): void {
  try {
    words.violate(text);
  } catch {
    // Thrown for the program, which ends at its next step.
  }
}

function registerAll(setting: PlanSetting, words: ScheduledWords, server: Core.Server): void {
  const { plan, at } = setting;
  const work = (packet: Core.Packet) => {
    checkLanes(setting, words, packet);
    const dataWord = at.dataWord + packet.index;
    const value = giveNext(words, dataWord, takeFollowing(words, dataWord, 0));
    noteServed(setting, words, value);
  };
  for (const shape of shapesOf(plan)) {
    const opcode = opcodeOf(plan, shape);
    if (shape === "call" || shape === "cast") server.operate(opcode, work);
    else server.operatePort(opcode, (port) => mirror(setting, words, { port, shape }));
  }
}

function checkLanes({ plan }: PlanSetting, words: ScheduledWords, packet: Core.Packet): void {
  const { mask = plan.core.fullMask(plan.laneCount ?? 1) } = plan;
  const { lo, hi } = packet.mask;
  if (lo >>> 0 !== mask.lo >>> 0 || hi >>> 0 !== mask.hi >>> 0) {
    words.violate(`The lanes are ${hi >>> 0} ${lo >>> 0}`);
  }
}

function mirror(
  setting: PlanSetting,
  words: ScheduledWords,
  call: { readonly port: Core.ServerPort<"fresh">; readonly shape: string },
): void {
  const port = call.port as unknown as OwnedServerPort;
  const dataWord = setting.at.dataWord + port.index;
  let value = 0;
  const give = () => void (value = giveNext(words, dataWord, value));
  const take = (packet: Core.Packet) => {
    checkLanes(setting, words, packet);
    value = takeFollowing(words, dataWord, value);
  };
  try {
    [...call.shape].forEach((operation, place) => {
      words.boundary(`at ${place} of ${call.shape} on ${port.index} with ${value}`);
      if (operation === "s" || operation === "p") port.recv(take);
      else if (operation === "q") port.send(() => (give(), void port.offerParts()));
      else port.send(give);
      if (operation === "p") value = recvAllParts(setting, words, { port, value });
      if (operation === "q") value = sendAllParts(setting, words, { port, value });
    });
    words.boundary(`at the end on ${port.index} with ${value}`);
    noteServed(setting, words, value);
  } finally {
    words.place = SERVES;
  }
}

/** @param value the last of the call's values */
function noteServed({ at }: PlanSetting, words: ScheduledWords, value: number): void {
  const bit = 1 << Math.floor(value / CALL_VALUES);
  if (words.or(at.servedWord, bit) & bit) words.violate("A call was served twice");
}
