// Lanes normalize four rows at a time and write them side by side, so that a quad of the weight is
// loaded once for all of them. Streamed rows only. Where one of the four takes more than one pass,
// or fewer are left, each is normalized by itself.

const ROWS: u32 = 4u;

fn normalize_rows(first_row: u32, lane: Lane) {
    let rows = min(ROWS, params.rows - first_row);
    var statistics: array<RowStatistics, ROWS>;
    var together = rows == ROWS;
    for (var i = 0u; i < rows; i += 1u) {
        let first = first_pass(x_row(first_row + i), lane);
        together = together && suffices(first.total);
        statistics[i] = first.statistics;
    }
    if (together) {
        write_four_rows(first_row, lane, statistics[0], statistics[1], statistics[2], statistics[3]);
    }
    let rows_apart = select(rows, 0u, together);
    for (var i = 0u; i < rows_apart; i += 1u) {
        normalize_row(first_row + i, lane);
    }
}

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
    write_part(x0, y0, lane, s0);
    write_part(x1, y1, lane, s1);
    write_part(x2, y2, lane, s2);
    write_part(x3, y3, lane, s3);
    if (lane.index == 0u) {
        save_stats(first_row, s0);
        save_stats(first_row + 1u, s1);
        save_stats(first_row + 2u, s2);
        save_stats(first_row + 3u, s3);
    }
}
