// Writes the data of the Vulkan binding.
import { runCommand } from "../../bench/cli/options/command_options.ts";
import { Registry } from "./registry.ts";
import { tablesOf } from "./tables.ts";

const USUAL = "/usr/share/vulkan/registry/vk.xml";
const command = {
  usage: ["deno run -A .ci/vulkan/main.ts [vk.xml]"],
  words: [0, 1],
  does:
    `Writes core/gpu/live/vulkan/vulkan_tables.ts by the registry of Vulkan, ${USUAL} when no file is
named: the Debian package libvulkan-dev brings it, and the headers of Vulkan elsewhere.`,
  options: {},
  ends: "It ends with 0, with 1 for a file that is no registry, and with 2 when it cannot be read.",
} as const;
Deno.exit(
  await runCommand(command, ({ rest: [path = USUAL] }) => {
    const target = new URL("../../core/gpu/live/vulkan/vulkan_tables.ts", import.meta.url);
    Deno.writeTextFileSync(target, tablesOf(new Registry(Deno.readTextFileSync(path))));
  }),
);
