import type { ApiServer } from "../../../signature/mod.ts";
import { FileBound } from "../../files/deno_file_bound.ts";
import type { GfortranSymbols } from "./gfortran/gfortran_library.ts";
import { type BegunStatement, IoStatement, refused, type StatementLimits } from "./io_statement.ts";
import {
  isUnitOpen,
  type Outcome,
  performStatement,
  type StatementRecord,
  type TextName,
} from "./gfortran/perform_statement.ts";

/** A caller's STOP or ERROR STOP. */
export interface FortranStopReport {
  /** The `id` of the client. */
  readonly callerId: number;
  /** What a program that stops so exits with. */
  readonly exitCode: number;
  /** What a program that stops so says: `STOP 3`. */
  readonly text: string;
  /** Whether it is an ERROR STOP. */
  readonly isErrorStop: boolean;
  /** Whether the statement asks that nothing is said. */
  readonly isQuiet: boolean;
}

type Stop = Pick<FortranStopReport, "exitCode" | "text" | "isQuiet">;

/** How {@linkcode FortranHost} works. */
export interface FortranHostOptions extends StatementLimits {
  readonly statementsMax: number;
  readonly mapFile: ((name: string) => string | undefined) | undefined;
  readonly onStop: (report: FortranStopReport) => void;
  readonly afterStop: FortranAfterStop;
}

/** What becomes of the calls of a client that stopped: errors, or nothing at all. */
export type FortranAfterStop = "refuse" | "ignore";

interface Caller {
  /** Those that have begun and not ended, the oldest first. */
  readonly statements: Set<IoStatement>;
  stop: string | undefined;
}

/** The statements and stops of all callers of a server, and the units that they opened. */
export class FortranHost {
  readonly #server: ApiServer;
  readonly #symbols: GfortranSymbols;
  readonly #options: FortranHostOptions;
  readonly #callers = new Map<number, Caller>();
  readonly #units: FortranUnits;

  constructor(server: ApiServer, symbols: GfortranSymbols, options: FortranHostOptions) {
    this.#server = server;
    this.#symbols = symbols;
    this.#options = options;
    this.#units = new FortranUnits(symbols, options.mapFile);
  }

  /** How many statements have begun and not ended. */
  get statementCount(): number {
    return this.#callers.values().reduce((sum, { statements }) => sum + statements.size, 0);
  }

  /** Begins a statement of the caller; where it has too many, its oldest is dropped. */
  begin(what: BegunStatement): IoStatement {
    const callerId = this.#server.callerId;
    const { statements } = this.#callerOf(callerId);
    const statement = new IoStatement(what, { callerId, limits: this.#options });
    statements.add(statement);
    const [oldest] = statements;
    if (statements.size > this.#options.statementsMax) this.#forget(oldest!);
    return statement;
  }

  /** A statement that the caller goes on with; throws for that of another, and after a STOP. */
  own(statement: IoStatement): IoStatement {
    const callerId = this.#server.callerId;
    this.#callerOf(callerId);
    if (statement.callerId === callerId) return statement;
    throw new RangeError("Cannot use the handle of an IoStatement as another client began it");
  }

  /** Performs a statement if it was not performed, and says how it ended. */
  perform(statement: IoStatement): Outcome {
    const hasStopped = this.#callers.get(this.own(statement).callerId)?.stop !== undefined;
    if (hasStopped) statement.refuse("The program has stopped", { isHandled: true });
    return statement.finish((record) => this.#perform(record));
  }

  /** As {@linkcode perform}, for who wants what the statement gave; throws where it failed. */
  value(statement: IoStatement): Outcome {
    const outcome = this.perform(statement);
    statement.statusOf(outcome);
    return outcome;
  }

  /** Ends a statement; its IOSTAT. */
  end(statement: IoStatement): number {
    try {
      return statement.statusOf(this.perform(statement));
    } finally {
      if (statement.outcome) this.#forget(statement);
    }
  }

  /** Notes that the caller stopped: what it had under way is dropped, and what comes is refused. */
  stop(isErrorStop: boolean, { exitCode, text, isQuiet }: Stop): void {
    const callerId = this.#server.callerId;
    const caller = this.#callerOf(callerId);
    if (caller.stop !== undefined) return; // to be ignored, as any later call
    caller.stop = `${isErrorStop ? "ERROR STOP" : "STOP"} ${text}`;
    // Whoever is to notice nothing must still have its handles.
    if (this.#options.afterStop === "refuse") {
      for (const statement of caller.statements) this.#forget(statement);
    }
    this.#options.onStop({ callerId, exitCode, text: caller.stop, isErrorStop, isQuiet });
  }

  /** Drops what a client left behind, and that it stopped; how many statements that were. */
  drop(callerId: number): number {
    const statements = [...this.#callers.get(callerId)?.statements ?? []];
    for (const statement of statements) this.#forget(statement);
    this.#callers.delete(callerId);
    return statements.length;
  }

  /** Closes the units that callers opened and left open, so that their files are complete. */
  [Symbol.dispose](): void {
    for (const unit of this.#units.opened) {
      const nothing = { line: 0, texts: new Map(), items: [] };
      performStatement(this.#symbols, { form: "close", unit, ...nothing });
    }
    this.#units.bound[Symbol.dispose]();
  }

  #callerOf(callerId: number): Caller {
    const caller = this.#callers.get(callerId) ?? { statements: new Set(), stop: undefined };
    if (caller.stop !== undefined && this.#options.afterStop === "refuse") {
      throw new Error(`Cannot go on as the program has stopped: ${caller.stop}`);
    }
    this.#callers.set(callerId, caller);
    return caller;
  }

  #forget(statement: IoStatement): void {
    const { callerId } = statement;
    this.#server.takeBack("IoStatement", statement);
    const caller = this.#callers.get(callerId);
    caller?.statements.delete(statement);
    if (caller?.statements.size === 0 && caller.stop === undefined) this.#callers.delete(callerId);
  }

  #perform(record: StatementRecord): Outcome {
    const admitted = this.#units.admit(record);
    if (typeof admitted === "string") return refused(admitted);
    const outcome = performStatement(this.#symbols, admitted);
    this.#units.note(record, outcome);
    return outcome;
  }
}

const decoder = new TextDecoder();

/** Standard error, input and output: of the process, and so of all who write and read there. */
const PROCESS_UNITS: readonly (number | undefined)[] = [0, 5, 6];

/** Which statements may be performed, by their units and files. */
class FortranUnits {
  /** Units that statements opened and did not close; another server may have. */
  readonly opened = new Set<number>();
  /** How many these are. */
  readonly bound = new FileBound();
  readonly #symbols: GfortranSymbols;
  readonly #mapFile: FortranHostOptions["mapFile"];

  constructor(symbols: GfortranSymbols, mapFile: FortranHostOptions["mapFile"]) {
    this.#symbols = symbols;
    this.#mapFile = mapFile;
  }

  /**
   * A statement as it may be performed, or why it may not: left to itself, the library opens `fort.10`
   * for a unit that is not open.
   */
  admit(record: StatementRecord): StatementRecord | string {
    const { form, unit, texts } = record;
    const isAsking = form === "inquire";
    if (!isAsking && form !== "write" && form !== "read" && PROCESS_UNITS.includes(unit)) {
      return `Unit ${unit} is the process's own, for WRITE and READ only: take another unit`;
    }
    // The library has negative units for texts in memory, too, and keeps them when these are gone.
    if (unit !== undefined && unit < 0 && !this.opened.has(unit)) {
      return `Unit ${unit} is not open`;
    }
    if (isAsking) {
      const name = texts.get("file");
      return name ? this.#withFile(record, decoder.decode(name).trimEnd()) : record;
    }
    const isNew = form === "open" && (unit === undefined || !this.opened.has(unit));
    if (isNew && this.bound.isFull) return "Too many files are open: close some";
    const isOpen = unit === undefined || form === "close" || isUnitOpen(this.#symbols, unit);
    if (form !== "open") return isOpen ? record : `Unit ${unit} is not open`;
    const file = texts.get("file");
    if (file) return this.#withFile(record, decoder.decode(file).trimEnd());
    const isScratch = /^scratch *$/i.test(decoder.decode(texts.get("status")));
    if (isScratch || (unit !== undefined && isOpen)) return record;
    return "OPEN must name a file, or have status scratch";
  }

  /** Notes the unit of a statement that was performed, if it opened or closed one. */
  note({ form, unit }: StatementRecord, { iostat, newUnit }: Outcome): void {
    if (iostat !== 0) return;
    const opened = unit ?? newUnit;
    if (form === "open" && !this.opened.has(opened)) {
      this.bound.take("open a unit");
      this.opened.add(opened);
    }
    if (form === "close" && this.opened.delete(opened)) this.bound.give();
  }

  #withFile(record: StatementRecord, name: string): StatementRecord | string {
    const mapFile = this.#mapFile;
    if (!mapFile) return "This server opens no files";
    try {
      const path: unknown = mapFile(name) ?? undefined;
      if (path === undefined) return `File ${name} may not be opened`;
      if (typeof path !== "string") {
        throw new TypeError(`mapFile must give a path, or undefined: current value is ${path}`);
      }
      const file = new TextEncoder().encode(path);
      const texts = new Map<TextName, Uint8Array>([...record.texts, ["file", file]]);
      return { ...record, texts };
    } catch (error) {
      return `File ${name} may not be opened: ${error instanceof Error ? error.message : error}`;
    }
  }
}
