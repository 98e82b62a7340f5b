// The whole quads of four rows side by side, four quads of each at a time: a lane that is alone with its
// rows uses up the cache line it has loaded before rows at the same place of a page push it out.

struct FourQuads {
    a: vec4f,
    b: vec4f,
    c: vec4f,
    d: vec4f,
}

fn write_four_quads(row: u32, s: RowStatistics, quad: u32, step: u32, weight: FourQuads, bias: FourQuads) {
    let x_start = x_row(row);
    let y_start = y_row(row);
    let a = affine(load_x(x_start, quad), s, weight.a, bias.a);
    let b = affine(load_x(x_start, quad + step), s, weight.b, bias.b);
    let c = affine(load_x(x_start, quad + 2u * step), s, weight.c, bias.c);
    let d = affine(load_x(x_start, quad + 3u * step), s, weight.d, bias.d);
    store_y(y_start, quad, a);
    store_y(y_start, quad + step, b);
    store_y(y_start, quad + 2u * step, c);
    store_y(y_start, quad + 3u * step, d);
}

fn write_four_rows(
    first_row: u32,
    lane: Lane,
    s0: RowStatistics,
    s1: RowStatistics,
    s2: RowStatistics,
    s3: RowStatistics,
) {
    let step = lane.count;
    var quad = lane.index;
    for (; quad + 3u * step < DIM / 4u; quad += 4u * step) {
        let q1 = quad + step;
        let q2 = q1 + step;
        let q3 = q2 + step;
        let weight = FourQuads(load_weight(quad), load_weight(q1), load_weight(q2), load_weight(q3));
        let bias = FourQuads(load_bias(quad), load_bias(q1), load_bias(q2), load_bias(q3));
        write_four_quads(first_row, s0, quad, step, weight, bias);
        write_four_quads(first_row + 1u, s1, quad, step, weight, bias);
        write_four_quads(first_row + 2u, s2, quad, step, weight, bias);
        write_four_quads(first_row + 3u, s3, quad, step, weight, bias);
    }
    for (; quad < DIM / 4u; quad += step) {
        let weight = load_weight(quad);
        let bias = load_bias(quad);
        store_y(y_row(first_row), quad, affine(load_x(x_row(first_row), quad), s0, weight, bias));
        store_y(y_row(first_row + 1u), quad, affine(load_x(x_row(first_row + 1u), quad), s1, weight, bias));
        store_y(y_row(first_row + 2u), quad, affine(load_x(x_row(first_row + 2u), quad), s2, weight, bias));
        store_y(y_row(first_row + 3u), quad, affine(load_x(x_row(first_row + 3u), quad), s3, weight, bias));
    }
}
