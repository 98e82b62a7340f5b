// y = (x − shift) · scale · weight + bias, by a workgroup.
// Who: the WORKGROUP lanes of a workgroup share each of its ROWS rows; lane l owns quads l,
// l + WORKGROUP, l + 2·WORKGROUP, …
// Needs: params, access, statistic, normalize, affine, stats, a workgroup reduction, rows held or
// streamed.
// Assumes: nothing about rows, offsets and strides beyond the access files chosen.

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
