// A streamed row of any length. Long chains of additions lose digits, most of all behind an outlier, so
// sums fold: blocks of 32 quads, 8 blocks to a span, 8 spans to a stretch, and the stretches.

const BLOCK: u32 = 32u;
const SPAN: u32 = 256u;
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

fn sum_span(row_start: u32, frame: Frame, lane: Lane, start: u32, end: u32) -> Sums {
    var span = Sums();
    for (var block_start = start; block_start < end; block_start += BLOCK) {
        span = plus(span, sum_in_frame(row_start, frame, lane, block_start, min(block_start + BLOCK, end)));
    }
    return span;
}
