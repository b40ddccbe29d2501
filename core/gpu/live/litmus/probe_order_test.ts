import { assert, assertEquals } from "@std/assert";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { translate } from "../kernel/live_bed_test.ts";
import { probeOrder } from "./probe_order.ts";

onLiveDevice("probeOrder() finds what calls rest on", (device) => {
  const report = probeOrder(device, { translate, roundCount: 1 });
  assertEquals(report.instanceCount, 1024);
  assertEquals([report.messageFaultCount, report.lostUpdateCount], [0, 0]);
});

onLiveDevice("probeOrder() counts what is wrong", (device) => {
  const swapped = (source: string) =>
    translate(
      source
        // The packet is written behind the flip, and the or is a load and a store.
        .replace(
          /\{ plain\[x\] = 1u; \}\n {2}\{ (atomicStore[^}]*) \}/,
          "{ $1 for (var n = 0u; n < 50u; n++) { if atomicLoad(&words[STOP_WORD]) != 0u { break; } } }" +
            " { plain[x] = 1u; }",
        )
        .replaceAll(
          /let seen = atomicOr\(&words\[x\], (\d+u)\);/g,
          "let seen = atomicLoad(&words[x]); atomicStore(&words[x], seen | $1);",
        ),
    );
  let [messages, updates] = [0, 0];
  for (let time = 0; time < 20 && messages * updates === 0; time++) {
    const report = probeOrder(device, { translate: swapped, roundCount: 1 });
    messages += report.messageFaultCount;
    updates += report.lostUpdateCount;
  }
  assert(messages > 0 && updates > 0, `${messages} and ${updates} were seen`);
});
