// y = (x − shift) · scale · weight + bias, by single invocations; no reduction.
// Who: every invocation is the one lane of each of its ROWS rows.
// Needs: params, access, statistic, normalize, affine, stats, no reduction, rows streamed.
// Assumes: nothing about rows, offsets and strides beyond the access files chosen.

@compute @workgroup_size(WORKGROUP)
fn rownorm(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(num_workgroups) workgroups: vec3u,
    @builtin(local_invocation_index) index: u32,
) {
    let first_row = (workgroup_index(workgroup, workgroups) * WORKGROUP + index) * ROWS;
    if (first_row < params.rows) {
        normalize_rows(first_row, Lane(0u, 1u));
    }
}
