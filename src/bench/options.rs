//! What is timed, on which shapes, how.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::plan::Request;
use crate::spec::{NormSpec, Strategy};

/// Rows and row length of x.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Rows.
    pub rows: u64,
    /// Elements in a row.
    pub dim: u64,
}

impl Shape {
    /// Elements of x; an error where they do not fit 64 bits as bytes.
    pub fn elements(self) -> Result<u64> {
        let elements = self.rows.checked_mul(self.dim).filter(|n| n.checked_mul(16).is_some());
        elements.ok_or(Error::Overflow { what: "rows·dim" })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.dim)
    }
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let shape = s.split_once(['x', 'X', '×']).and_then(|(rows, dim)| {
            let shape = Shape { rows: rows.trim().parse().ok()?, dim: dim.trim().parse().ok()? };
            (shape.rows > 0 && shape.dim > 0).then_some(shape)
        });
        shape.ok_or_else(|| format!("{s:?} is not a shape; write rows and dim, both at least 1, as in 4096x768"))
    }
}

/// Which computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pass {
    /// y from x.
    Forward,
}

impl Pass {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Pass::Forward => "forward",
        }
    }

    /// How many tensors of x's size it must move: forward reads x and writes y.
    pub const fn tensors_moved(self) -> u64 {
        match self {
            Pass::Forward => 2,
        }
    }
}

/// The type x and y are stored in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dtype {
    /// 32-bit floating point.
    F32,
}

impl Dtype {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Dtype::F32 => "f32",
        }
    }

    /// Bytes of one element.
    pub const fn bytes(self) -> u64 {
        match self {
            Dtype::F32 => 4,
        }
    }
}

/// What an entrant computes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Work {
    /// `y = x`, four elements an invocation.
    Copy,
    /// A normalization.
    Norm(NormSpec),
}

/// One participant.
#[derive(Debug, Clone, PartialEq)]
pub struct Entrant {
    /// Its name in reports.
    pub name: String,
    /// What it computes.
    pub work: Work,
    /// Which pass of it.
    pub pass: Pass,
    /// How x and y are stored.
    pub dtype: Dtype,
    /// A strategy instead of the planner's choice.
    pub strategy: Option<Strategy>,
    /// Whether the planner may use subgroups.
    pub allow_subgroups: bool,
}

impl Entrant {
    /// The copy kernel.
    pub fn copy() -> Self {
        Self { work: Work::Copy, ..Self::norm("copy", NormSpec::rms_plain(0.0)) }
    }

    /// A normalization's forward pass in f32, by the planner's choice of strategy.
    pub fn norm(name: impl Into<String>, spec: NormSpec) -> Self {
        Self {
            name: name.into(),
            work: Work::Norm(spec),
            pass: Pass::Forward,
            dtype: Dtype::F32,
            strategy: None,
            allow_subgroups: true,
        }
    }

    /// The same with a strategy of the caller's choice.
    pub fn with_strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = Some(strategy);
        self
    }

    /// The bytes it must move on a shape.
    pub fn bytes(&self, shape: Shape) -> u64 {
        self.pass.tensors_moved() * shape.rows * shape.dim * self.dtype.bytes()
    }

    /// What is asked of the planner; `None` for the copy.
    pub fn request(&self, shape: Shape) -> Option<Request> {
        let Work::Norm(spec) = self.work else { return None };
        let request = Request::forward(spec, shape.dim);
        Some(Request { strategy: self.strategy, allow_subgroups: self.allow_subgroups, ..request })
    }
}

/// Whether data come from memory or stay in the device's caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Residency {
    /// Dispatches take turns on as many pairs of buffers as together exceed 64 MB, at most four and
    /// at most 512 MB.
    #[default]
    Streaming,
    /// All dispatches use one pair of buffers.
    CacheResident,
}

impl Residency {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Residency::Streaming => "streaming",
            Residency::CacheResident => "cache-resident",
        }
    }

    /// How many pairs of buffers dispatches take turns on, when one pair has `pair_bytes`.
    pub fn pairs(self, pair_bytes: u64) -> usize {
        const ENOUGH: u64 = 64_000_000;
        const MOST: u64 = 512_000_000;
        let pair_bytes = pair_bytes.max(1);
        match self {
            Residency::CacheResident => 1,
            Residency::Streaming => (ENOUGH / pair_bytes + 1).min(4).min(MOST / pair_bytes).max(1) as usize,
        }
    }
}

/// A benchmark to run.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchOptions {
    /// The shapes, one contest each.
    pub shapes: Vec<Shape>,
    /// The participants. The copy kernel takes part whether it is listed or not.
    pub entrants: Vec<Entrant>,
    /// Seeds the data and the order of the spans.
    pub seed: u64,
    /// Spans that count.
    pub spans: usize,
    /// Spans run and thrown away before those.
    pub discarded: usize,
    /// Streaming or cache-resident.
    pub residency: Residency,
}

impl Default for BenchOptions {
    /// Five shapes; copy, LayerNorm with weight and bias, RMSNorm with weight.
    fn default() -> Self {
        let shape = |(rows, dim)| Shape { rows, dim };
        Self {
            shapes: [(4096, 768), (512, 4096), (128, 8192), (16, 65536), (65536, 64)].map(shape).to_vec(),
            entrants: vec![
                Entrant::copy(),
                Entrant::norm("layer", NormSpec::layer(1e-5)),
                Entrant::norm("rms", NormSpec::rms(1e-5)),
            ],
            seed: 1,
            spans: 21,
            discarded: 3,
            residency: Residency::Streaming,
        }
    }
}

impl BenchOptions {
    pub(super) fn validate(&self) -> Result<()> {
        for shape in &self.shapes {
            if shape.rows == 0 {
                let what = format!("the shape {shape} has no rows to time");
                return Err(Error::Spec { what, accepted: "at least 1 row is needed" });
            }
            shape.elements()?;
            for entrant in &self.entrants {
                let spec = entrant.request(*shape).map_or(NormSpec::rms_plain(0.0), |request| request.spec);
                spec.validate(shape.dim)?;
            }
        }
        if self.spans == 0 {
            return Err(Error::Spec { what: "0 spans to time".into(), accepted: "at least 1 is needed" });
        }
        Ok(())
    }

    /// The entrants, the copy kernel among them.
    pub(super) fn with_copy(&self) -> Vec<Entrant> {
        let listed = self.entrants.iter().any(|entrant| entrant.work == Work::Copy);
        let copy = (!listed).then(Entrant::copy);
        copy.into_iter().chain(self.entrants.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read_and_refused() {
        assert_eq!("4096x768".parse(), Ok(Shape { rows: 4096, dim: 768 }));
        for bad in ["", "4096", "x768", "4096x", "0x5", "5x0", "-1x5", "1x2x3", "axb"] {
            assert!(bad.parse::<Shape>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn pairs_exceed_the_caches_within_bounds() {
        let pairs = |bytes| Residency::Streaming.pairs(bytes);
        assert_eq!(pairs(2 * 4096 * 768 * 4), 3);
        assert_eq!(pairs(1000), 4);
        assert_eq!(pairs(65_000_000), 1);
        assert_eq!(pairs(60_000_000), 2);
        assert_eq!(pairs(600_000_000), 1);
        assert_eq!(Residency::CacheResident.pairs(1000), 1);
        for bytes in (1..600u64).map(|mb| mb * 1_000_000) {
            let total = pairs(bytes) as u64 * bytes;
            assert!(total > 64_000_000 || pairs(bytes) == 4, "{bytes}");
            assert!(total <= 512_000_000 || pairs(bytes) == 1, "{bytes}");
        }
    }

    #[test]
    fn the_copy_always_takes_part_once() {
        let copies = |options: &BenchOptions| options.with_copy().iter().filter(|e| e.work == Work::Copy).count();
        assert_eq!(copies(&BenchOptions::default()), 1);
        let alone = vec![Entrant::norm("rms", NormSpec::rms(1e-5))];
        assert_eq!(copies(&BenchOptions { entrants: alone, ..BenchOptions::default() }), 1);
    }
}
