/** One thing that the protocol does alike on every runtime. */
export interface Case {
  readonly name: string;
  /** Uses real workers, and blocks: needs a thread that may. Throws when it sees a wrong answer. */
  run(): Promise<unknown>;
  /** What `run` returns; data. */
  readonly expected: unknown;
}

/** What came of a case: data that can cross to another process. */
export type CaseReport =
  | { readonly name: string; readonly value: unknown }
  | { readonly name: string; readonly error: string };

/** Runs cases one after another; whatever goes wrong in one is in its report. */
export async function runCases(cases: readonly Case[]): Promise<CaseReport[]> {
  const reports: CaseReport[] = [];
  for (const { name, run } of cases) {
    try {
      reports.push({ name, value: await run() });
    } catch (error) {
      reports.push({ name, error: error instanceof Error ? error.stack! : String(error) });
    }
  }
  return reports;
}

/** What the reports are when everything is right. */
export function expectedReports(cases: readonly Case[]): CaseReport[] {
  return cases.map(({ name, expected }) => ({ name, value: expected }));
}
