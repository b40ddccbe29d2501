import { assertEquals, assertThrows } from "@std/assert";
import { sharedPages } from "./on_live_device_test.ts";
import { SharedPages } from "./shared_pages.ts";

const ignore = Deno.build.os !== "linux";

function viewOf({ address, bytes }: SharedPages): Uint8Array {
  const view = new Deno.UnsafePointerView(Deno.UnsafePointer.create(address)!);
  return new Uint8Array(view.getArrayBuffer(bytes));
}

/** How many views of replaced pages this process has. */
function viewCount(): number {
  return Deno.readTextFileSync("/proc/self/maps").split("\n")
    .filter((line) => line.includes("/memfd:portlab")).length;
}

/** Whether the file behind replaced pages is still open. */
function hasOpenFile(): boolean {
  return [...Deno.readDirSync("/proc/self/fd")].some(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`).includes("/memfd:portlab");
    } catch {
      return false; // the folder's own, which is closed by now
    }
  });
}

Deno.test({
  name: "SharedPages shows the pages of a buffer a second time, with what is in them",
  ignore,
  fn() {
    const buffer = sharedPages(2);
    const own = new Uint8Array(buffer);
    own.set([1, 2, 3], 65_533);
    const before = viewCount();
    using pages = new SharedPages(buffer, 4096);
    const other = viewOf(pages);
    assertEquals([pages.bytes, viewCount(), hasOpenFile()], [131_072, before + 2, false]);
    assertEquals([...own.subarray(65_532, 65_537)], [0, 1, 2, 3, 0]);
    assertEquals([...other.subarray(65_532, 65_537)], [0, 1, 2, 3, 0]);
    own[131_071] = 7;
    other[0] = 8;
    assertEquals([other[131_071], own[0]], [7, 8]);
  },
});

Deno.test({
  name: "SharedPages of one buffer show the same pages, and leave them to it at their end",
  ignore,
  fn() {
    const buffer = sharedPages();
    const own = new Uint8Array(buffer);
    const before = viewCount();
    {
      using first = new SharedPages(buffer, 4096);
      using second = new SharedPages(buffer, 2 ** 16);
      assertEquals([second.address % 2n ** 16n, first.address === second.address], [0n, false]);
      viewOf(first)[5] = 1;
      viewOf(second)[6] = 2;
      assertEquals(viewCount(), before + 3);
    }
    assertEquals([...own.subarray(4, 8)], [0, 1, 2, 0]);
    assertEquals(viewCount(), before + 1);
    using again = new SharedPages(buffer, 4096);
    assertEquals([...viewOf(again).subarray(4, 8)], [0, 1, 2, 0]);
  },
});

Deno.test({
  name: "SharedPages takes whole pages only",
  ignore,
  fn() {
    const wants = "take that of a shared WebAssembly.Memory";
    assertThrows(() => new SharedPages(new SharedArrayBuffer(100), 4096), RangeError, wants);
    assertThrows(() => new SharedPages(sharedPages(0), 4096), RangeError, wants);
    assertThrows(
      () => new SharedPages(sharedPages(), 2 ** 20),
      RangeError,
      "a multiple of 1048576 and its address of 4096",
    );
  },
});
