// The whole quads of four rows side by side, one quad of each at a time. Addresses are counted on from row
// to row: compilers for a CPU have few registers for eight of them.

fn write_four_rows(
    first_row: u32,
    lane: Lane,
    s0: RowStatistics,
    s1: RowStatistics,
    s2: RowStatistics,
    s3: RowStatistics,
) {
    let x_start = x_row(first_row);
    let y_start = y_row(first_row);
    for (var quad = lane.index; quad < DIM / 4u; quad += lane.count) {
        let weight = load_weight(quad);
        let bias = load_bias(quad);
        var x_at = x_start;
        var y_at = y_start;
        store_y(y_at, quad, affine(load_x(x_at, quad), s0, weight, bias));
        x_at += x_step();
        y_at += y_step();
        store_y(y_at, quad, affine(load_x(x_at, quad), s1, weight, bias));
        x_at += x_step();
        y_at += y_step();
        store_y(y_at, quad, affine(load_x(x_at, quad), s2, weight, bias));
        x_at += x_step();
        y_at += y_step();
        store_y(y_at, quad, affine(load_x(x_at, quad), s3, weight, bias));
    }
}
