// Writes records to the folder that it is given until that fails, then prints the error's text and how
// many records were written.
import { RecordWriter } from "../writer.ts";
import { sampleRecord } from "./sample_record.ts";

using writer = await RecordWriter.create(Deno.args[0]!, { runId: "a" });
try {
  for (;;) await writer.write(sampleRecord);
} catch (error) {
  const text = JSON.stringify([(error as Error).message, writer.records.length]);
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
