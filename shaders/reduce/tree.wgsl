// A workgroup reduces through its memory, halving the number of terms at each step. The result is
// loaded uniformly, so that what follows may branch on it around further barriers.

var<workgroup> partials: array<Partial, WORKGROUP>;
var<workgroup> largest_of: array<f32, WORKGROUP>;

fn reduce_sum(v: Partial, lane: Lane) -> Partial {
    partials[lane.index] = v;
    for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (lane.index < half) {
            partials[lane.index] += partials[lane.index + half];
        }
    }
    return workgroupUniformLoad(&partials[0]);
}

fn reduce_max(v: f32, lane: Lane) -> f32 {
    largest_of[lane.index] = v;
    for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (lane.index < half) {
            largest_of[lane.index] = max(largest_of[lane.index], largest_of[lane.index + half]);
        }
    }
    return workgroupUniformLoad(&largest_of[0]);
}
