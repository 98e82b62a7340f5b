// y = (x − shift) · scale · weight + bias, one row per workgroup.
// Who: a workgroup of WORKGROUP lanes shares a row; lane l owns quads l, l + WORKGROUP, …
// Needs: params, access, statistic, normalize, affine, stats, a workgroup reduction, and the row
// held or streamed.
// Assumes: nothing about rows, offsets and strides beyond the access files chosen.

@compute @workgroup_size(WORKGROUP)
fn rownorm(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(num_workgroups) workgroups: vec3u,
    @builtin(local_invocation_index) index: u32,
) {
    let row = workgroup_index(workgroup, workgroups);
    if (row >= params.rows) {
        return;
    }
    let lane = Lane(index, WORKGROUP);
    let x_start = x_row(row);
    hold_row(x_start, lane);
    let statistics = row_statistics(x_start, lane);
    write_row(x_start, y_row(row), lane, statistics);
    if (index == 0u) {
        save_stats(row, statistics);
    }
}
