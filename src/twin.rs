//! The kernels in f32 on the CPU: the same algorithm, summed as streamed rows are, for machines without a
//! GPU and for tests that want to know what the order alone does.
//!
//! Each part bears the name of the shader file it mirrors. It is single-threaded, the same bits come
//! out on every machine (Rust neither reassociates nor fuses f32 operations), and a row's result does
//! not depend on the rows around it.
//!
//! ```
//! use rownorm::{Input, NormSpec, Request, twin};
//!
//! let request = Request::forward(NormSpec::layer_simple(1e-5), 4);
//! let input = Input { x: &[1.0, 2.0, 3.0, 4.0], ..Input::default() };
//! let output = twin::forward(&request, &twin::Order::for_dim(4), &input)?;
//! assert!((output.y[3] - 1.341_635_4).abs() < 1e-6);
//! # Ok::<(), rownorm::Error>(())
//! ```

mod order;
mod range;
mod statistic;
mod sums;
mod write;

pub use order::Order;

use crate::arrays::{Input, Output};
use crate::error::{Error, Result};
use crate::plan::{Request, Tensor};
use statistic::Statistic;

/// `y = (x − shift) · scale · weight + bias` for each row of `x: [rows, dim]`, and `[rows, 2]`
/// statistics where the request saves them. Rows that hold a NaN or an infinity come out as NaN. An
/// element whose `(x − shift) · scale` lies beyond f32 is infinite, whatever its weight.
///
/// Of the request, the specification, `dim` and `save_stats` count; layout and strategy are matters
/// of a device.
///
/// # Errors
/// An invalid specification or order, and arrays that do not fit the request.
pub fn forward(request: &Request, order: &Order, input: &Input<'_>) -> Result<Output> {
    let rows = input.rows(request)? as usize;
    let mut output = Output { y: vec![0.0; input.x.len()], stats: request.save_stats.then(|| vec![0.0; rows * 2]) };
    forward_into(request, order, input, &mut output.y, output.stats.as_deref_mut())?;
    Ok(output)
}

/// The same into slices of the caller's: `y: [rows, dim]` and, exactly where the request saves them,
/// `stats: [rows, 2]`.
///
/// # Errors
/// Those of [`forward`], and an output of another length.
pub fn forward_into(
    request: &Request,
    order: &Order,
    input: &Input<'_>,
    y: &mut [f32],
    stats: Option<&mut [f32]>,
) -> Result<()> {
    let rows = input.rows(request)?;
    order.validate()?;
    check_len(Tensor::Y, y.len(), rows * request.dim)?;
    match &stats {
        None if request.save_stats => return Err(Error::MissingTensor { tensor: Tensor::Stats }),
        Some(_) if !request.save_stats => return Err(Error::UnusedTensor { tensor: Tensor::Stats }),
        Some(stats) => check_len(Tensor::Stats, stats.len(), rows * 2)?,
        None => {}
    }
    let spec = &request.spec;
    let dim = request.dim as usize;
    let mut statistic = Statistic::new(spec, spec.statistic_len(request.dim)? as usize, *order);
    let mut stats = stats.map(|stats| stats.chunks_exact_mut(2));
    for (x, y) in input.x.chunks_exact(dim).zip(y.chunks_exact_mut(dim)) {
        let row = statistic.of_row(x);
        match &row {
            Some(row) => write::write_row(spec, row, x, input.weight, input.bias, y),
            None => y.fill(f32::NAN),
        }
        if let Some(saved) = stats.as_mut().and_then(Iterator::next) {
            saved.copy_from_slice(&row.as_ref().map_or([f32::NAN; 2], write::saved_stats));
        }
    }
    Ok(())
}

fn check_len(tensor: Tensor, actual: usize, expected: u64) -> Result<()> {
    if actual as u64 == expected { Ok(()) } else { Err(Error::Length { tensor, actual: actual as u64, expected }) }
}
