// y = (x − shift) · scale · weight + bias, by a subgroup; no barrier.
// Who: the lanes of a subgroup share each of the ROWS rows it has claimed. How many subgroups a
// workgroup has, and which invocations form one, is not assumed: subgroups claim the workgroup's
// CLAIMS groups of rows one after another.
// Needs: params, access, statistic, normalize, affine, stats, the subgroup reduction, rows streamed.
// Assumes: the subgroup's lanes stay together from a claim to the end of its rows.

var<workgroup> claimed: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn rownorm(@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
    let lane = Lane(subgroupExclusiveAdd(1u), subgroupAdd(1u));
    let first_claim = workgroup_index(workgroup, workgroups) * CLAIMS;
    for (var claims = 0u; claims < CLAIMS; claims += 1u) {
        var claim = 0u;
        if (lane.index == 0u) {
            claim = atomicAdd(&claimed, 1u);
        }
        claim = subgroupBroadcastFirst(claim);
        let first_row = (first_claim + claim) * ROWS;
        if (claim >= CLAIMS || first_row >= params.rows) {
            break;
        }
        normalize_rows(first_row, lane);
    }
}
