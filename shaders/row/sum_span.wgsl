// Long chains of additions lose digits, most of all behind an outlier, so sums fold: blocks of 32 quads,
// 8 blocks to a span; and two sums take turns.

const BLOCK: u32 = 32u;
const SPAN: u32 = 256u;

fn sum_span(row_start: u32, frame: Frame, lane: Lane, start: u32, end: u32) -> Sums {
    var sums = Turns();
    for (var block_start = start; block_start < end; block_start += BLOCK) {
        sums = added(sums, sum_in_frame(row_start, frame, lane, block_start, min(block_start + BLOCK, end)));
    }
    return sum_of(sums);
}
