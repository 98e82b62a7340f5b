//! Sums over a row in the kernels' order, as in `shaders/row/` and `shaders/reduce/tree.wgsl`.
//!
//! Neighbouring lanes own neighbouring quads, so W/4 lanes read W neighbouring elements at a time:
//! W columns that never meet until the end, which the compiler turns into vector registers.

use std::array::from_fn;

use super::order::Order;

/// N sums side by side (of d and d², or of x² alone), one partial sum for each of W columns.
type Sums<const N: usize, const W: usize> = [[f32; W]; N];

/// What lanes exchange.
pub(super) type Partial<const N: usize> = [f32; N];

/// A chain of additions that is half as long, as in `shaders/row/turns.wgsl`.
#[derive(Clone, Copy)]
struct Turns<const N: usize, const W: usize> {
    next: Sums<N, W>,
    last: Sums<N, W>,
}

impl<const N: usize, const W: usize> Turns<N, W> {
    const fn new() -> Self {
        Self { next: [[0.0; W]; N], last: [[0.0; W]; N] }
    }

    #[inline(always)]
    fn add(&mut self, v: Sums<N, W>) {
        (self.next, self.last) = (self.last, plus(self.next, v));
    }

    #[inline(always)]
    fn sum(&self) -> Sums<N, W> {
        plus(self.next, self.last)
    }

    /// One lane's sum, and what comes last.
    fn lane_with(&self, index: usize, v: Sums<N, 4>) -> Sums<N, 4> {
        let mut lane = Turns { next: lane_of(&self.next, index), last: lane_of(&self.last, index) };
        lane.add(v);
        lane.sum()
    }
}

/// Σ terms(x) over a row, in the given order. `partials` has room for every lane.
pub(super) fn sum_row<const N: usize>(
    row: &[f32],
    order: &Order,
    partials: &mut [Partial<N>],
    terms: impl Fn(f32) -> [f32; N] + Copy,
) -> Partial<N> {
    let lanes = order.lanes as usize;
    match lanes {
        1 | 2 => {
            for first in 0..lanes {
                sum_lanes::<N, 4>(row, first, 4 * lanes, order, &mut partials[first..first + 1], terms);
            }
        }
        // The stride as a constant makes the default order's inner loop one stretch of memory.
        4 => sum_lanes::<N, 16>(row, 0, 16, order, partials, terms),
        _ => {
            for first in (0..lanes).step_by(4) {
                sum_lanes::<N, 16>(row, first, 4 * lanes, order, &mut partials[first..first + 4], terms);
            }
        }
    }
    tree(partials)
}

/// The sums of W/4 lanes from `first` on; `stride` elements lie between a lane's quads.
#[inline(always)]
fn sum_lanes<const N: usize, const W: usize>(
    row: &[f32],
    first: usize,
    stride: usize,
    order: &Order,
    partials: &mut [Partial<N>],
    terms: impl Fn(f32) -> [f32; N] + Copy,
) {
    let quads_of_lane = |lane: usize| (row.len() / 4 + stride / 4 - 1 - lane) / (stride / 4);
    let columns = |j: usize| -> [f32; W] { columns(row, 4 * first + j * stride) };
    // All lanes have these quads; one of them may be left over, and with it up to three more.
    let shared = quads_of_lane(first + W / 4 - 1) / 4 * 4;
    let (block_len, span_len, stretch_len) = (order.block as usize, order.span as usize, order.stretch as usize);
    let mut sums = Turns::new();
    let mut stretch = Turns::new();
    let mut span = Turns::new();
    let mut block = [[0.0; W]; N];
    let mut j = 0;
    while j < shared {
        let block_end = (j + block_len).min(shared);
        block = [[0.0; W]; N];
        while j < block_end {
            let four = sums_of_four(columns(j), columns(j + 1), columns(j + 2), columns(j + 3), terms);
            block = plus(block, four);
            j += 4;
        }
        if j % block_len == 0 {
            span.add(block);
            block = [[0.0; W]; N];
        }
        if j % span_len == 0 {
            stretch.add(span.sum());
            span = Turns::new();
        }
        if j % stretch_len == 0 {
            sums.add(stretch.sum());
            stretch = Turns::new();
        }
    }
    for (index, partial) in partials.iter_mut().enumerate() {
        let lane = first + index;
        let rest = shared..quads_of_lane(lane);
        let quad = |j: usize| -> [f32; 4] { self::columns(row, 4 * lane + j * stride) };
        let mut block = lane_of(&block, index);
        if rest.len() == 4 {
            block =
                plus(block, sums_of_four(quad(shared), quad(shared + 1), quad(shared + 2), quad(shared + 3), terms));
        } else {
            for j in rest {
                block = plus(block, sums_of(quad(j), terms));
            }
        }
        let span = span.lane_with(index, block);
        let stretch = stretch.lane_with(index, span);
        let mut sums = sums.lane_with(index, stretch);
        if row.len() / 4 % (stride / 4) == lane {
            sums = plus_part(sums, &row[row.len() / 4 * 4..], terms);
        }
        *partial = sums.map(quad_sum);
    }
}

/// W neighbouring elements.
#[inline(always)]
fn columns<const W: usize>(row: &[f32], start: usize) -> [f32; W] {
    let neighbours = &row[start..start + W];
    from_fn(|i| neighbours[i])
}

#[inline(always)]
fn sums_of<const N: usize, const W: usize>(d: [f32; W], terms: impl Fn(f32) -> [f32; N]) -> Sums<N, W> {
    let mut sums = [[0.0; W]; N];
    for i in 0..W {
        let t = terms(d[i]);
        for n in 0..N {
            sums[n][i] = t[n];
        }
    }
    sums
}

#[inline(always)]
fn sums_of_four<const N: usize, const W: usize>(
    a: [f32; W],
    b: [f32; W],
    c: [f32; W],
    d: [f32; W],
    terms: impl Fn(f32) -> [f32; N],
) -> Sums<N, W> {
    let mut sums = [[0.0; W]; N];
    for i in 0..W {
        let (a, b, c, d) = (terms(a[i]), terms(b[i]), terms(c[i]), terms(d[i]));
        for n in 0..N {
            sums[n][i] = (a[n] + b[n]) + (c[n] + d[n]);
        }
    }
    sums
}

#[inline(always)]
fn plus<const N: usize, const W: usize>(a: Sums<N, W>, b: Sums<N, W>) -> Sums<N, W> {
    from_fn(|n| from_fn(|i| a[n][i] + b[n][i]))
}

/// The partial quad at the end of a row.
fn plus_part<const N: usize>(mut sums: Sums<N, 4>, part: &[f32], terms: impl Fn(f32) -> [f32; N]) -> Sums<N, 4> {
    for (i, v) in part.iter().enumerate() {
        let t = terms(*v);
        for n in 0..N {
            sums[n][i] += t[n];
        }
    }
    sums
}

fn lane_of<const N: usize, const W: usize>(sums: &Sums<N, W>, index: usize) -> Sums<N, 4> {
    from_fn(|n| from_fn(|i| sums[n][4 * index + i]))
}

/// The sum of a quad's elements, pairwise.
pub(super) fn quad_sum(v: [f32; 4]) -> f32 {
    (v[0] + v[1]) + (v[2] + v[3])
}

/// The lanes' sums, halving the number of terms at each step.
fn tree<const N: usize>(partials: &mut [Partial<N>]) -> Partial<N> {
    let mut half = partials.len() / 2;
    while half > 0 {
        let (low, high) = partials.split_at_mut(half);
        for (a, b) in low.iter_mut().zip(high.iter()) {
            for n in 0..N {
                a[n] += b[n];
            }
        }
        half /= 2;
    }
    partials[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `shaders/row/sum_stretches.wgsl` with the tree, lane by lane and quad by quad.
    fn as_in_the_shader(row: &[f32], order: &Order) -> [f32; 2] {
        let lanes = order.lanes as usize;
        let terms = |x: f32| [x, x * x];
        let mut partials = Vec::new();
        for lane in 0..lanes {
            let quads = (row.len() / 4 + lanes - 1 - lane) / lanes;
            let quad = |j: usize| {
                let start = 4 * (lane + j * lanes);
                [row[start], row[start + 1], row[start + 2], row[start + 3]]
            };
            let mut sums = [[[0.0; 4]; 2]; 2];
            for (turn, stretch_start) in (0..quads).step_by(2048).enumerate() {
                let mut stretch = [[[0.0; 4]; 2]; 2];
                let stretch_end = quads.min(stretch_start + 2048);
                for (turn, span_start) in (stretch_start..stretch_end).step_by(256).enumerate() {
                    let mut span = [[[0.0; 4]; 2]; 2];
                    let span_end = stretch_end.min(span_start + 256);
                    for (turn, block_start) in (span_start..span_end).step_by(32).enumerate() {
                        let mut block = [[0.0; 4]; 2];
                        let block_end = span_end.min(block_start + 32);
                        let mut j = block_start;
                        while j + 4 <= block_end {
                            let four = sums_of_four(quad(j), quad(j + 1), quad(j + 2), quad(j + 3), terms);
                            block = plus(block, four);
                            j += 4;
                        }
                        while j < block_end {
                            block = plus(block, sums_of(quad(j), terms));
                            j += 1;
                        }
                        span[turn % 2] = plus(span[turn % 2], block);
                    }
                    stretch[turn % 2] = plus(stretch[turn % 2], plus(span[0], span[1]));
                }
                sums[turn % 2] = plus(sums[turn % 2], plus(stretch[0], stretch[1]));
            }
            let mut sums = plus(sums[0], sums[1]);
            if !row.len().is_multiple_of(4) && row.len() / 4 % lanes == lane {
                let mut part = [0.0; 4];
                part[..row.len() % 4].copy_from_slice(&row[row.len() / 4 * 4..]);
                sums = plus(sums, sums_of(part, terms));
            }
            partials.push(sums.map(quad_sum));
        }
        let mut half = lanes / 2;
        while half > 0 {
            for lane in 0..half {
                partials[lane] = [0, 1].map(|n| partials[lane][n] + partials[lane + half][n]);
            }
            half /= 2;
        }
        partials[0]
    }

    /// Values whose sums round differently in every order.
    fn row(len: usize) -> Vec<f32> {
        (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) as i32) as f32 * 1e-9 + 1.0).collect()
    }

    fn bits(v: [f32; 2]) -> [u32; 2] {
        v.map(f32::to_bits)
    }

    #[test]
    fn columns_add_in_the_shaders_order() {
        let lens = (1..300).chain([511, 512, 513, 1027, 4093, 4096, 8193, 40_003]);
        for len in lens {
            let row = row(len);
            for lanes in [1, 2, 4, 8, 16, 64, 256, 1024] {
                let order = Order::streamed(lanes);
                let mut partials = vec![[0.0; 2]; lanes as usize];
                let sums = sum_row(&row, &order, &mut partials, |x| [x, x * x]);
                assert_eq!(bits(sums), bits(as_in_the_shader(&row, &order)), "{len} elements, {order:?}");
            }
        }
    }

    /// Control of the comparison above: another order shows in the bits.
    #[test]
    fn another_order_gives_other_bits() {
        let differ = |a: Order, b: Order| {
            (4000..4100).any(|len| {
                let row = row(len);
                let sums = |order: Order| {
                    let mut partials = vec![[0.0; 2]; order.lanes as usize];
                    bits(sum_row(&row, &order, &mut partials, |x| [x, x * x]))
                };
                sums(a) != sums(b)
            })
        };
        assert!(differ(Order::streamed(1), Order::streamed(4)));
        assert!(differ(Order { block: 8, ..Order::streamed(4) }, Order::streamed(4)));
    }
}
