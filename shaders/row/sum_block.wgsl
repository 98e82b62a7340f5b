// A streamed row of which each lane owns one block, 32 quads at most.

fn sum_streamed(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    let row = sum_in_frame(row_start, frame, lane, 0u, quads_of_lane(STATISTIC_DIM, lane));
    return plus(row, sum_part(row_start, frame, lane));
}
