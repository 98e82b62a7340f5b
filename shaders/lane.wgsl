// One of the invocations that share a row: it owns quads index, index + count, index + 2·count, …

struct Lane {
    index: u32,
    count: u32,
}

// How many whole quads of the first `len` elements of a row a lane owns.
fn quads_of_lane(len: u32, lane: Lane) -> u32 {
    return (len / 4u + lane.count - 1u - lane.index) / lane.count;
}

// How many elements of the partial quad at the end of the first `len` elements a lane owns: 0 to 3.
fn part_of_lane(len: u32, lane: Lane) -> u32 {
    return select(0u, len % 4u, (len / 4u) % lane.count == lane.index);
}

// The workgroup's place in a grid of two dimensions (one alone ends at 65,535).
fn workgroup_index(workgroup: vec3u, workgroups: vec3u) -> u32 {
    return workgroup.y * workgroups.x + workgroup.x;
}
