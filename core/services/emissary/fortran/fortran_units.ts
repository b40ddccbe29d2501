import type { TextName } from "./gfortran/parameter_block.ts";
import type { Outcome, StatementRecord } from "./gfortran/perform_statement.ts";

const decoder = new TextDecoder();

/** Standard error, input and output: of the process, and so of all who write and read there. */
const PROCESS_UNITS: readonly (number | undefined)[] = [0, 5, 6];

/** What is asked about units and files. */
export interface UnitsOptions {
  /** Whether a unit is open in this process. */
  readonly isOpen: (unit: number) => boolean;
  /** The path of a file by the name that an OPEN has; throws for one that may not be opened. */
  readonly mapFile: ((name: string) => string) | undefined;
}

/** Which statements may be performed, by their units and files. */
export class FortranUnits {
  readonly #options: UnitsOptions;
  readonly #opened = new Set<number>();

  constructor(options: UnitsOptions) {
    this.#options = options;
  }

  /** Units that statements opened and did not close; another server may have. */
  get opened(): ReadonlySet<number> {
    return this.#opened;
  }

  /**
   * A statement as it may be performed, or why it may not: left to itself, the library opens `fort.10`
   * for a unit that is not open.
   */
  admit(record: StatementRecord): StatementRecord | string {
    const { form, unit, texts } = record;
    if (form !== "write" && form !== "read" && PROCESS_UNITS.includes(unit)) {
      return `Unit ${unit} is the process's own, for WRITE and READ only: take another unit`;
    }
    // The library has negative units for texts in memory, too, and keeps them when these are gone.
    if (unit !== undefined && unit < 0 && !this.#opened.has(unit)) {
      return `Unit ${unit} is not open`;
    }
    const isOpen = unit === undefined || form === "close" || this.#options.isOpen(unit);
    if (form !== "open") return isOpen ? record : `Unit ${unit} is not open`;
    const file = texts.get("file");
    if (file) return this.#withFile(record, decoder.decode(file).trimEnd());
    const isScratch = /^scratch *$/i.test(decoder.decode(texts.get("status")));
    if (isScratch || (unit !== undefined && isOpen)) return record;
    return "OPEN must name a file, or have status scratch";
  }

  /** Notes the unit of a statement that was performed, if it opened or closed one. */
  note({ form, unit }: StatementRecord, { iostat, newUnit }: Outcome): void {
    if (form === "open" && iostat === 0) this.#opened.add(unit ?? newUnit);
    if (form === "close" && iostat === 0 && unit !== undefined) this.#opened.delete(unit);
  }

  #withFile(record: StatementRecord, name: string): StatementRecord | string {
    const { mapFile } = this.#options;
    if (!mapFile) return "This server opens no files";
    try {
      const path = new TextEncoder().encode(mapFile(name));
      const texts = new Map<TextName, Uint8Array>([...record.texts, ["file", path]]);
      return { ...record, texts };
    } catch (error) {
      return `File ${name} may not be opened: ${error instanceof Error ? error.message : error}`;
    }
  }
}
