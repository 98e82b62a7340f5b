// A streamed row of any length: 8 spans to a stretch, and the stretches.

const STRETCH: u32 = 2048u;

fn sum_streamed(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    let quads = quads_of_lane(STATISTIC_DIM, lane);
    var row = Sums();
    for (var stretch_start = 0u; stretch_start < quads; stretch_start += STRETCH) {
        var stretch = Sums();
        let stretch_end = min(stretch_start + STRETCH, quads);
        for (var span_start = stretch_start; span_start < stretch_end; span_start += SPAN) {
            stretch = plus(stretch, sum_span(row_start, frame, lane, span_start, min(span_start + SPAN, stretch_end)));
        }
        row = plus(row, stretch);
    }
    return plus(row, sum_part(row_start, frame, lane));
}
