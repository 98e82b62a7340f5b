// A streamed row of any length. Long chains of additions lose digits, so sums fold: blocks of 32 quads,
// 32 blocks to a span, and the spans.

const BLOCK: u32 = 32u;
const SPAN: u32 = 1024u;

fn sum_row(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    let quads = quads_of_lane(STATISTIC_DIM, lane);
    var row = Sums();
    for (var span_start = 0u; span_start < quads; span_start += SPAN) {
        var span = Sums();
        let span_end = min(span_start + SPAN, quads);
        for (var block_start = span_start; block_start < span_end; block_start += BLOCK) {
            let block_end = min(block_start + BLOCK, span_end);
            span = plus(span, sum_in_frame(row_start, frame, lane, block_start, block_end));
        }
        row = plus(row, span);
    }
    return plus(row, sum_part(row_start, frame, lane));
}
