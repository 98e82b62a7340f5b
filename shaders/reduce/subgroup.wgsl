// A subgroup reduces by itself.

fn reduce_sum(v: Partial, lane: Lane) -> Partial {
    return subgroupAdd(v);
}

fn reduce_max(v: f32, lane: Lane) -> f32 {
    return subgroupMax(v);
}
