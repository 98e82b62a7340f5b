//! `rownorm run`: an array in, its normalization out.

use std::path::{Path, PathBuf};

use super::adapter::AdapterArgs;
use super::exit::{Failure, Result};
use super::norm::NormArgs;
use super::npy::{self, Array};
use super::output;
use crate::arrays::{Input, Output};
use crate::gpu::{Compiled, Context};
use crate::memory;
use crate::plan::{Request, plan};
use crate::spec::Strategy;
use crate::twin::{self, Order};

/// Rows are uploaded in pieces of at most this many bytes, so that arrays larger than the device's
/// memory can be normalized. A row's result does not depend on the others.
const PIECE_BYTES: u64 = 256 << 20;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The input: float32 in C order, any rank from 1 (one row); the last axis is normalized
    #[arg(value_name = "X.npy")]
    x: PathBuf,
    /// The output, of the input's shape
    #[arg(short, long, value_name = "Y.npy")]
    output: PathBuf,
    #[command(flatten)]
    norm: NormArgs,
    /// Multiply by this vector, as long as the last axis
    #[arg(long, value_name = "W.npy")]
    weight: Option<PathBuf>,
    /// Add this vector, as long as the last axis
    #[arg(long, value_name = "B.npy")]
    bias: Option<PathBuf>,
    /// Write mean and rstd of each row: float32 [rows, 2]
    #[arg(long, value_name = "S.npy")]
    stats: Option<PathBuf>,
    /// A strategy in place of the planner's choice
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,
    /// Do not use subgroups even where the device has them
    #[arg(long)]
    no_subgroups: bool,
    /// Let the plan depend on the number of rows: those of X, or N as in --rows-hint=N
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true)]
    rows_hint: Option<Option<u64>>,
    #[command(flatten)]
    adapter: AdapterArgs,
}

/// What is read, complete and checked.
struct Arrays {
    x: Array,
    weight: Option<Vec<f32>>,
    bias: Option<Vec<f32>>,
    dim: u64,
    rows: u64,
}

pub(super) fn run(args: &Args) -> Result {
    let spec = args.norm.spec(args.weight.is_some(), args.bias.is_some())?;
    let arrays = Arrays::read(args)?;
    spec.validate(arrays.dim)?;
    let request = args.request(Request::forward(spec, arrays.dim), arrays.rows);
    let mut y = npy::Output::create(&args.output)?;
    let mut stats = args.stats.as_deref().map(npy::Output::create).transpose()?;
    if stats.as_ref().is_some_and(|stats| stats.path() == y.path()) {
        return Err(Failure::input("--output and --stats name the same file"));
    }
    let result = if args.adapter.is_cpu() {
        args.twin(&request, &arrays)?
    } else {
        let context = args.adapter.context_or_hint("rownorm run")?;
        pollster::block_on(normalize(&context, &request, &arrays))?
    };
    y.write(&arrays.x.shape, &result.y)?;
    if let (Some(file), Some(values)) = (&mut stats, &result.stats) {
        file.write(&[arrays.rows, 2], values)?;
    }
    y.finish()?;
    stats.map_or(Ok(()), npy::Output::finish)
}

impl Args {
    fn request(&self, request: Request, rows: u64) -> Request {
        Request {
            save_stats: self.stats.is_some(),
            rows_hint: self.rows_hint.map(|hint| hint.unwrap_or(rows)),
            strategy: self.strategy,
            allow_subgroups: !self.no_subgroups,
            ..request
        }
    }
}

impl Args {
    /// On the CPU, because that was asked for. A strategy is a matter of a device.
    fn twin(&self, request: &Request, arrays: &Arrays) -> Result<Output> {
        if let Some(strategy) = self.strategy {
            let text =
                format!("--strategy {strategy} was given, but the adapter `cpu` has no strategies; leave it out");
            return Err(Failure::input(text));
        }
        Ok(twin::forward(request, &Order::for_dim(request.dim), &arrays.input())?)
    }
}

impl Arrays {
    /// All of it.
    fn input(&self) -> Input<'_> {
        Input { x: &self.x.values, weight: self.weight.as_deref(), bias: self.bias.as_deref() }
    }

    fn read(args: &Args) -> Result<Self> {
        let x = npy::read(&args.x)?;
        let Some((dim, leading)) = x.shape.split_last() else {
            let text = format!("{} has rank 0; an array of at least one axis is needed", args.x.display());
            return Err(Failure::input(text));
        };
        let (dim, rows) = (*dim, leading.iter().product());
        let vector = |path: &Option<PathBuf>| path.as_deref().map(|path| vector(path, dim)).transpose();
        Ok(Self { weight: vector(&args.weight)?, bias: vector(&args.bias)?, dim, rows, x })
    }
}

/// Reads a weight or bias.
fn vector(path: &Path, dim: u64) -> Result<Vec<f32>> {
    let array = npy::read(path)?;
    if array.shape != [dim] {
        let text = format!(
            "{} has the shape {}; ({dim},) is needed, as long as the last axis of X",
            path.display(),
            npy::display(&array.shape)
        );
        return Err(Failure::input(text));
    }
    Ok(array.values)
}

/// Compiles once and runs piece by piece.
async fn normalize(context: &Context, request: &Request, arrays: &Arrays) -> Result<Output> {
    let compiled = Compiled::new(context, &plan(request, context.caps())?).await?;
    let all = arrays.input();
    let limit = PIECE_BYTES.min(context.caps().limits.max_buffer_size);
    let piece = (limit / (4 * request.dim)).max(1) * request.dim;
    let len = all.x.len() as u64;
    if len <= piece {
        return Ok(context.run_compiled(&compiled, &all).await?);
    }
    let stats = request.save_stats.then(|| memory::reserve(2 * arrays.rows)).transpose()?;
    let mut result = Output { y: memory::reserve(len)?, stats };
    let mut shown = output::Progress::new();
    for x in all.x.chunks(piece as usize) {
        let part = context.run_compiled(&compiled, &Input { x, ..all }).await?;
        result.y.extend(part.y);
        result.stats.iter_mut().zip(part.stats).for_each(|(all, part)| all.extend(part));
        shown.tell(result.y.len() as u64, len, "normalizing".into());
    }
    shown.end();
    Ok(result)
}
