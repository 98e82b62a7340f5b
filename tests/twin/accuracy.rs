//! Every specification × row length × kind of row against float64.

use proptest::prelude::*;
use rownorm::NormSpec;
use rownorm::twin::Order;

use crate::check::Case;
use crate::data::{KINDS, Kind, Numbers, specs};

/// All kinds of row under all specifications that allow this length; the worst share of the tolerance.
fn check_all(dims: impl Iterator<Item = usize>, orders: &[Order]) {
    let mut failures = Vec::new();
    let mut worst = (0.0, String::new());
    for dim in dims {
        for (name, spec) in specs() {
            if spec.statistic_len(dim as u64).is_err() {
                continue;
            }
            let mut numbers = Numbers(dim as u64);
            let case = Case::new(spec, dim, &mut numbers);
            let x: Vec<f32> = KINDS.iter().flat_map(|kind| kind.row(dim, &mut numbers)).collect();
            for order in orders {
                match case.check(order, &x) {
                    Ok(share) if share > worst.0 => worst = (share, format!("{name}, dim {dim}, {order:?}")),
                    Ok(_) => {}
                    Err(what) => failures.push(format!("{name}, dim {dim}, {order:?}: {what}")),
                }
            }
        }
    }
    println!("largest error: {:.2} of the tolerance ({})", worst.0, worst.1);
    assert!(failures.is_empty(), "{} failures (a row is one of KINDS):\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn short_rows() {
    check_all(1..=70, &[Order::streamed(4), Order::streamed(1), Order::streamed(2)]);
}

#[test]
fn usual_rows() {
    let orders = [Order::streamed(4), Order::streamed(1), Order::streamed(64)];
    check_all([255, 256, 257, 768].into_iter(), &orders);
    check_all([4096].into_iter(), &[Order::streamed(4)]);
}

#[test]
fn long_rows() {
    check_all([8193].into_iter(), &[Order::streamed(4), Order::streamed(256)]);
    check_all([65_537].into_iter(), &[Order::streamed(4)]);
}

/// One row of each length and kind, for the lengths where a table would take minutes.
fn check_long(dim: usize, orders: &[Order], kinds: &[Kind]) {
    for (index, spec) in [NormSpec::layer_simple(1e-5), NormSpec::rms_plain(1e-6)].into_iter().enumerate() {
        for kind in kinds {
            let mut numbers = Numbers(index as u64);
            let case = Case::new(spec, dim, &mut numbers);
            let x = kind.row(dim, &mut numbers);
            for order in orders {
                let share = case.check(order, &x).unwrap_or_else(|what| panic!("{kind:?}, {order:?}: {what}"));
                println!("dim {dim}, {kind:?}, {} lanes: {share:.2} of the tolerance", order.lanes);
            }
        }
    }
}

#[test]
fn a_million_elements() {
    let kinds = [Kind::Normal(0.0, 1.0), Kind::Normal(1e6, 1.0), Kind::Outlier(1e4, 0.0), Kind::Constant(1234.1)];
    check_long(1 << 20, &[Order::for_dim(1 << 20), Order::streamed(1)], &kinds);
}

#[test]
fn the_longest_row() {
    check_long(1 << 25, &[Order::for_dim(1 << 25)], &[Kind::Normal(1e6, 1.0)]);
}

/// Controls: without folding, and at a mean the tolerance does not promise, the comparison fails.
#[test]
fn one_chain_of_additions_is_outside() {
    let one_chain = Order { lanes: 1, block: 1 << 30, span: 1 << 30, stretch: 1 << 30 };
    let case = Case::new(NormSpec::rms_plain(1e-6), 262_145, &mut Numbers(0));
    let x = vec![0.1; case.dim];
    case.check(&Order::streamed(4), &x).unwrap();
    let what = case.check(&one_chain, &x).expect_err("one chain of 16384 fours of quads is too long");
    assert!(what.contains("tolerance"), "{what}");
}

#[test]
fn without_recentring_it_is_outside() {
    // What would come out if the first 16 elements' mean were taken for the row's.
    let case = Case::new(NormSpec::layer_simple(1e-5), 256, &mut Numbers(0));
    let x = Kind::Misleading(1e3).row(case.dim, &mut Numbers(1));
    let (y, stats) = case.run(&Order::streamed(4), &x);
    case.compare(&x, &y, &stats).unwrap();
    let shift = x[..16].iter().sum::<f32>() / 16.0;
    let d: Vec<f32> = x.iter().map(|x| x - shift).collect();
    let mean = d.iter().sum::<f32>() / 256.0;
    let variance = d.iter().map(|d| d * d).sum::<f32>() / 256.0 - mean * mean;
    let rstd = 1.0 / (variance + 1e-5).sqrt();
    let y: Vec<f32> = d.iter().map(|d| (d - mean) * rstd).collect();
    case.compare(&x, &y, &stats).expect_err("the variance has lost its digits");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any length, order, magnitude and mean.
    #[test]
    fn anything_in_range(
        dim in 1_usize..5000,
        rows in 1_usize..4,
        lanes in 0_u32..9,
        exponent in -105_i32..=100,
        decades in 0.0_f64..6.0,
        spec in 0..specs().len(),
        seed in any::<u64>(),
    ) {
        let (name, spec) = specs()[spec];
        prop_assume!(spec.statistic_len(dim as u64).is_ok());
        let lanes = 1 << lanes;
        let order = Order::streamed(lanes);
        let mut numbers = Numbers(seed);
        let case = Case::new(spec, dim, &mut numbers);
        let deviation = f64::from(exponent).exp2();
        let x = numbers.normals(rows * dim, deviation * 10_f64.powf(decades), deviation);
        let share = case.check(&order, &x);
        prop_assert!(share.is_ok(), "{name}: {share:?}");
    }
}
