import type { Partner, Work } from "../partner/partner.ts";
import { pingPong } from "./ping_pong.ts";
import type { Scenario, Trial } from "../scenario.ts";

const axes = {} as const;

/** What people use today: a number goes out by `postMessage`, a number comes back. */
export const postMessage: Scenario<typeof axes> = {
  name: "post_message",
  title: "postMessage there and back",
  question: "What does a round trip by postMessage cost?",
  axes,
  usualPoints: () => [{}],
  floor: pingPong,
  isPair: true,
  setup: (_point, partner) => preparePostMessage(partner),
};

async function preparePostMessage(partner: Partner): Promise<Trial> {
  const { port1: port, port2 } = new MessageChannel();
  await partner.assign({
    moduleUrl: import.meta.url,
    init: port2,
    transfer: [port2],
    signalRest: () => {},
  });
  return {
    run: (callCount) => exchange(port, callCount),
    [Symbol.asyncDispose]: () => Promise.resolve(port.close()),
  };
}

/** The handler of each reply sends the next message, so that no call pays for a promise. */
function exchange(port: MessagePort, callCount: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let call = 0;
  port.onmessage = ({ data }: MessageEvent<number>) => {
    if (data !== call + 1) reject(new Error(`Cannot go on as the answer to ${call} was ${data}`));
    else if (++call === callCount) resolve();
    else port.postMessage(call);
  };
  port.postMessage(call);
  return promise;
}

/** Runs in the partner's isolate, which answers from its event loop: the work itself is empty. */
export function prepareWork(port: MessagePort): Work {
  port.onmessage = ({ data }: MessageEvent<number>) => port.postMessage(data + 1);
  return () => {};
}
