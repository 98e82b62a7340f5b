// A lane's part of the weight in registers.

fn held_weight_quad(lane: Lane, j: u32) -> vec4f {
    let quad = lane.index + j * LANES;
    var v = vec4f();
    if (all_own(DIM, j)) {
        v = load_weight(quad);
    } else if (j < HELD) {
        if (4u * quad + 4u <= DIM) {
            v = load_weight(quad);
        } else if (4u * quad < DIM) {
            v = load_weight_part(quad, DIM % 4u);
        }
    }
    return v;
}

fn held_weight_eight(lane: Lane, j: u32) -> Eight {
    return Eight(
        held_weight_quad(lane, j),
        held_weight_quad(lane, j + 1u),
        held_weight_quad(lane, j + 2u),
        held_weight_quad(lane, j + 3u),
        held_weight_quad(lane, j + 4u),
        held_weight_quad(lane, j + 5u),
        held_weight_quad(lane, j + 6u),
        held_weight_quad(lane, j + 7u),
    );
}
