// The whole quads of four rows side by side, one quad of each at a time; those rows are stored whose bit
// of `stored` is set. Where there are fewer than four, the last is read in place of those that lack.

fn write_four_rows(
    first_row: u32,
    rows: u32,
    lane: Lane,
    stored: u32,
    s0: RowStatistics,
    s1: RowStatistics,
    s2: RowStatistics,
    s3: RowStatistics,
) {
    let row1 = first_row + min(1u, rows - 1u);
    let row2 = first_row + min(2u, rows - 1u);
    let row3 = first_row + min(3u, rows - 1u);
    let x0 = x_row(first_row);
    let x1 = x_row(row1);
    let x2 = x_row(row2);
    let x3 = x_row(row3);
    let y0 = y_row(first_row);
    let y1 = y_row(row1);
    let y2 = y_row(row2);
    let y3 = y_row(row3);
    for (var quad = lane.index; quad < DIM / 4u; quad += lane.count) {
        let weight = load_weight(quad);
        let bias = load_bias(quad);
        let v0 = affine(load_x(x0, quad), s0, weight, bias);
        let v1 = affine(load_x(x1, quad), s1, weight, bias);
        let v2 = affine(load_x(x2, quad), s2, weight, bias);
        let v3 = affine(load_x(x3, quad), s3, weight, bias);
        if ((stored & 1u) != 0u) { store_y(y0, quad, v0); }
        if ((stored & 2u) != 0u) { store_y(y1, quad, v1); }
        if ((stored & 4u) != 0u) { store_y(y2, quad, v2); }
        if ((stored & 8u) != 0u) { store_y(y3, quad, v3); }
    }
}
