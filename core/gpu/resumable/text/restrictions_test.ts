import { assertThrows } from "@std/assert";
import { channelLayout } from "../../../toggle/layout.ts";
import { KernelCompileError } from "../../wgsl/kernel_compile.ts";
import { kernelSource } from "../../wgsl/kernel_source.ts";

const SQUARE = "@service(40000) fn square(x: u32) -> u32;\n";

Deno.test("checkStatements() takes a function that gives back in every way", () => {
  const layout = channelLayout({ portCount: 1, laneCount: 1 });
  for (
    const body of [
      "loop { if square(1u) == 1u { return 1u; } }",
      "for (;;) { switch square(1u) { case 1u: { continue; } default: { return 1u; } } }",
      "if square(1u) == 1u { return 1u; } else if true { return 2u; } else { return 3u; }",
      "var a = 1u; { let a = &a; *a = 2u; } _ = square(a); a = 2u; let p = &a; *p = 3u; return a;",
      "var v = vec2u(); let p = &v; p.x = 1u; (*p).y += p.x; return square(v.y);",
      "for (var a = 1u; a < 2u; a++) { var a = square(1u); a++; } return 1u;",
    ]
  ) kernelSource(`${SQUARE}fn f() -> u32 { ${body} }\nfn kernel() { _ = f(); }`, { layout });
});

Deno.test("checkStatements() refuses a function that has a way without a return", () => {
  const layout = channelLayout({ portCount: 1, laneCount: 1 });
  for (
    const body of [
      "_ = square(1u);",
      "while square(1u) == 1u { return 1u; }",
      "loop { if square(1u) == 1u { break; } return 1u; }",
      "loop { _ = square(1u); continuing { break if true; } }",
      "switch square(1u) { case 1u: {} default: { return 1u; } }",
      "switch square(1u) { case 1u: { if true { break; } return 1u; } default: { return 1u; } }",
      "if square(1u) == 1u { return 1u; } else if true { return 2u; }",
    ]
  ) {
    const source = `${SQUARE}fn f() -> u32 { ${body} }\nfn kernel() { _ = f(); }`;
    assertThrows(
      () => kernelSource(source, { layout }),
      KernelCompileError,
      "f gives a value back, and a way through it has no return",
    );
  }
});
