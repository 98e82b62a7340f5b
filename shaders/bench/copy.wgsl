// y = x, the ceiling that normalizations are measured against.
// Who: one vec4 an invocation, workgroups of 64 on a grid of two dimensions.
// Needs: nothing. Assumes: x and y are equally long, in whole vec4.

@group(0) @binding(0) var<storage, read> x: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4u>;

@compute @workgroup_size(64)
fn copy(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(num_workgroups) workgroups: vec3u,
    @builtin(local_invocation_index) index: u32,
) {
    let quad = (workgroup.y * workgroups.x + workgroup.x) * 64u + index;
    if (quad < arrayLength(&y)) {
        y[quad] = x[quad];
    }
}
