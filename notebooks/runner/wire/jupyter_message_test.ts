import { assertEquals, assertRejects } from "@std/assert";
import { MessageCodec } from "./jupyter_message.ts";
import type { Bytes } from "./zmtp.ts";

Deno.test("MessageCodec.decode() reads what encode() wrote, routing parts in front or not", async () => {
  const codec = await MessageCodec.create("secret");
  const { id, parts } = await codec.encode("execute_request", { code: "1 + 1" });
  const expected = {
    type: "execute_request",
    id,
    parentId: undefined,
    content: { code: "1 + 1" },
  };
  assertEquals(await codec.decode(parts), expected);
  assertEquals(await codec.decode([Uint8Array.of(1, 2), ...parts]), expected);
});

Deno.test("MessageCodec.encode() signs header, parent, metadata and content, in this order", async () => {
  const { parts } = await (await MessageCodec.create("key")).encode("x", {});
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = new TextEncoder().encode("key");
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signed = parts.slice(2).flatMap((part) => [...part]);
  const signature = await crypto.subtle.sign("HMAC", key, Uint8Array.from(signed));
  assertEquals(new TextDecoder().decode(parts[1]), new Uint8Array(signature).toHex());
  assertEquals(parts.length, 6);
});

Deno.test("MessageCodec.decode() refuses a changed message, a foreign key and a short message", async () => {
  const codec = await MessageCodec.create("secret");
  const { parts } = await codec.encode("x", { code: "1 + 1" });
  const changed = parts.with(5, new TextEncoder().encode('{"code":"1 + 2"}'));
  await assertRejects(() => codec.decode(changed), SyntaxError, "signature");
  const stranger = await MessageCodec.create("other");
  await assertRejects(() => stranger.decode(parts), SyntaxError, "signature");
  await assertRejects(() => codec.decode(parts.slice(0, 5)), SyntaxError, "5 parts");
  const unsigned = parts.with(1, new Uint8Array() as Bytes);
  await assertRejects(() => codec.decode(unsigned), SyntaxError, "signature");
});
