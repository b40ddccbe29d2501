import { assertEquals } from "@std/assert";
import { callShape } from "../../../signature/wire/call_shape.ts";
import { fortranApi } from "./fortran_api.ts";

Deno.test("fortranApi has flang's functions, which fit a packet where they have no text", () => {
  const entries = Object.entries(fortranApi.functions);
  const streams = entries.filter(([, { signature }]) => !callShape(signature).flat);
  const begin =
    "ExternalFormattedOutput ExternalFormattedInput InternalFormattedOutput InternalListInput";
  const expected = [
    ...words("Begin", `${begin} InternalFormattedInput InquireFile`),
    ...words("Set", "Advance File Status Position Action Delim Access Form"),
    ...["OutputAscii", "OutputCharacter", "KeepCharacter"],
    ...words("Get", "Character Internal IoMsg"),
    ...words("Inquire", "Logical Integer64 Character"),
    "StopStatementText",
  ];
  assertEquals(streams.map(([name]) => name), expected);
  const { BeginExternalListOutput, OutputComplex64, InputInteger } = fortranApi.functions;
  assertEquals([BeginExternalListOutput.text, OutputComplex64.text, InputInteger.text], [
    "fortran.BeginExternalListOutput(i32, i32) -> Handle<IoStatement>",
    "fortran.OutputComplex64(Handle<IoStatement>, f64, f64) -> bool",
    "fortran.InputInteger(Handle<IoStatement>, i32) -> i32",
  ]);
});

function words(first: string, ends: string): string[] {
  return ends.split(" ").map((end) => `${first}${end}`);
}
