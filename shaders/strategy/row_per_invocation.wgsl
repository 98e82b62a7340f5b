// y = (x − shift) · scale · weight + bias, four rows per invocation; no reduction.
// Who: every invocation is the one lane of each of its rows. It writes its four rows side by side, so
// that a quad of the weight is loaded once for all of them.
// Needs: params, access, statistic, normalize, affine, stats, no reduction, and the row streamed.
// Assumes: nothing about rows, offsets and strides beyond the access files chosen. An invocation
// whose last rows lie beyond the end repeats the last row's statistics and does not write them.

const ROWS: u32 = 4u;

@compute @workgroup_size(WORKGROUP)
fn rownorm(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(num_workgroups) workgroups: vec3u,
    @builtin(local_invocation_index) index: u32,
) {
    let first_row = (workgroup_index(workgroup, workgroups) * WORKGROUP + index) * ROWS;
    if (first_row >= params.rows) {
        return;
    }
    let rows = min(ROWS, params.rows - first_row);
    let alone = Lane(0u, 1u);
    var statistics: array<RowStatistics, ROWS>;
    for (var i = 0u; i < rows; i += 1u) {
        statistics[i] = row_statistics(x_row(first_row + i), alone);
        save_stats(first_row + i, statistics[i]);
    }
    if (rows == ROWS) {
        let s0 = statistics[0];
        let s1 = statistics[1];
        let s2 = statistics[2];
        let s3 = statistics[3];
        let x0 = x_row(first_row);
        let x1 = x_row(first_row + 1u);
        let x2 = x_row(first_row + 2u);
        let x3 = x_row(first_row + 3u);
        let y0 = y_row(first_row);
        let y1 = y_row(first_row + 1u);
        let y2 = y_row(first_row + 2u);
        let y3 = y_row(first_row + 3u);
        for (var quad = 0u; quad < DIM / 4u; quad += 1u) {
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
        if (DIM % 4u != 0u) {
            let quad = DIM / 4u;
            let part = DIM % 4u;
            let weight = load_weight_part(quad, part);
            let bias = load_bias_part(quad, part);
            store_y_part(y0, quad, part, affine(load_x_part(x0, quad, part), s0, weight, bias));
            store_y_part(y1, quad, part, affine(load_x_part(x1, quad, part), s1, weight, bias));
            store_y_part(y2, quad, part, affine(load_x_part(x2, quad, part), s2, weight, bias));
            store_y_part(y3, quad, part, affine(load_x_part(x3, quad, part), s3, weight, bias));
        }
    } else {
        for (var i = 0u; i < rows; i += 1u) {
            write_row(x_row(first_row + i), y_row(first_row + i), alone, statistics[i]);
        }
    }
}
