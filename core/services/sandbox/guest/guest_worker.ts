/**
 * The worker of a guest. Its parent is `startSandbox`, which posts what stands in `guest_api.ts`.
 *
 * @module
 */
import { Channel } from "../../../toggle/channel.ts";
import { Guest } from "./guest.ts";
import type { GuestRequest } from "./guest_api.ts";

const close = globalThis.close.bind(globalThis);
let guest: Guest | undefined;

globalThis.addEventListener("message", ({ data }: MessageEvent<GuestRequest>) => {
  if (data.kind === "start") {
    if (guest) return;
    guest = new Guest(Channel.attach(data.own));
    return guest.run(Channel.attach(data.calls), data);
  }
  if (data.kind === "call") return void guest!.answer(data);
  guest!.leave();
  close();
});
