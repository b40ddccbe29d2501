import type { ChannelShape } from "../../core/mod.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Trial } from "../scenario.ts";
import { type CompiledLibrary, compileNative, openNative } from "./native_library.ts";

interface NativeServerInit {
  readonly path: string;
  /** The address of the channel, which is not on the heap of any isolate. */
  readonly channel: bigint;
}

/** How large a channel in C is, and whether its mailboxes are in the lines of their packets. */
export interface NativeShape extends Pick<Required<ChannelShape>, "portCount" | "laneCount"> {
  readonly mailboxWidth?: "word" | "beside";
}

/**
 * Prepares calls through the toggle protocol in C. Each side runs as one foreign call in the thread
 * that also runs ours, so both cross between the same two processors.
 *
 * @param compiled `toggle.c`, which the trial disposes of; compiled anew when absent
 * @throws {Error} when the C text cannot be compiled
 */
export async function prepareNativeCalls(
  { portCount, laneCount, mailboxWidth }: NativeShape,
  partner: Partner,
  compiled?: CompiledLibrary,
): Promise<Trial> {
  compiled ??= await compileNative();
  const library = openNative(compiled.path);
  const { symbols } = library;
  const channel = symbols.channel_create(portCount, laneCount, Number(mailboxWidth === "beside"));
  const address = Deno.UnsafePointer.value(channel);
  const { wake, rest } = await partner.assign({
    moduleUrl: import.meta.url,
    init: { path: compiled.path, channel: BigInt(address) } satisfies NativeServerInit,
    signalRest: () => symbols.server_rest(channel, 1),
  });
  return {
    run(callCount) {
      if (symbols.client_run(channel, callCount) === 0) return;
      throw new Error("Cannot trust the native calls as a lane did not come back one larger");
    },
    wake() {
      symbols.server_rest(channel, 0);
      wake();
    },
    rest,
    async [Symbol.asyncDispose]() {
      symbols.channel_free(channel);
      library.close();
      await compiled[Symbol.asyncDispose]();
    },
  };
}

/** Runs in the partner's isolate. */
export function prepareWork({ path, channel }: NativeServerInit): Work {
  const { symbols } = openNative(path);
  const pointer = Deno.UnsafePointer.create(channel);
  return () => symbols.server_run(pointer);
}
