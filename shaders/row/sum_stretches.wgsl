// A streamed row of any length: 8 spans to a stretch, and the stretches.

const STRETCH: u32 = 2048u;

fn sum_streamed(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    let quads = quads_of_lane(STATISTIC_DIM, lane);
    var row = Turns();
    for (var stretch_start = 0u; stretch_start < quads; stretch_start += STRETCH) {
        var stretch = Turns();
        let stretch_end = min(stretch_start + STRETCH, quads);
        for (var span_start = stretch_start; span_start < stretch_end; span_start += SPAN) {
            stretch = added(stretch, sum_span(row_start, frame, lane, span_start, min(span_start + SPAN, stretch_end)));
        }
        row = added(row, sum_of(stretch));
    }
    return plus(sum_of(row), sum_part(row_start, frame, lane));
}
