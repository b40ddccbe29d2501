import { assertEquals } from "@std/assert";
import { MappedWords } from "../memory/words.ts";
import { newMemory } from "../toggle/channel_handle.ts";
import { openFutex } from "./futex.ts";
import { MappedFile } from "./mapped_file.ts";
import { onLinux } from "../testing/fixtures/on_linux.ts";

const BYTES = 65_536;
/** Longer than a test waits: who wakes late does not end. */
const LONG_MILLISECONDS = 600_000;

onLinux("openFutex() wakes who sleeps on the same page of a file by another mapping", async () => {
  using stack = new DisposableStack();
  const file = stack.use(MappedFile.create(BYTES));
  const [sleeper, waker] = [1, 2].map(() => {
    const { buffer } = newMemory(BYTES);
    file.mapOver(buffer, { bufferByte: 0, fileByte: 0, bytes: BYTES });
    const words = new MappedWords(buffer, BYTES, true);
    words.futex = stack.use(openFutex(buffer)!);
    words.naps = { firstMilliseconds: LONG_MILLISECONDS, longestMilliseconds: LONG_MILLISECONDS };
    return words;
  });
  const slept = sleeper!.waitAsync(3, 0, LONG_MILLISECONDS);
  // It may not sleep yet: a wake that reaches nobody is not the last.
  const timer = setInterval(() => waker!.notify(3), 1);
  await slept;
  clearInterval(timer);
  waker!.store(3, -5);
  sleeper!.wait(3, 0, LONG_MILLISECONDS); // another value
  await sleeper!.waitAsync(3, 0, LONG_MILLISECONDS);
  sleeper!.wait(3, -5, 3); // its time
  await sleeper!.waitAsync(3, -5, 3);
  assertEquals(sleeper!.load(3), -5);
});
