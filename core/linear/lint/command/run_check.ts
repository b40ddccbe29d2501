import { checkFiles } from "./check_files.ts";

/** @returns the exit code */
export async function runCheck(args: readonly string[]): Promise<number> {
  const paths = args.filter((one) => !one.startsWith("-")).map((one) =>
    one.startsWith("/") ? one : `${Deno.cwd()}/${one}`
  );
  const report = await checkFiles(paths);
  console.log(JSON.stringify(report));
  return report.findings.length ? 1 : 0;
}
