/** What passes between a guest and its host: values, texts, and nothing of where they are. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ErrnoError, f64, fn, handle, hostApi } from "../../signature/mod.ts";
import { allow } from "./policy.ts";
import { startSandbox } from "./sandbox.ts";
import { guestUrl } from "./testdata/guest_url.ts";
import { lines, names, namesOptions } from "./testdata/names_options.ts";

/** What the guest printed, as the log has it. */
function printed(): unknown[] {
  const entries = lines.map((line) => JSON.parse(line));
  return entries.filter(({ call }) => call === "sandbox.print").map((one) => one.arguments[0]);
}

Deno.test("a guest is not told where in the host's code something failed", async () => {
  const script = `exports.ask = (name) => {
    try { host.names.of(name); } catch ({ message, cause }) { return [message, cause.message, cause.stack]; }
  };`;
  await using sandbox = await startSandbox(guestUrl(script), {
    ...namesOptions(),
    serve: (server) =>
      void server.serve(names, {
        of(name) {
          if (name === "errno") throw new ErrnoError(2, "open hosts/secret/place");
          throw new RangeError(name.repeat(100)); // longer than a packet: with all that crosses
        },
      }),
  });
  for (const name of ["errno", "long"]) {
    const [message, cause, stack] = await sandbox.call("ask", name) as string[];
    assert(cause!.includes(name === "long" ? "longlong" : "call names.of"), cause);
    assert(!/secret|file:|\.ts/.test(`${message}${cause}${stack}`), `${message}${cause}${stack}`);
  }
});

Deno.test("a guest is not told where in the library a call was refused", async () => {
  const boxes = hostApi("boxes", { look: fn([handle("Box")], f64) });
  const script = `exports.ask = async () => {
    const texts = [];
    for (const ask of [host.boxes.look, host.boxes.look.async]) {
      try { await ask(7); } catch ({ stack, cause }) { texts.push(stack, cause.message, cause.stack); }
    }
    return texts;
  };`;
  await using sandbox = await startSandbox(guestUrl(script), {
    ...namesOptions([allow("boxes.*")]),
    serve: (server) => void server.serve(boxes, { look: () => 0 }),
  });
  const texts = await sandbox.call("ask") as string[];
  assertEquals([texts.length, texts[1]!.includes("has ended or never was")], [6, true]);
  assert(!/file:|\.ts/.test(texts.join()), texts.join());
});

Deno.test("what a guest prints, or throws where nobody catches it, stands in the log", async () => {
  const script = `exports.print = async () => {
    console.log("\\u001b[2J", { a: 1 }, 2n);
    console.warn(new RangeError("far"), undefined);
    setTimeout(() => { throw new Error("late"); });
    setTimeout(() => Promise.reject(null), 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };`;
  await using sandbox = await startSandbox(guestUrl(script), namesOptions());
  await sandbox.call("print");
  assertEquals(printed(), [
    '\u001b[2J {"a":1} 2',
    "RangeError: far undefined",
    "Uncaught Error: late",
    "Uncaught Error: null",
  ]);
});

Deno.test("what a guest prints is in the log when its answer is there, whatever its length", async () => {
  const script = `exports.print = (length) => {
    console.log("x".repeat(length));
    Promise.reject("y".repeat(length));
  };`;
  const limits = { callBytes: 4096 };
  for (const length of [30, 3000, 30_000]) {
    const sandbox = await startSandbox(guestUrl(script), { ...namesOptions(), limits });
    await sandbox.call("print", length);
    const [line] = printed();
    assert(JSON.stringify(line ?? "").includes("x".repeat(30)), `${length} letters: ${line}`);
    assert(length === 30 || JSON.stringify(line).includes(`${length}`), `${length} letters`);
    await sandbox.terminate();
    const late = JSON.stringify(printed().slice(1));
    assert(late.includes(`Uncaught Error: ${"y".repeat(16)}`), late);
  }
});

Deno.test("a guest that prints keeps its calls, and one whose calls are under way prints", async () => {
  const script = `
    exports.print = (count) => {
      for (let line = 0; line < count; line++) console.log(line);
      return host.names.of("a");
    };
    exports.hold = async () => {
      const call = host.names.of.async("x".repeat(5000));
      console.log("while all ports are in use");
      return (await call).length;
    };`;
  const limits = { callsInFlight: 1 };
  await using sandbox = await startSandbox(guestUrl(script), { ...namesOptions(), limits });
  for (const count of [1, 20]) assertEquals(await sandbox.call("print", count), "A");
  assertEquals([await sandbox.call("hold"), printed().length], [5000, 22]);
});

Deno.test("a guest's texts do nothing to the terminal that its caller prints an error to", async () => {
  const script = `const error = new Error("\\u001b[2J\\u202eüber\\n");
    if (START) throw error;
    exports.run = () => { throw error; };`;
  await using sandbox = await startSandbox(
    guestUrl(script.replace("START", "false")),
    namesOptions(),
  );
  const text = "Error: \\u{1b}[2J\\u{202e}über\\u{a}";
  await assertRejects(() => sandbox.call("run"), Error, text);
  const start = () => startSandbox(guestUrl(script.replace("START", "true")), namesOptions());
  await assertRejects(start, Error, text);
});

Deno.test("names with line feeds forge no line", async () => {
  const forged = 'a\n{"time":"2026-01-01T00:00:00.000Z","guest":"another","call":"x.y"}\n';
  const script = `exports.name = (name) => host.names.of(name);`;
  await using sandbox = await startSandbox(guestUrl(script), namesOptions());
  await sandbox.call("name", forged);
  await sandbox.call(forged).catch(() => {});
  const entries = lines.join("").trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(new Set(entries.map(({ guest }) => guest)), new Set(["guest.js"]));
  assertEquals(entries[2]!.arguments, [{ text: forged.slice(0, 64), letters: forged.length }]);
});
