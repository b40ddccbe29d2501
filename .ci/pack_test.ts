/** What `deno task pack` writes, published to a registry of this machine and used as others would. */
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { chromiumObstacle, PageBed } from "../core/testing/conformance/runtimes/chromium.ts";
import { findNode } from "../core/testing/conformance/runtimes/node.ts";
import { packagePage, writeModules } from "./pack.ts";
import { freePort, Projects, untilServed } from "./testdata/projects.ts";

const VERSION: string = JSON.parse(
  await Deno.readTextFile(new URL("../deno.json", import.meta.url)),
).version;

/** What imports may bring to a page, minified and gzipped, in bytes. */
const BYTES_MAX: Readonly<Record<string, number>> = {
  'import { connect, serve } from "portlab";': 18_000,
  'import { Channel, Client, startServer } from "portlab/core";': 30_400,
  'import { withPrintf } from "portlab/printf";': 32_400,
  'import { instrument } from "portlab/printf";': 32_400,
};

/** Installed once. Not every mirror has the tag by which the registry asks for its `node-fetch`. */
const TOOLS = {
  dependencies: {
    ...{ verdaccio: "6.10.4", vite: "8.3.8", typescript: "6.0.3" },
    ...{ three: "0.187.0", typegpu: "0.12.5", "@babylonjs/core": "9.34.0" },
  },
  overrides: { "node-fetch": "2.7.0" },
};

const INSTALL = "npm install --silent portlab";
const TYPE_CHECK = "tsc --noEmit --strict --skipLibCheck false --target es2022 --module nodenext";

/** A service of the project's own, and a program that calls it. */
const SERVICES = `import type { Server } from "portlab/core";
export function addServices(server: Server): void {
  server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
}`;
const CALL = `import { Channel, Client, startServer } from "portlab/core";
const channel = Channel.create({ portCount: 1, laneCount: 1 });
const services = [new URL("./services.ts", import.meta.url)];
await using _server = await startServer(channel, { services });
await new Client(channel).callAsync(40_000, {
  fill: (packet) => packet.setUint32(0, 0, 41),
  use: (packet) => console.log(packet.getUint32(0, 0)),
});`;

/** Prints from a shader, and never names a ring. */
const PRINT = `import { instrument } from "portlab/printf";
import code from "./shaders/lanes.wgsl";
const device = await (await navigator.gpu.requestAdapter()).requestDevice();
const printing = instrument(device);
async function print(code) {
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass({ label: "try" });
  pass.setPipeline(pipeline);
  pass.dispatchWorkgroups(1);
  pass.end();
  device.queue.submit([encoder.finish()]);
  await printing.settled();
}
await print(code);
`;

/** A page that prints: it is not isolated. */
const PRINTF = `${PRINT}printing.uninstall();
console.log(crossOriginIsolated);`;

/** A page under development, which prints from its shader again when that changes. */
const HOT = `${PRINT}import.meta.hot.accept("./shaders/lanes.wgsl", async ({ default: code }) => {
  await print(code);
  document.title = "changed";
});`;

/** The same with engines. */
const ENGINES = await Deno.readTextFile(new URL("testdata/engines.js.txt", import.meta.url));

/** What engines print; Babylon tells its version, too. */
const ENGINES_PRINT = `halves: TypeGPU 0
halves: TypeGPU 1
computePipeline_compute_halves: three 0
computePipeline_compute_halves: three 1
renderPipeline_red_N: (0.25, 0.5)
renderPipeline_red_N: (0.75, 0.5)
dispatch 1: Babylon 2`;

const LANES = `@compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) {
  printf("lane %v\\n", id.x);
}`;

const PRINTED = "shaders/lanes.wgsl:2 [try 0:0] lane 0\nshaders/lanes.wgsl:2 [try 0:1] lane 1";

/** The same in JavaScript. */
function withoutTypes(text: string): string {
  return text.replace(/import type.*\n/, "").replaceAll(/: (Server|void)/g, "")
    .replace(".ts", ".js");
}

/** Where the tools are, and why they cannot be had where npm reaches no registry. */
async function installTools(): Promise<{ readonly tools: string; readonly obstacle?: string }> {
  const home = `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/portlab`;
  const names = Object.entries(TOOLS.dependencies).map((tool) => tool.join("-")).join("_")
    .replaceAll("/", "-");
  const tools = `${home}/${names}`;
  if (await Deno.stat(tools).catch(() => undefined)) return { tools };
  await Deno.mkdir(home, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: home });
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify(TOOLS));
  const args = ["install", "--ignore-scripts", "--loglevel=error", "--fetch-retries=0"];
  const installed = await new Deno.Command("npm", { args, cwd: folder }).output()
    .catch((): undefined => undefined);
  const said = installed ? new TextDecoder().decode(installed.stderr) : "there is no npm";
  // Where another run was faster, its folder is as good.
  if (installed?.success) await Deno.rename(folder, tools).catch(() => {});
  else await Deno.remove(folder, { recursive: true });
  if (installed?.success) return { tools };
  const isAlone = /no npm|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(said);
  if (!isAlone) throw new Error(`Cannot install ${names}: ${said}`);
  return { tools, obstacle: said.split("\n")[0]! };
}

/** What has to be noticed: a warning, an entry that is not there, one without types. */
const BREAK = `cd node_modules/portlab && echo '\\nconsole.warn("old");' >> core/mod.js &&
  sed -i 's/"\\.\\/linear"/".\\/other"/' package.json && rm core/gpu/mod.d.ts`;

const MANIFEST = '{ "private": true, "type": "module" }';

/** How long plug-ins took is the machine's matter. */
const VITE_CONFIG = `export default {
  build: { rolldownOptions: { checks: { bundlerTimings: false } } },
};`;

/** With the plug-in, and engines that are installed once. */
function viteConfig(): string {
  const engines = ["three", "typegpu", "@babylonjs/core"];
  const alias = Object.fromEntries(
    engines.map((name) => [name, `${tools}/node_modules/${name}`]),
  );
  alias["three/webgpu"] = `${alias.three}/build/three.webgpu.js`;
  alias["three/tsl"] = `${alias.three}/build/three.tsl.js`;
  const found = Object.entries(alias).toReversed().map(([find, replacement]) => ({
    find,
    replacement,
  }));
  return `import { wgsl } from "portlab/vite";\n` + VITE_CONFIG
    .replace("{", `{ plugins: [wgsl()], resolve: { alias: ${JSON.stringify(found)} },`)
    .replace("build: {", 'build: { target: "esnext", chunkSizeWarningLimit: 9999,');
}

/** What each step said, by its name. */
type Said = Readonly<Record<string, string>>;

/** A module that takes all that there is. */
async function importAll(projects: Projects): Promise<string> {
  const manifest = await Deno.readTextFile(`${projects.path("package")}/package.json`);
  const entries = Object.keys(JSON.parse(manifest).exports).filter((name) => !/json$/.test(name));
  const lines = entries.map((name, index) =>
    `import * as _${index} from "portlab${name.slice(1)}";`
  );
  return lines.join("\n");
}

async function inNode(projects: Projects, name: string, change = "true"): Promise<Said> {
  await projects.write(name, {
    "package.json": MANIFEST,
    "call.ts": CALL,
    "services.ts": SERVICES,
    "call.js": withoutTypes(CALL),
    "services.js": withoutTypes(SERVICES),
    "all.ts": await importAll(projects),
  });
  const installed = await projects.run(name, `${INSTALL} && ${change}`);
  const lines = ["node call.js", "node call.ts", "node all.ts", `${TYPE_CHECK} call.ts all.ts`];
  const said = await Promise.all(lines.map((line) => projects.run(name, line)));
  return { installed, js: said[0]!, ts: said[1]!, all: said[2]!, types: said[3]! };
}

async function inDeno(projects: Projects): Promise<Said> {
  await projects.write("deno", {
    "deno.json": JSON.stringify({
      imports: {
        "portlab": "np" + `m:portlab@${VERSION}`,
        "portlab/": "np" + `m:/portlab@${VERSION}/`,
      },
    }),
    "call.ts": CALL,
    "services.ts": SERVICES,
    "all.ts": await importAll(projects),
  });
  // Deno leaves versions alone that are younger than a day.
  const options = "--quiet --minimum-dependency-age=0";
  const types = await projects.run("deno", `deno check ${options} .`);
  return { types, call: await projects.run("deno", `deno run ${options} -A call.ts`) };
}

/** Says when its program has run. */
const PAGE = `<!doctype html><script type="module">
  import "./main.js";
  document.title = "done";
</script>`;

/** Builds a page, and opens it. */
async function onPage(
  projects: Projects,
  name: "call" | "printf",
  files: Readonly<Record<string, string>>,
): Promise<Said> {
  await projects.write(name, {
    "package.json": MANIFEST,
    "vite.config.js": VITE_CONFIG,
    "index.html": PAGE,
    ...files,
  });
  const built = await projects.run(name, `${INSTALL} && vite build --logLevel warn`);
  const dist = `${projects.path(name)}/dist`;
  await using bed = await PageBed.start(dist);
  const page = await bed.open({ isIsolated: name === "call" });
  await page.waitForFunction("document.title").catch(() => {}); // what went wrong is told below
  const texts = (await page.consoleMessages()).map((message) => message.text());
  const errors = (await page.pageErrors()).map((error) => error.stack ?? error.message);
  return { built, said: [...texts, ...errors].join("\n") };
}

/** Opens a page of Vite's own server, and changes its shader. */
async function onHotPage(projects: Projects): Promise<string> {
  const shader = "shaders/lanes.wgsl";
  await projects.write("hot", {
    "package.json": MANIFEST,
    "vite.config.js": viteConfig(),
    "index.html": PAGE,
    "main.js": HOT,
    [shader]: LANES,
  });
  const installed = await projects.run("hot", INSTALL);
  assertEquals(installed, "");
  const { port } = freePort();
  await using _vite = projects.spawn("hot", `vite --port ${port} --strictPort`);
  await using bed = await PageBed.start(projects.path("hot"));
  const page = await bed.open({ isIsolated: false });
  const url = `http://localhost:${port}/`;
  await untilServed(url);
  await page.goto(url);
  await page.waitForFunction("document.title === 'done'").catch(() => {});
  await projects.write("hot", { [shader]: `\n${LANES.replace("lane", "line")}` });
  await page.waitForFunction("document.title === 'changed'").catch(() => {});
  return (await page.consoleMessages()).map((message) => message.text())
    .filter((text) => !text.startsWith("[vite]")).join("\n");
}

/** Builds each import alone: those that bring more than they may. */
async function sizeProblems(projects: Projects): Promise<string[]> {
  const programs = Object.keys(BYTES_MAX).map((line, index) =>
    [`${index}.js`, `${line}\nconsole.log(${line.match(/{(.*)}/)![1]});`] as const
  );
  await projects.write("sizes", {
    "package.json": MANIFEST,
    "vite.config.js": VITE_CONFIG,
    "sizes.mjs": `
      import { gzipSync } from "node:zlib";
      const { build } = await import(process.argv[2] + "/node_modules/vite/dist/node/index.js");
      for (const input of process.argv.slice(3)) {
        const options = { write: false, modulePreload: false, rollupOptions: { input } };
        const { output: [{ code }] } = await build({ logLevel: "warn", build: options });
        console.log(gzipSync(code).length);
      }`,
    ...Object.fromEntries(programs),
  });
  const files = programs.map(([file]) => file).join(" ");
  const said = await projects.run("sizes", `${INSTALL} && node sizes.mjs ${tools} ${files}`);
  const sizes = said.split("\n");
  return Object.entries(BYTES_MAX).flatMap(([line, bytesMax], index) =>
    Number(sizes[index] || NaN) <= bytesMax
      ? []
      : `${line} brings ${sizes[index]} bytes: at most ${bytesMax}`
  );
}

const { tools, obstacle } = await installTools();
const node24 = obstacle === undefined ? await findNode() : undefined;
const why = obstacle ?? chromiumObstacle() ?? (node24 ? undefined : "there is no Node 24");
if (why !== undefined) console.log(`Skipping the package in fresh projects: ${why}`);

Deno.test("packagePage() names the package's entries, and leaves out links that lead nowhere", () => {
  const page =
    'import { serve } from "./portlab/core/connect/mod.ts"; [a](docs/a.md) [b](https://b.dev)';
  assertEquals(packagePage(page), 'import { serve } from "portlab/connect"; a [b](https://b.dev)');
});

Deno.test("writeModules() rejects an entry that is not there", () => {
  const wrong = () => writeModules("/nowhere", ["core/nothing.ts"]);
  assertThrows(wrong, Error, "core/nothing.ts");
});

Deno.test({
  name: "the package of npm works in fresh projects",
  ignore: why !== undefined,
  async fn() {
    await using projects = await Projects.start(tools, node24!);
    const services = withoutTypes(SERVICES);
    const [node, deno, call, printf, hot, broken, sizes] = await Promise.all([
      inNode(projects, "node"),
      inDeno(projects),
      onPage(projects, "call", { "main.js": withoutTypes(CALL), "services.js": services }),
      onPage(projects, "printf", {
        "main.js": `${PRINTF}\nawait import("./engines.js");`,
        "engines.js": ENGINES,
        "shaders/lanes.wgsl": LANES,
        "vite.config.js": viteConfig(),
      }),
      onHotPage(projects),
      inNode(projects, "broken", BREAK),
      sizeProblems(projects),
    ]);
    assertMatch(broken.js!, /^42\nold\n$/);
    assertMatch(broken.all!, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
    assertMatch(broken.types!, /TS7016.*portlab\/gpu/);
    const [printed, engines] = printf.said!.replaceAll(/BJS.*\n/g, "").replaceAll(
      /red_\d+/g,
      "red_N",
    )
      .split("\nfalse\n");
    assertEquals({ node, deno, call, built: printf.built, printed, engines, hot, sizes }, {
      node: { installed: "", js: "42\n", ts: "42\n", all: "", types: "" },
      deno: { types: "", call: "42\n" },
      call: { built: "", said: "42" },
      built: "",
      printed: PRINTED,
      engines: ENGINES_PRINT,
      hot: `${PRINTED}\n${PRINTED.replaceAll(":2 [", ":3 [").replaceAll("] lane", "] line")}`,
      sizes: [],
    });
  },
});
