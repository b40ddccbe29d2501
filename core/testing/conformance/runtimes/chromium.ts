import { existsSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium, type Page } from "playwright-core";
import { writeModules } from "../../../../.ci/pack.ts";

/** The package's, of the folder that Deno keeps it in. */
const VERSION = import.meta.resolve("@sparticuz/chromium").match(/\d+\.\d+\.\d+/)![0];

/** Where a page finds the core and the suite, in folders as those of the sources. */
export const CORE = "/core/mod.js";
export const GPU = "/core/gpu/mod.js";
export const PRINTF = "/core/gpu/print/mod.js";
export const SUITE = "/core/testing/conformance/runtimes/page.js";

/** The last three give pages an adapter on machines without one. */
const BROWSER_ARGS = [
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
];

/** What makes a page cross-origin isolated, without which it has no shared memory. */
const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** Why there is no browser here, or `undefined` when there is one. */
export function chromiumObstacle(): string | undefined {
  const { os, arch } = Deno.build;
  if (os === "linux" && arch === "x86_64") return undefined;
  return `the packaged Chromium is built for linux x86_64 and this is ${os} ${arch}`;
}

/**
 * The program of the browser, unpacked once for each version.
 *
 * The package unpacks into the folder of temporary files, in place: a process that is ended meanwhile
 * would leave a part of a browser to all that come later, and one that comes meanwhile would start it.
 * So it is told another folder, which gets its name when it is complete.
 */
export async function chromiumPath(): Promise<string> {
  const temporary = Deno.env.get("TMPDIR") ?? "/tmp";
  const folder = `${temporary}/portlab-chromium-${VERSION}`;
  const path = `${folder}/chromium`;
  if (existsSync(path)) return path;
  const draft = await Deno.makeTempDir({ dir: temporary });
  Deno.env.set("TMPDIR", draft);
  try {
    await sparticuz.executablePath();
  } finally {
    Deno.env.set("TMPDIR", temporary);
  }
  // Whoever comes second finds a folder that is not empty, and takes what is there.
  await Deno.rename(draft, folder).catch(() => Deno.remove(draft, { recursive: true }));
  return path;
}

/** A Chromium, and a server that gives its pages the files of a folder. */
export class PageBed implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #browser: Browser;

  private constructor(folder: string, browser: Browser) {
    const onListen = () => {};
    this.#server = Deno.serve({ port: 0, onListen }, (request) => answer(request, folder));
    this.#browser = browser;
  }

  /** Serves a folder, whose `index.html` is used where it has one. */
  static async start(folder: string): Promise<PageBed> {
    const executablePath = await chromiumPath();
    return new PageBed(folder, await chromium.launch({ executablePath, args: BROWSER_ARGS }));
  }

  /** Serves the core and the suite, as modules of JavaScript. */
  static async startSuite(): Promise<PageBed> {
    const folder = await Deno.makeTempDir();
    addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
    writeModules(
      folder,
      [CORE, GPU, PRINTF, SUITE].map((path) => path.slice(1).replace(/js$/, "ts")),
    );
    return await PageBed.start(folder);
  }

  /** Opens `isolated.html`, or `plain.html`, which is served without the headers. */
  async open({ isIsolated }: { readonly isIsolated: boolean }): Promise<Page> {
    const page = await this.#browser.newPage();
    page.setDefaultTimeout(20_000);
    const { port } = this.#server.addr;
    await page.goto(`http://localhost:${port}/${isIsolated ? "isolated" : "plain"}.html`);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.#server.shutdown();
  }
}

async function answer(request: Request, folder: string): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isPage = pathname.endsWith(".html");
  const headers = {
    "content-type": isPage ? "text/html" : "text/javascript",
    "cache-control": "max-age=3600", // every worker loads the modules
    ...pathname !== "/plain.html" && ISOLATED,
  };
  const path = folder + (isPage ? "/index.html" : pathname);
  const body = await Deno.readFile(path).catch(() => undefined);
  if (!body && !isPage) return new Response("Not found", { status: 404 });
  return new Response(body ?? "<!doctype html><title>portlab</title>", { headers });
}
