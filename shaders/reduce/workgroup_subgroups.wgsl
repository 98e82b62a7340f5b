// A workgroup reduces by subgroups first. Neither the width of a subgroup nor which invocations form
// one is assumed: the first lane of each subgroup puts its sum in the slot of its own index, all
// others zero, and every subgroup then sums all slots. The result is loaded uniformly, so that what
// follows may branch on it around further barriers.

var<workgroup> partials: array<Partial, WORKGROUP>;
var<workgroup> largest_of: array<f32, WORKGROUP>;
var<workgroup> total: Partial;
var<workgroup> largest_total: f32;

fn reduce_sum(v: Partial, lane: Lane) -> Partial {
    let rank = subgroupExclusiveAdd(1u);
    let width = subgroupAdd(1u);
    let of_subgroup = subgroupAdd(v);
    partials[lane.index] = select(Partial(), of_subgroup, rank == 0u);
    workgroupBarrier();
    var of_slots = Partial();
    for (var slot = rank; slot < WORKGROUP; slot += width) {
        of_slots += partials[slot];
    }
    let all = subgroupAdd(of_slots);
    if (lane.index == 0u) {
        total = all;
    }
    return workgroupUniformLoad(&total);
}

fn reduce_max(v: f32, lane: Lane) -> f32 {
    let rank = subgroupExclusiveAdd(1u);
    let width = subgroupAdd(1u);
    let of_subgroup = subgroupMax(v);
    largest_of[lane.index] = select(0.0, of_subgroup, rank == 0u);
    workgroupBarrier();
    var of_slots = 0.0;
    for (var slot = rank; slot < WORKGROUP; slot += width) {
        of_slots = max(of_slots, largest_of[slot]);
    }
    let all = subgroupMax(of_slots);
    if (lane.index == 0u) {
        largest_total = all;
    }
    return workgroupUniformLoad(&largest_total);
}
