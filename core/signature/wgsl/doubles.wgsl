// Doubles as pairs of words, low word first: WGSL has floats only.

// The same number, exactly; NaN stays NaN.
fn double_bits(value: f32) -> vec2u {
  let bits = bitcast<u32>(value);
  let sign = bits & 0x80000000u;
  var exponent = (bits >> 23u) & 0xffu;
  var fraction = bits & 0x7fffffu;
  if exponent == 0u && fraction == 0u { return vec2u(0u, sign); }
  if exponent == 0xffu { exponent = 0x7ffu; } else if exponent > 0u { exponent += 896u; } else {
    // Below the normal floats: the first bit of the fraction becomes the one that is not written.
    let shift = countLeadingZeros(fraction) - 8u;
    fraction = (fraction << shift) & 0x7fffffu;
    exponent = 897u - shift;
  }
  return vec2u(fraction << 29u, sign | (exponent << 20u) | (fraction >> 3u));
}

// The nearest float, ties to the even one; what is too large becomes infinite.
fn double_value(bits: vec2u) -> f32 {
  return bitcast<f32>(double_float_bits(bits));
}

fn double_float_bits(bits: vec2u) -> u32 {
  let sign = bits.y & 0x80000000u;
  let wide = (bits.y >> 20u) & 0x7ffu;
  let fraction = ((bits.y & 0xfffffu) << 3u) | (bits.x >> 29u);
  let rest = bits.x & 0x1fffffffu;
  if wide == 0x7ffu { return sign | 0x7f800000u | select(0u, 0x400000u, (fraction | rest) != 0u); }
  let exponent = i32(wide) - 896;
  if exponent >= 255 { return sign | 0x7f800000u; }
  if exponent < -23 { return sign; }
  if exponent > 0 {
    let kept = (u32(exponent) << 23u) | fraction;
    let half = 0x10000000u;
    let up = rest > half || (rest == half && (fraction & 1u) == 1u);
    return sign | (kept + select(0u, 1u, up)); // a carry goes on into the exponent
  }
  let shift = u32(1 - exponent);
  let whole = fraction | 0x800000u;
  let kept = whole >> shift;
  let dropped = whole & ((1u << shift) - 1u);
  let half = 1u << (shift - 1u);
  let is_tie = dropped == half && rest == 0u;
  let up = dropped >= half && (!is_tie || (kept & 1u) == 1u);
  return sign | (kept + select(0u, 1u, up));
}
