import { assertNotEquals } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { prepareNativeCalls } from "./native_calls.ts";
import { compileNative, compilerProblem, openNative } from "./native_library.ts";
import source from "./toggle.c" with { type: "text" };

const ignore = compilerProblem() !== undefined;

Deno.test({
  name: "prepareNativeCalls() makes calls of every size, between rests",
  ignore,
  async fn() {
    await using partner = new Partner();
    const sizes = [[1, 1], [3, 64], [33, 2]] as const;
    const shapes = (["word", "beside"] as const).flatMap((mailboxWidth) =>
      sizes.map(([portCount, laneCount]) => ({ portCount, laneCount, mailboxWidth }))
    );
    for (const shape of shapes) {
      await using trial = await prepareNativeCalls(shape, partner);
      for (const callCount of [1, 500, 0, 2]) {
        trial.wake!();
        trial.run(callCount);
        trial.rest!();
      }
    }
  },
});

Deno.test({
  name: "the C client tells of a lane that did not come back one larger",
  ignore,
  async fn() {
    await using partner = new Partner();
    const wrong = source.replace("packet[word] += 1", "packet[word] += word == 0 ? 1 : 2");
    await using compiled = await compileNative(wrong);
    const library = openNative(compiled.path);
    const { symbols } = library;
    const channel = symbols.channel_create(2, 2, 0);
    const { wake, rest } = await partner.assign({
      moduleUrl: new URL("./native_calls.ts", import.meta.url).href,
      init: { path: compiled.path, channel: Deno.UnsafePointer.value(channel) },
      signalRest: () => symbols.server_rest(channel, 1),
    });
    wake();
    assertNotEquals(symbols.client_run(channel, 1), 0);
    rest();
    symbols.channel_free(channel);
    library.close();
  },
});
