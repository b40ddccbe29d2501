import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ErrnoError } from "../declare/errno.ts";
import * as kind from "../declare/kind.ts";
import type { FunctionOptions } from "../declare/signature.ts";
import { declared } from "../testdata/served.ts";
import type { HostReply } from "../wire/reply.ts";
import { HostCall } from "./host_call.ts";
import { type ObjectOptions, ServedObjects } from "./served_objects.ts";

interface Declared extends FunctionOptions, ObjectOptions {
  readonly parameters?: readonly kind.Parameter[];
}

function callOf(result: kind.Result, work: unknown, options: Declared = {}): HostCall {
  const { parameters = [], failsWith, ...limits } = options;
  const target = declared(parameters, result, failsWith === undefined ? {} : { failsWith });
  return new HostCall(target, work, new ServedObjects(limits));
}

const file = kind.handle("File");

/** The reply of a function that is done at once. */
function replyOf(call: HostCall, ...values: unknown[]): HostReply {
  return call.run(values) as HostReply;
}

Deno.test("HostCall.run() gives what the function returns, and passes on what it throws", () => {
  assertEquals(callOf(kind.i32, (value: number) => value + 1).run([4]), { result: 5, errno: 0 });
  const failing = (odd: unknown) => () => {
    throw odd;
  };
  const thrown = failing(new ErrnoError(5, "x"));
  assertThrows(() => callOf(kind.i32, thrown).run([]), ErrnoError);
  assertEquals(callOf(kind.i32, thrown, { failsWith: -1 }).run([]), { result: -1, errno: 5 });
  for (const odd of [null, undefined, "text", { errno: 5 }, new RangeError("odd")]) {
    const call = callOf(kind.i32, failing(odd), { failsWith: -1 });
    let caught: unknown = "nothing";
    try {
      call.run([]);
    } catch (error) {
      caught = error;
    }
    assertEquals(caught, odd);
  }
});

Deno.test("HostCall.run() calls a function without this, and refuses a promise", () => {
  const call = callOf(kind.i32, function (this: unknown) {
    return this === undefined ? 1 : 0;
  });
  assertEquals(replyOf(call).result, 1);
  for (const work of [() => Promise.reject(new Error("x")), () => ({ then() {} })]) {
    assertThrows(() => callOf(kind.i32, work).run([]), TypeError, "must be synchronous");
  }
});

Deno.test("HostCall.run() makes handles of what there is only", () => {
  const call = callOf(kind.nullable(file), (value: unknown) => value, { handlesMax: 2 });
  assertEquals(call.run([null]), { result: null, errno: 0 });
  for (const object of [0, ""]) {
    const handle = replyOf(call, object).result as number;
    assertEquals(call.objects.handles.get("File", handle), object);
  }
  assertThrows(() => call.run(["third"]), RangeError, "there are 2 already");
  const none = "must return a File: current value is";
  assertThrows(() => call.run([undefined]), TypeError, `${none} undefined`);
  assertThrows(() => callOf(file, () => null).run([]), TypeError, `${none} null`);
});

Deno.test("HostCall.runAsync() waits for what the function promises", async () => {
  const later = callOf(kind.i32, (value: number) => Promise.resolve(value + 1), { failsWith: -1 });
  assertEquals(await later.runAsync([4]), { result: 5, errno: 0 });
  const failed = callOf(kind.i32, () => Promise.reject(new ErrnoError(2, "x")), { failsWith: -1 });
  assertEquals(await failed.runAsync([]), { result: -1, errno: 2 });
  const odd = callOf(kind.i32, () => Promise.reject(new Error("odd")));
  await assertRejects(() => odd.runAsync([]), Error, "odd");
});

Deno.test("HostCall.keeping() ends the handles of calls that failed together", async () => {
  const call = callOf(kind.nullable(file), (value: unknown) => value, { failsWith: null });
  let disposedCount = 0;
  const kept = (isFailure: boolean) => (made: { result: unknown; errno: number }[]) => {
    const object = { [Symbol.dispose]: () => disposedCount++ };
    made.push(replyOf(call, object), replyOf(call, null), { result: null, errno: 5 });
    if (isFailure) throw new Error("later");
  };
  assertThrows(() => call.keeping(kept(true)), Error, "later");
  const later = () => call.keepingAsync((made) => Promise.resolve(made).then(kept(true)));
  await assertRejects(later, Error, "later");
  assertEquals([call.objects.handles.count, disposedCount], [0, 2]);
  call.keeping(kept(false));
  await call.keepingAsync((made) => Promise.resolve(kept(false)(made)));
  assertEquals([call.objects.handles.count, disposedCount], [2, 2]);
  const other = callOf(kind.i32, () => 7);
  const fail = (made: HostReply[]) => {
    made.push(replyOf(other));
    throw new Error("later");
  };
  assertThrows(() => other.keeping(fail), Error, "later");
});

Deno.test("HostCall is direct where nothing stands between", () => {
  const work = () => 1;
  const { i32 } = kind;
  assertEquals(callOf(i32, work, { parameters: [i32, kind.f64] }).direct, work);
  for (const parameters of [[kind.constant(i32, 1)], [file], [kind.string]]) {
    assertEquals(callOf(i32, work, { parameters }).direct, undefined);
  }
  assertEquals(callOf(kind.nothing, work).direct, undefined);
  assertEquals(callOf(i32, work, { failsWith: 1 }).direct, undefined);
  for (const none of [undefined, null, 5, "f", {}]) {
    assertThrows(() => callOf(i32, none), TypeError, "Cannot serve a.f as there is no function");
  }
});

const opened = kind.struct({ file: kind.nullable(file) });
const openOut = [kind.nullable(kind.pointer("out", opened))];

Deno.test("HostCall.run() makes handles in structs that go out, and in results", () => {
  const call = callOf(kind.i32, (target: { file: unknown } | null) => {
    if (target) target.file = "a.txt";
    return 3;
  }, { parameters: openOut });
  const values: unknown[] = [{ file: null }];
  const { made, ...reply } = call.run(values) as HostReply;
  const { file: handle } = values[0] as { readonly file: number };
  assertEquals([reply, made], [{ result: 3, errno: 0 }, [{ name: "File", handle }]]);
  assertEquals(call.objects.handles.get("File", handle), "a.txt");
  assertEquals(call.run([null]), { result: 3, errno: 0, made: [] });
  const held = Object.freeze({ file: "kept" });
  const returning = callOf(opened, () => held);
  const { result } = returning.run([]) as { readonly result: { readonly file: number } };
  assertEquals(returning.objects.handles.get("File", result.file), "kept");
});

Deno.test("HostCall.run() gives handles of structs to functions, and leaves none of a failure", () => {
  const take = callOf(kind.i32, (target: { file: string }, value: { file: string | null }) => {
    return target.file.length + (value.file ?? "").length;
  }, { parameters: [kind.pointer("in", kind.struct({ file })), opened] });
  const { objects, target: { signature } } = take;
  const handle = objects.handles.add("File", "a.txt");
  for (const [second, length] of [[handle, 10], [null, 5]] as const) {
    const values = [{ file: handle }, { file: second }];
    objects.resolve(signature.parameters, values);
    assertEquals((take.run(values) as HostReply).result, length);
  }
  const strange = [{ file: handle + 1 }, { file: null }];
  assertThrows(() => objects.resolve(signature.parameters, strange), RangeError, "never was");
  const failing = callOf(kind.i32, (target: { file: unknown }) => {
    target.file = "half done";
    throw new ErrnoError(2, "open");
  }, { parameters: openOut, failsWith: -1 });
  const values = [{ file: null }];
  assertEquals(failing.run(values), { result: -1, errno: 2 });
  assertEquals([values, failing.objects.handles.count], [[{ file: null }], 0]);
});

Deno.test("HostCall ends the handles in structs of a call that fails afterwards", () => {
  let disposedCount = 0;
  const object = { [Symbol.dispose]: () => disposedCount++ };
  const work = (target: { file: unknown }) => void (target.file = object);
  const call = callOf(kind.nothing, work, { parameters: openOut });
  const fail = () =>
    call.keeping((made) => {
      made.push(call.run([{ file: null }]) as HostReply);
      throw new Error("later");
    });
  assertThrows(fail, Error, "later");
  const both = callOf(file, (target: { file: unknown }) => {
    target.file = object;
    return null;
  }, { parameters: openOut });
  assertThrows(() => both.run([{ file: null }]), TypeError, "must return a File");
  assertEquals(disposedCount, 2);
  assertEquals([call.objects.handles.count, both.objects.handles.count], [0, 0]);
});
