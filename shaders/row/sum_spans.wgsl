// A streamed row of which each lane owns 8 spans at most.

fn sum_streamed(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    let quads = quads_of_lane(STATISTIC_DIM, lane);
    var sums = Turns();
    for (var span_start = 0u; span_start < quads; span_start += SPAN) {
        sums = added(sums, sum_span(row_start, frame, lane, span_start, min(span_start + SPAN, quads)));
    }
    return plus(sum_of(sums), sum_part(row_start, frame, lane));
}
