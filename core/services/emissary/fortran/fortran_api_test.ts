import { assertEquals } from "@std/assert";
import { callShape } from "../../../signature/wire/call_shape.ts";
import { fortranApi } from "./fortran_api.ts";

Deno.test("fortranApi has flang's functions, which fit a packet where they have no text", () => {
  const entries = Object.entries(fortranApi.functions);
  const streams = entries.filter(([, { signature }]) => !callShape(signature).flat);
  assertEquals(streams.map(([name]) => name), [
    "BeginExternalFormattedOutput",
    "BeginExternalFormattedInput",
    "BeginInternalFormattedOutput",
    "BeginInternalListInput",
    "BeginInternalFormattedInput",
    "BeginInquireFile",
    "SetAdvance",
    "SetFile",
    "SetStatus",
    "SetPosition",
    "SetAction",
    "SetDelim",
    "SetAccess",
    "SetForm",
    "OutputAscii",
    "OutputCharacter",
    "KeepCharacter",
    "GetCharacter",
    "GetInternal",
    "GetIoMsg",
    "InquireLogical",
    "InquireInteger64",
    "InquireCharacter",
    "StopStatementText",
  ]);
  const { BeginExternalListOutput, OutputComplex64, InputInteger } = fortranApi.functions;
  assertEquals([BeginExternalListOutput.text, OutputComplex64.text, InputInteger.text], [
    "fortran.BeginExternalListOutput(i32, i32) -> Handle<IoStatement>",
    "fortran.OutputComplex64(Handle<IoStatement>, f64, f64) -> bool",
    "fortran.InputInteger(Handle<IoStatement>, i32) -> i32",
  ]);
});
