import { assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { listNotebooks } from "./notebook_files.ts";

/** Another client of the same kernel: Jupyter's own. It stops at the first error of a cell. */
const PROGRAM = `
import sys, nbformat
from nbclient import NotebookClient
for path in sys.argv[2:]:
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": sys.argv[1]}}
    NotebookClient(notebook, timeout=120, kernel_name="deno", resources=resources).execute()
`;

/** The first Python here that has nbclient; Debian's own stands beside others. */
async function findPython(): Promise<string | undefined> {
  for (const python of ["python3", "/usr/bin/python3"]) {
    try {
      const args = ["-c", "import nbclient, nbformat"];
      const { success } = await new Deno.Command(python, { args, stderr: "null" }).output();
      if (success) return python;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return undefined;
}

const python = await findPython();
if (!python) console.log("Notebooks were not run by nbclient: no Python here has it");

Deno.test({
  name: "every notebook runs from top to bottom in Jupyter's own client",
  ignore: python === undefined,
  async fn() {
    const data = await Deno.makeTempDir();
    try {
      const env = { XDG_DATA_HOME: data, JUPYTER_PATH: join(data, "jupyter") };
      const install = ["jupyter", "--install", "--force"];
      await new Deno.Command(Deno.execPath(), { args: install, env, stderr: "null" }).output();
      const paths = listNotebooks();
      const args = ["-c", PROGRAM, dirname(paths[0]!), ...paths];
      const { success, stderr } = await new Deno.Command(python!, { args, env }).output();
      assertEquals([success, success ? "" : new TextDecoder().decode(stderr)], [true, ""]);
    } finally {
      await Deno.remove(data, { recursive: true });
    }
  },
});
