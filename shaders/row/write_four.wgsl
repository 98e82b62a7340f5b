// The whole quads of four rows side by side, one quad of each at a time.

fn write_four_rows(
    first_row: u32,
    lane: Lane,
    s0: RowStatistics,
    s1: RowStatistics,
    s2: RowStatistics,
    s3: RowStatistics,
) {
    let x0 = x_row(first_row);
    let x1 = x_row(first_row + 1u);
    let x2 = x_row(first_row + 2u);
    let x3 = x_row(first_row + 3u);
    let y0 = y_row(first_row);
    let y1 = y_row(first_row + 1u);
    let y2 = y_row(first_row + 2u);
    let y3 = y_row(first_row + 3u);
    for (var quad = lane.index; quad < DIM / 4u; quad += lane.count) {
        let weight = load_weight(quad);
        let bias = load_bias(quad);
        let v0 = affine(load_x(x0, quad), s0, weight, bias);
        let v1 = affine(load_x(x1, quad), s1, weight, bias);
        let v2 = affine(load_x(x2, quad), s2, weight, bias);
        let v3 = affine(load_x(x3, quad), s3, weight, bias);
        store_y(y0, quad, v0);
        store_y(y1, quad, v1);
        store_y(y2, quad, v2);
        store_y(y3, quad, v3);
    }
}
