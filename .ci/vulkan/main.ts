// Writes the data of the Vulkan binding: `deno run -A .ci/vulkan/main.ts [vk.xml]`. The registry comes with
// the Debian package libvulkan-dev, and with the headers of Vulkan elsewhere.
import { Registry } from "./registry.ts";
import { tablesOf } from "./tables.ts";

const [path = "/usr/share/vulkan/registry/vk.xml"] = Deno.args;
const target = new URL("../../core/gpu/live/vulkan/vulkan_tables.ts", import.meta.url);
Deno.writeTextFileSync(target, tablesOf(new Registry(Deno.readTextFileSync(path))));
