import { assertEquals, assertThrows } from "@std/assert";
import { ErrnoError } from "../../../signature/mod.ts";
import { errnoOf, nodeFiles, withErrno } from "./node_files.ts";

Deno.test("withErrno() says with a number of C what failed", () => {
  const files = nodeFiles();
  const code = (work: () => unknown) =>
    assertThrows(() => withErrno("try", work), ErrnoError, "Cannot try").code;
  assertEquals(code(() => files.openSync("/none/at/all", 0)), "ENOENT");
  assertEquals(code(() => files.readlinkSync("/")), "EINVAL");
  assertEquals(code(() => files.readSync(1e6, new Uint8Array(1), 0, 1, 0)), "EBADF");
  assertEquals(
    code(() => files.writeSync(files.openSync("/dev/null", 0), new Uint8Array(1), 0, 1, 0)),
    "EBADF",
  );
  assertEquals(code(() => JSON.parse("{")), "EIO");
  assertEquals([withErrno("try", () => 5), errnoOf(new Error("other"))], [5, undefined]);
  const own = new ErrnoError(1, "do this");
  assertEquals(
    assertThrows(() =>
      withErrno("try", () => {
        throw own;
      })
    ),
    own,
  );
});
