// A row is read in quads: quad q holds elements 4q to 4q + 3, whatever their alignment, so that the
// order of summation follows the index in the row. The last elements of a row whose length is no
// multiple of 4 are a partial quad, zero where the row has ended.

// The sum of a quad's elements, pairwise.
fn quad_sum(v: vec4f) -> f32 {
    return (v.x + v.y) + (v.z + v.w);
}

// The largest magnitude in a quad.
fn quad_max(v: vec4f) -> f32 {
    let a = abs(v);
    return max(max(a.x, a.y), max(a.z, a.w));
}

// The first `count` elements of a quad, zero elsewhere.
fn first_of_quad(v: vec4f, count: u32) -> vec4f {
    return select(vec4f(), v, vec4u(0u, 1u, 2u, 3u) < vec4u(count));
}
