import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium, type Page } from "playwright-core";
import { bundleCore } from "../../../../.ci/bundle.ts";

/** Modules of the tests that a page or one of its workers loads. */
const TEST_MODULES = [
  "core/testing/conformance/runtimes/page.ts",
  "core/testing/conformance/runtimes/suite_worker.ts",
  "core/testing/conformance/client_worker.ts",
  "core/testing/conformance/services.ts",
];

/** Where a page finds the core, as it would in `dist/`, and the suite. */
export const CORE = "/mod.js";
export const SUITE = "/testing/conformance/runtimes/page.js";

export const GPU = "/gpu/mod.js";

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

/** A Chromium, and servers that give its pages the bundled core. */
export class PageBed implements AsyncDisposable {
  readonly #folder: string;
  readonly #servers = new Map<string, Deno.HttpServer<Deno.NetAddr>>();
  readonly #browser: Browser;

  private constructor(folder: string, browser: Browser) {
    this.#folder = folder;
    this.#browser = browser;
  }

  static async start(): Promise<PageBed> {
    const folder = await Deno.makeTempDir();
    await bundleCore(folder, TEST_MODULES);
    const executablePath = await sparticuz.executablePath();
    return new PageBed(folder, await chromium.launch({ executablePath, args: BROWSER_ARGS }));
  }

  /**
   * Opens a page; one that is not isolated is served without the headers.
   *
   * @param options.folder where its scripts are, if not in the bundle that has the tests, too
   */
  async open(options: { readonly isIsolated: boolean; readonly folder?: string }): Promise<Page> {
    const page = await this.#browser.newPage();
    page.setDefaultTimeout(20_000);
    const { port } = this.#serverOf(options.folder ?? this.#folder).addr;
    await page.goto(`http://localhost:${port}/${options.isIsolated ? "isolated" : "plain"}.html`);
    return page;
  }

  #serverOf(folder: string): Deno.HttpServer<Deno.NetAddr> {
    const known = this.#servers.get(folder);
    if (known) return known;
    const onListen = () => {};
    const server = Deno.serve({ port: 0, onListen }, (request) => answer(request, folder));
    this.#servers.set(folder, server);
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await Promise.all([...this.#servers.values()].map((server) => server.shutdown()));
    await Deno.remove(this.#folder, { recursive: true });
  }
}

async function answer(request: Request, folder: string): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isolation = pathname === "/plain.html" ? {} : ISOLATED;
  if (pathname.endsWith(".html")) {
    const headers = { "content-type": "text/html", ...isolation };
    return new Response("<!doctype html><title>portlab</title>", { headers });
  }
  try {
    const script = await Deno.readFile(folder + pathname);
    return new Response(script, { headers: { "content-type": "text/javascript", ...isolation } });
  } catch {
    return new Response("Not found", { status: 404 });
  }
}
