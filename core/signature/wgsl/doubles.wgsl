// Doubles as pairs of words, low word first: WGSL has floats only. There is no branch in here, as a
// software adapter compiles each use anew.

// The same number, exactly; NaN stays NaN.
fn double_bits(value: f32) -> vec2u {
  let bits = bitcast<u32>(value);
  let exponent = (bits >> 23u) & 0xffu;
  let fraction = bits & 0x7fffffu;
  // Below the normal floats the first bit of the fraction becomes the one that is not written.
  let shift = select(0u, countLeadingZeros(fraction) - 8u, exponent == 0u);
  let finite = select(exponent + 896u, 897u - shift, exponent == 0u);
  let wide = select(select(finite, 0x7ffu, exponent == 0xffu), 0u, (bits << 1u) == 0u);
  let kept = (fraction << shift) & 0x7fffffu;
  return vec2u(kept << 29u, (bits & 0x80000000u) | (wide << 20u) | (kept >> 3u));
}

// The nearest float, ties to the even one; what is too large becomes infinite.
fn double_value(bits: vec2u) -> f32 {
  return bitcast<f32>(double_float_bits(bits));
}

fn double_float_bits(bits: vec2u) -> u32 {
  let wide = (bits.y >> 20u) & 0x7ffu;
  let exponent = i32(wide) - 896;
  // The bit that is not written, 30 of the 52 others, and whether one of the rest is set.
  let high = 0x40000000u | ((bits.y & 0xfffffu) << 10u) | (bits.x >> 22u);
  let is_small = exponent <= 0;
  let shift = select(0u, u32(min(1 - exponent, 31)), is_small);
  let rest = (bits.x << 10u) | (high & ((1u << shift) - 1u));
  let shifted = (high >> shift) | min(rest, 1u);
  let rounded = (shifted + 63u + ((shifted >> 7u) & 1u)) >> 7u;
  // The bit that is not written adds 1 to the exponent, and a carry goes on into it.
  let finite = select(u32(exponent - 1) << 23u, 0u, is_small) + rounded;
  let is_nan = wide == 0x7ffu && ((bits.y << 12u) | bits.x) != 0u;
  let large = 0x7f800000u | select(0u, 0x400000u, is_nan);
  return (bits.y & 0x80000000u) | select(finite, large, exponent >= 255);
}
