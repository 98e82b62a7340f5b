// y = (x − shift) · scale · weight + bias, one row per subgroup; no barrier.
// Who: a subgroup shares a row. How many subgroups a workgroup has, and which invocations form one,
// is not assumed: subgroups claim the workgroup's ROWS rows one after another.
// Needs: params, access, statistic, normalize, affine, stats, the subgroup reduction, and the row
// streamed.
// Assumes: the subgroup's lanes stay together from a claim to the end of its row.

var<workgroup> claimed: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn rownorm(@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
    let lane = Lane(subgroupExclusiveAdd(1u), subgroupAdd(1u));
    let first_row = workgroup_index(workgroup, workgroups) * ROWS;
    loop {
        var claim = 0u;
        if (lane.index == 0u) {
            claim = atomicAdd(&claimed, 1u);
        }
        claim = subgroupBroadcastFirst(claim);
        let row = first_row + claim;
        if (claim >= ROWS || row >= params.rows) {
            break;
        }
        let x_start = x_row(row);
        hold_row(x_start, lane);
        let statistics = row_statistics(x_start, lane);
        write_row(x_start, y_row(row), lane, statistics);
        if (lane.index == 0u) {
            save_stats(row, statistics);
        }
    }
}
