//! The truth: every variant in float64, written like its formula and in no hurry.

use crate::error::{Error, Result};
use crate::memory;
use crate::plan::Tensor;
use crate::spec::{EpsPlace, NormSpec, Scale, Shift, Weight};

/// What the forward pass computes, in float64.
#[derive(Debug, Clone, PartialEq)]
pub struct Forward {
    /// `[rows, dim]`.
    pub y: Vec<f64>,
    /// One for each row.
    pub rows: Vec<Row>,
}

/// What is known of one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The statistic's mean: that of the row where the variant centres its statistic, else 0.
    pub mean: f64,
    /// What the row is multiplied by: one over its deviation or RMS; 1 where it is not re-scaled.
    pub rstd: f64,
    /// √(mean x²) of the whole row.
    pub rms: f64,
    /// M = max|x̂·weight| + max|bias|: what errors are measured against.
    pub magnitude: f64,
}

/// `y = (x − shift) · scale · weight + bias` for each row of `dim` elements. Rows that hold a NaN or
/// an infinity come out as NaN.
pub fn forward(spec: &NormSpec, dim: u64, x: &[f32], weight: Option<&[f32]>, bias: Option<&[f32]>) -> Result<Forward> {
    spec.validate(dim)?;
    check_len(Tensor::X, x.len(), (x.len() as u64).next_multiple_of(dim))?;
    let weight = vector(Tensor::Weight, weight, spec.has_weight(), dim)?;
    let bias = vector(Tensor::Bias, bias, spec.bias, dim)?;
    let statistic_len = spec.statistic_len(dim)? as usize;
    let mut forward = Forward { y: memory::reserve(x.len() as u64)?, rows: Vec::new() };
    for x in x.chunks_exact(dim as usize) {
        let x: Vec<f64> = x.iter().map(|v| f64::from(*v)).collect();
        let row = row(spec, &x, statistic_len);
        let shift = if spec.shift == Shift::Mean { row.mean } else { 0.0 };
        let factor = |i: usize| match (spec.weight, weight) {
            (Weight::Direct, Some(w)) => f64::from(w[i]),
            // 1 + w is rounded to f32, as the specification says.
            (Weight::OnePlus, Some(w)) => f64::from(1.0 + w[i]),
            _ => 1.0,
        };
        let scaled: Vec<f64> = x.iter().enumerate().map(|(i, x)| (x - shift) * row.rstd * factor(i)).collect();
        let largest_bias = bias.unwrap_or_default().iter().fold(0.0, |m: f64, b| m.max(f64::from(b.abs())));
        let magnitude = scaled.iter().fold(0.0, |m: f64, v| m.max(v.abs())) + largest_bias;
        forward.y.extend(scaled.iter().enumerate().map(|(i, v)| v + bias.map_or(0.0, |b| f64::from(b[i]))));
        forward.rows.push(Row { magnitude, ..row });
    }
    Ok(forward)
}

fn row(spec: &NormSpec, x: &[f64], statistic_len: usize) -> Row {
    let mean_of = |values: &mut dyn Iterator<Item = f64>, len: usize| values.sum::<f64>() / len as f64;
    let rms = mean_of(&mut x.iter().map(|x| x * x), x.len()).sqrt();
    let finite = x.iter().all(|x| x.is_finite());
    let read = &x[..statistic_len];
    let centres_statistic = !matches!(spec.scale, Scale::Rms(_));
    let mean = if centres_statistic { mean_of(&mut read.iter().copied(), read.len()) } else { 0.0 };
    let statistic = mean_of(&mut read.iter().map(|x| (x - mean) * (x - mean)), read.len());
    let eps = f64::from(spec.eps);
    let rstd = match (spec.scale, spec.eps_place) {
        _ if !finite => f64::NAN,
        (Scale::None, _) => 1.0,
        _ if statistic + eps == 0.0 => 0.0,
        (_, EpsPlace::Inside) => 1.0 / (statistic + eps).sqrt(),
        (_, EpsPlace::Outside) => 1.0 / (statistic.sqrt() + eps),
    };
    Row { mean, rstd, rms, magnitude: 0.0 }
}

fn vector(tensor: Tensor, values: Option<&[f32]>, wanted: bool, dim: u64) -> Result<Option<&[f32]>> {
    match values {
        None if wanted => Err(Error::MissingTensor { tensor }),
        Some(_) if !wanted => Err(Error::UnusedTensor { tensor }),
        Some(values) => check_len(tensor, values.len(), dim).map(|()| Some(values)),
        None => Ok(None),
    }
}

fn check_len(tensor: Tensor, actual: usize, expected: u64) -> Result<()> {
    if actual as u64 == expected { Ok(()) } else { Err(Error::Length { tensor, actual: actual as u64, expected }) }
}
