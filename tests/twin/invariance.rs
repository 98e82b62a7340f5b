//! What must not change a bit: the batch, the place in it, a repeated run, a bad neighbour.

use proptest::prelude::*;
use rownorm::twin::{self, Order};
use rownorm::{NormSpec, Request};

use crate::check::Case;
use crate::data::{KINDS, Numbers, specs};

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_row_does_not_know_its_batch(
        dim in 1_usize..1100,
        kinds in prop::collection::vec(0..KINDS.len(), 1..6),
        lanes in 0_u32..7,
        spec in 0..specs().len(),
        seed in any::<u64>(),
    ) {
        let (name, spec) = specs()[spec];
        prop_assume!(spec.statistic_len(dim as u64).is_ok());
        let order = Order::streamed(1 << lanes);
        let mut numbers = Numbers(seed);
        let case = Case::new(spec, dim, &mut numbers);
        let x: Vec<f32> = kinds.iter().flat_map(|kind| KINDS[*kind].row(dim, &mut numbers)).collect();
        let (y, stats) = case.run(&order, &x);
        for (index, x) in x.chunks_exact(dim).enumerate() {
            let (alone, alone_stats) = case.run(&order, x);
            prop_assert_eq!(bits(&alone), bits(&y[index * dim..][..dim]), "{}, row {}", name, index);
            prop_assert_eq!(bits(&alone_stats), bits(&stats[2 * index..][..2]), "{}, row {}", name, index);
        }
    }
}

/// A known answer by its bits: the same on every machine.
#[test]
fn the_same_bits_everywhere() {
    let x: Vec<f32> = (0..4099_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 * 1e-6 + 100.0).collect();
    let request = Request::forward(NormSpec::layer_simple(1e-5), 4099);
    let input = rownorm::Input { x: &x, ..Default::default() };
    let output = twin::forward(&request, &Order::streamed(4), &input).unwrap();
    let hash = output.y.iter().fold(0_u64, |h, v| (h ^ u64::from(v.to_bits())).wrapping_mul(0x0100_0000_01b3));
    assert_eq!(hash, 0xb5bd_b578_9b3e_d2d5, "{hash:#x}");
}

#[test]
fn a_bad_row_is_nan_and_alone() {
    let bad = [0x7fc0_0000, 0x7fff_ffff, 0xffc0_0000, 0x7f80_0000, 0xff80_0000].map(f32::from_bits);
    for (name, spec) in specs() {
        for dim in [4, 33, 768] {
            if spec.statistic_len(dim as u64).is_err() {
                continue;
            }
            for bad in bad {
                for place in [0, dim / 2, dim - 1] {
                    let mut numbers = Numbers(dim as u64);
                    let case = Case::new(spec, dim, &mut numbers);
                    let mut x = numbers.normals(3 * dim, 1.0, 1.0);
                    let (good, good_stats) = case.run(&Order::streamed(4), &x);
                    x[dim + place] = bad;
                    let (y, stats) = case.run(&Order::streamed(4), &x);
                    let what = format!("{name}, dim {dim}, {bad} at {place}");
                    assert!(y[dim..2 * dim].iter().all(|v| v.is_nan()), "{what}");
                    assert!(stats[2..4].iter().all(|v| v.is_nan()), "{what}");
                    for row in [0, 2] {
                        assert_eq!(bits(&y[row * dim..][..dim]), bits(&good[row * dim..][..dim]), "{what}");
                        assert_eq!(bits(&stats[2 * row..][..2]), bits(&good_stats[2 * row..][..2]), "{what}");
                    }
                }
            }
        }
    }
}
