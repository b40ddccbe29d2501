// Square roots by Heron's method, one in each thread, written as Fortran's WRITE does.
//   deno task run --threads 4 scenarios/kernels/fortran.wgsl
// With an argument it ends by ERROR STOP with that code.

fn main(argc: u32, argv: u32) -> i32 {
  let number = f32(global_index() + 2u);
  var root = number;
  var step = 0;
  for (; step < 20 && abs(root * root - number) > 1e-5; step++) {
    root = 0.5 * (root + number / root);
  }
  let line = fortran_BeginExternalFormattedOutput("('root of',F5.1,' =',F8.4,I4,' steps')", 6, 13);
  fortran_OutputReal32(line, number);
  fortran_OutputReal32(line, root);
  fortran_OutputInteger32(line, step);
  fortran_EndIoStatement(line);
  if argc > 1u { fortran_StopStatement(atoi(heap_u32(argv + 4u)), true, false); }
  let list = fortran_BeginExternalListOutput(6, 19);
  fortran_OutputAscii(list, "good:");
  fortran_OutputLogical(list, step < 20);
  return fortran_EndIoStatement(list);
}
