//! What every entry point answers to empty and to bad input.

use rownorm::plan::Tensor;
use rownorm::spec::Weight;
use rownorm::twin::{self, Order};
use rownorm::{Error, Input, NormSpec, Request};

fn forward(spec: NormSpec, dim: u64, input: Input<'_>) -> rownorm::Result<rownorm::Output> {
    twin::forward(&Request::forward(spec, dim), &Order::streamed(4), &input)
}

#[test]
fn no_rows_are_fine() {
    let request = Request::forward(NormSpec::layer_simple(1e-5), 7).saving_stats();
    let output = twin::forward(&request, &Order::streamed(4), &Input::default()).unwrap();
    assert_eq!((output.y, output.stats), (vec![], Some(vec![])));
}

#[test]
fn statistics_come_only_when_asked_for() {
    let x = [1.0, 2.0, 3.0, 4.0];
    let input = Input { x: &x, ..Input::default() };
    assert_eq!(forward(NormSpec::layer_simple(1e-5), 4, input).unwrap().stats, None);
    let request = Request::forward(NormSpec::layer_simple(0.0), 4).saving_stats();
    let stats = twin::forward(&request, &Order::streamed(4), &input).unwrap().stats.unwrap();
    assert_eq!(stats, [2.5, (1.0_f64 / 1.25_f64.sqrt()) as f32]);
}

#[test]
fn eps_zero_of_a_zero_row_gives_the_bias() {
    let (weight, bias) = ([2.0; 5], [0.25, -1.0, 0.0, 3.0, 1e30]);
    let input = Input { x: &[0.0; 5], weight: Some(&weight), bias: Some(&bias) };
    for spec in [NormSpec::layer(0.0), NormSpec::rms(0.0).with_bias(true), NormSpec::layer(0.0).eps_outside()] {
        assert_eq!(forward(spec, 5, input).unwrap().y, bias);
    }
}

#[test]
fn a_constant_row_gives_the_bias_exactly() {
    let (weight, bias) = ([1.5; 256], [0.25; 256]);
    for v in [1234.0, 1234.1, 1000.1, 1e-30, 3e38] {
        let input = Input { x: &[v; 256], weight: Some(&weight), bias: Some(&bias) };
        assert_eq!(forward(NormSpec::layer(1e-5), 256, input).unwrap().y, bias, "{v}");
    }
}

#[test]
fn a_large_constant_row_keeps_its_eps() {
    let stats = |spec: NormSpec, v: f32| {
        let request = Request::forward(spec, 3).saving_stats();
        twin::forward(&request, &Order::streamed(4), &Input { x: &[v; 3], ..Input::default() }).unwrap()
    };
    for v in [1.0, 1e25, -3e38] {
        assert_eq!(stats(NormSpec::layer_simple(1.0 / 1024.0), v).stats.unwrap(), [v, 32.0]);
        assert_eq!(stats(NormSpec::layer_simple(1.0 / 1024.0).eps_outside(), v).stats.unwrap(), [v, 1024.0]);
    }
    let std_scaled = NormSpec::std_scaled(1.0 / 1024.0).without_affine();
    assert_eq!(stats(std_scaled, 1e25).y, [32e25; 3]);
    assert_eq!(stats(std_scaled, -3e38).y, [f32::NEG_INFINITY; 3]);
}

#[test]
fn results_beyond_f32_are_infinite() {
    let x = [3e38, -3e38];
    let y = forward(NormSpec::centered(), 2, Input { x: &x, ..Input::default() }).unwrap().y;
    assert_eq!(y, x);
    let x = [3e38, -3e38, -3e38, -3e38];
    let y = forward(NormSpec::centered(), 4, Input { x: &x, ..Input::default() }).unwrap().y;
    assert_eq!(y[0], f32::INFINITY);
    assert!((f64::from(y[1]) + 1.5e38).abs() < 1e32, "{}", y[1]);
}

#[test]
fn bad_input_is_named() {
    let x = [0.0; 6];
    let just_x = Input { x: &x, ..Input::default() };
    let long = [1.0; 4];
    let cases: [(NormSpec, u64, Input<'_>, Error); 9] = [
        (NormSpec::rms_plain(1e-6), 0, just_x, Error::Dim { dim: 0, max: 1 << 25 }),
        (NormSpec::rms_plain(-1.0), 3, just_x, Error::Eps { eps: -1.0 }),
        (NormSpec::rms_plain(f32::INFINITY), 3, just_x, Error::Eps { eps: f64::INFINITY }),
        (NormSpec::prms(1.5, 1e-6).without_affine(), 3, just_x, Error::Fraction { p: 1.5 }),
        (NormSpec::prms(0.1, 1e-6).without_affine(), 3, just_x, Error::Extent { k: 0, dim: 3 }),
        (NormSpec::rms_plain(1e-6), 4, just_x, Error::Length { tensor: Tensor::X, actual: 6, expected: 8 }),
        (NormSpec::rms(1e-6), 3, just_x, Error::MissingTensor { tensor: Tensor::Weight }),
        (
            NormSpec::rms_plain(1e-6),
            3,
            Input { bias: Some(&long), ..just_x },
            Error::UnusedTensor { tensor: Tensor::Bias },
        ),
        (
            NormSpec::rms_plain(1e-6).with_weight(Weight::OnePlus),
            3,
            Input { weight: Some(&long), ..just_x },
            Error::Length { tensor: Tensor::Weight, actual: 4, expected: 3 },
        ),
    ];
    for (spec, dim, input, error) in cases {
        assert_eq!(forward(spec, dim, input), Err(error));
    }
    let request = Request::forward(NormSpec::rms_plain(1e-6), 3);
    let order = Order { lanes: 3, ..Order::streamed(4) };
    assert!(matches!(twin::forward(&request, &order, &just_x), Err(Error::Spec { .. })));
}

#[test]
fn outputs_must_fit() {
    let request = Request::forward(NormSpec::rms_plain(1e-6), 3);
    let input = Input { x: &[1.0; 6], ..Input::default() };
    let into = |request: &Request, y: &mut [f32], stats: Option<&mut [f32]>| {
        twin::forward_into(request, &Order::streamed(4), &input, y, stats)
    };
    let short = Error::Length { tensor: Tensor::Y, actual: 5, expected: 6 };
    assert_eq!(into(&request, &mut [0.0; 5], None), Err(short));
    let unused = Error::UnusedTensor { tensor: Tensor::Stats };
    assert_eq!(into(&request, &mut [0.0; 6], Some(&mut [0.0; 4])), Err(unused));
    let saving = request.saving_stats();
    let missing = Error::MissingTensor { tensor: Tensor::Stats };
    assert_eq!(into(&saving, &mut [0.0; 6], None), Err(missing));
    let short = Error::Length { tensor: Tensor::Stats, actual: 3, expected: 4 };
    assert_eq!(into(&saving, &mut [0.0; 6], Some(&mut [0.0; 3])), Err(short));
    assert_eq!(into(&saving, &mut [0.0; 6], Some(&mut [0.0; 4])), Ok(()));
}
