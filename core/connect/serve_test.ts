import { assertEquals, assertThrows } from "@std/assert";
import { CloneEncoder } from "../call/clone/clone_encoder.ts";
import { CallEnd } from "./call_end.ts";
import { connect } from "./connect.ts";
import { Line } from "./line/line.ts";
import { type Frame, FrameKind, LineEnd } from "./line/line_end.ts";
import { serve } from "./serve.ts";

Deno.test("serve() refuses what has no functions, and a name that promises have", () => {
  for (const nothing of [{}, { size: 3 }, 5, null, { _hidden() {} }]) {
    assertThrows(() => serve(nothing as object), TypeError, "must have functions");
  }
  assertThrows(() => serve({ then() {}, add() {} }), TypeError, "none called then");
  const misspelt: object = { limit: 1 };
  assertThrows(() => serve({ add() {} }, misspelt), TypeError, "no option limit: the options are");
  assertThrows(() => serve({ add() {} }, { limitBytes: -1 }), RangeError, "limitBytes");
});

Deno.test("serve() says so where there is nobody to serve", () => {
  assertThrows(() => serve({ add() {} }), TypeError, "this is not a worker");
});

Deno.test("serve() ends a line that its caller broke, and no other one", async () => {
  const worker = new Worker(new URL("./testdata/math_worker.ts", import.meta.url), {
    type: "module",
  });
  try {
    const lines = [Line.create(), Line.create()] as const;
    const names = Promise.withResolvers<void>();
    const serves = new Set<number>();
    worker.onmessage = ({ data }) => {
      const offer = ({ buffer }: Line, id: number) =>
        worker.postMessage({ kind: "portlab.connect", id, buffer });
      if (data.kind === "portlab.ready") lines.forEach(offer);
      else if (serves.add(data.id).size === 2) names.resolve();
    };
    await names.promise;
    const client = new CallEnd(lines[0], { side: "client", limitBytes: 1000 });
    const end = new LineEnd(lines[1], "client", { receive: () => {}, limitBytes: 1000 });
    end.post(16, 1, new CloneEncoder().encode([1, 2]));
    const { plain } = lines[1].words;
    // How much was written: no multiple of 8 can be that.
    plain[plain.findIndex((word) => word === 32)] = 33;
    end.bell.ring();
    lines[1].bellOf("server").ring();
    while (!lines[1].isEnded) await new Promise((resolve) => setTimeout(resolve, 1));
    assertEquals(await client.callAsync({ name: "add", index: 0 }, [1, 2], {}), 3);
  } finally {
    worker.terminate();
  }
});

Deno.test("serve() says no to a second one in the same worker", async () => {
  const program = `
    import { serve } from "${new URL("./serve.ts", import.meta.url)}";
    serve({ again() { serve({ more() {} }); } });`;
  const url = `data:text/javascript,${encodeURIComponent(program)}`;
  using worker = await connect<{ again(): void }>(url, { timeoutSeconds: 30 });
  assertThrows(() => worker.again(), TypeError, "give all functions to one serve()");
});

Deno.test("serve() rejects arguments that no call has", async () => {
  const worker = new Worker(new URL("./testdata/math_worker.ts", import.meta.url), {
    type: "module",
  });
  try {
    const line = Line.create();
    const isServed = Promise.withResolvers<void>();
    worker.onmessage = ({ data }) => {
      if (data.kind !== "portlab.ready") return isServed.resolve();
      worker.postMessage({ kind: "portlab.connect", id: 0, buffer: line.buffer });
    };
    await isServed.promise;
    const frames: Frame[] = [];
    const receive = (frame: Frame) => void frames.push(frame);
    const end = new LineEnd(line, "client", { receive, limitBytes: 2 ** 20 });
    const many: unknown[] = [];
    many.length = 2 ** 32 - 1;
    for (const wrong of [many, 7, undefined, { length: 1 }]) {
      end.post(FrameKind.call, 1, new CloneEncoder().encode(wrong));
      while (frames.length === 0 && !line.isEnded) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        end.pump();
      }
      const { kind, value } = frames.pop()!;
      assertEquals([kind, (value as Error).name], [FrameKind.thrown, "RangeError"]);
    }
  } finally {
    worker.terminate();
  }
});
