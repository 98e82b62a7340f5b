// A lane's part of the bias in registers.

fn held_bias_quad(lane: Lane, j: u32) -> vec4f {
    let quad = lane.index + j * LANES;
    var v = vec4f();
    if (all_own(DIM, j)) {
        v = load_bias(quad);
    } else if (j < HELD) {
        if (4u * quad + 4u <= DIM) {
            v = load_bias(quad);
        } else if (4u * quad < DIM) {
            v = load_bias_part(quad, DIM % 4u);
        }
    }
    return v;
}

fn held_bias_eight(lane: Lane, j: u32) -> Eight {
    return Eight(
        held_bias_quad(lane, j),
        held_bias_quad(lane, j + 1u),
        held_bias_quad(lane, j + 2u),
        held_bias_quad(lane, j + 3u),
        held_bias_quad(lane, j + 4u),
        held_bias_quad(lane, j + 5u),
        held_bias_quad(lane, j + 6u),
        held_bias_quad(lane, j + 7u),
    );
}
