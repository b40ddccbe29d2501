import { withPrintf } from "../../core/gpu/print/mod.ts";
import { TextFault } from "../../core/gpu/text/lines.ts";
import { tryModule } from "../../core/gpu/text/module.ts";
import { Printer } from "../../core/gpu/text/printer.ts";

/** Each takes a software adapter some 25 ms to compile. */
const CALLS_MAX = 3;

/**
 * Puts a `printf` of the first parameter, where it can be shown, and an `assert` that holds into functions that may
 * print, entry points first.
 */
export function withCalls(code: string): string | undefined {
  const module = tryModule(code);
  if (module instanceof TextFault) return undefined;
  const reached = (...stages: readonly string[]) =>
    module.reached(stages.flatMap((stage) => module.entries(stage)));
  const printing = [...reached("compute", "fragment").difference(reached("vertex"))];
  const inserted = new Map<number, string>();
  const written = () =>
    new Printer(module.source, () => undefined, inserted).module(module.globals).text;
  for (const { name, body, parameters } of printing.slice(0, CALLS_MAX)) {
    const place = body!.open + 1;
    const value = parameters[0]?.name;
    const call = (shown: string) =>
      ` printf("${name}${shown ? " %v" : ""}\\n"${shown}); assert(printf_never == 0u);`;
    for (const shown of [...value ? [`, ${value}`] : [], ""]) {
      inserted.set(place, call(shown));
      if (prints(written())) break;
      inserted.delete(place);
    }
  }
  return inserted.size > 0 ? `${written()}\nvar<private> printf_never: u32;\n` : undefined;
}

function prints(code: string): boolean {
  try {
    withPrintf(code);
    return true;
  } catch {
    return false;
  }
}
