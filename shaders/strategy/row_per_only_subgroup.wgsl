// y = (x − shift) · scale · weight + bias, by a workgroup that is one subgroup; no barrier.
// Who: the WORKGROUP lanes of the workgroup share each of its ROWS rows.
// Needs: params, access, statistic, normalize, affine, stats, the subgroup reduction.
// Assumes: the device has subgroups of WORKGROUP lanes and of no other width.

@compute @workgroup_size(WORKGROUP)
fn rownorm(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(num_workgroups) workgroups: vec3u,
    @builtin(local_invocation_index) index: u32,
) {
    let first_row = workgroup_index(workgroup, workgroups) * ROWS;
    if (first_row < params.rows) {
        normalize_rows(first_row, Lane(index, WORKGROUP));
    }
}
