//! Which normalization: the two separable halves of LayerNorm, and what is applied after them.
//!
//! Every variant is one formula per row of `x: [rows, dim]`,
//!
//! ```text
//! y = (x − shift) · scale · weight + bias
//! ```
//!
//! where `shift` and `scale` are one pair of numbers per row. LayerNorm re-centres (`shift` is the
//! mean) and re-scales (`scale` is one over the standard deviation); RMSNorm keeps the second half
//! alone. Both are fields here, so each can be dropped by itself. (Papers call the weight *gain* g.)
//!
//! Sources: Ba, Kiros, Hinton 2016 (arXiv:1607.06450); Xu et al. 2019 (arXiv:1911.07013);
//! Zhang, Sennrich 2019 (arXiv:1910.07467).

mod named;
mod preset;
mod strategy;

pub use named::{Base, Named, Norm, narrowed_eps};
pub use preset::Preset;
pub use strategy::Strategy;

use crate::error::{Error, Result};

/// The longest row: 2²⁵ elements, one default-sized binding of f32.
pub const MAX_DIM: u64 = 1 << 25;

/// First half, re-centring: what is subtracted from every element of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shift {
    /// Nothing.
    None,
    /// `mean = Σx / dim`.
    Mean,
}

/// Second half, re-scaling: what every element of a row is multiplied by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// One.
    None,
    /// `1/√(mean x² + ε)`, the mean over the first elements given by [`Extent`].
    Rms(Extent),
    /// `1/√(var + ε)`, the population variance around the row's mean.
    Std,
}

/// How much of a row the RMS statistic reads: pRMSNorm reads the first k elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extent {
    /// The whole row.
    Full,
    /// The first `k` elements.
    First(u64),
    /// The first `⌊p·dim⌋` elements, computed in f64; `p` in (0, 1].
    Fraction(f64),
}

impl Extent {
    /// The number k of elements the statistic reads in a row of `dim`.
    pub fn resolve(self, dim: u64) -> Result<u64> {
        let k = match self {
            Extent::Full => dim,
            Extent::First(k) => k,
            Extent::Fraction(p) if p > 0.0 && p <= 1.0 => (p * dim as f64).floor() as u64,
            Extent::Fraction(p) => return Err(Error::Fraction { p }),
        };
        if k == 0 || k > dim {
            return Err(Error::Extent { k, dim });
        }
        Ok(k)
    }
}

/// Where ε is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EpsPlace {
    /// `1/√(statistic + ε)`: every framework.
    Inside,
    /// `1/(√statistic + ε)`: the RMSNorm paper's PyTorch file.
    Outside,
}

/// What the normalized row is multiplied by, element by element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weight {
    /// Nothing; no tensor is bound.
    None,
    /// `w`.
    Direct,
    /// `1 + w`, the sum in f32 (Gemma and other zero-centred weights).
    OnePlus,
}

/// A normalization, complete but for the shape of its input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormSpec {
    /// First half: re-centring.
    pub shift: Shift,
    /// Second half: re-scaling.
    pub scale: Scale,
    /// ε ≥ 0; where statistic + ε is 0 the scale is 0, so that y = bias.
    pub eps: f32,
    /// Inside or outside the root.
    pub eps_place: EpsPlace,
    /// None, `w` or `1 + w`.
    pub weight: Weight,
    /// Whether a bias is added.
    pub bias: bool,
}

impl NormSpec {
    const fn new(shift: Shift, scale: Scale, eps: f32, weight: Weight, bias: bool) -> Self {
        Self { shift, scale, eps, eps_place: EpsPlace::Inside, weight, bias }
    }

    /// LayerNorm with weight and bias: `(x − mean)/√(var + ε)·w + b`.
    pub const fn layer(eps: f32) -> Self {
        Self::new(Shift::Mean, Scale::Std, eps, Weight::Direct, true)
    }

    /// LayerNorm-simple, no weight and no bias: `(x − mean)/√(var + ε)` (Xu et al. 2019).
    pub const fn layer_simple(eps: f32) -> Self {
        Self::layer(eps).without_affine()
    }

    /// RMSNorm with weight: `x/√(mean x² + ε)·w`.
    pub const fn rms(eps: f32) -> Self {
        Self::new(Shift::None, Scale::Rms(Extent::Full), eps, Weight::Direct, false)
    }

    /// RMSNorm without weight: both halves of LayerNorm's affine part dropped as well.
    pub const fn rms_plain(eps: f32) -> Self {
        Self::rms(eps).without_affine()
    }

    /// pRMSNorm with weight: RMSNorm whose statistic reads the first `⌊p·dim⌋` elements.
    pub const fn prms(p: f64, eps: f32) -> Self {
        Self::new(Shift::None, Scale::Rms(Extent::Fraction(p)), eps, Weight::Direct, false)
    }

    /// pRMSNorm by the number k of elements read.
    pub const fn prms_first(k: u64, eps: f32) -> Self {
        Self::new(Shift::None, Scale::Rms(Extent::First(k)), eps, Weight::Direct, false)
    }

    /// `x/√(var + ε)·w`: the uncentred input over the centred deviation, what Keras'
    /// `LayerNormalization(rms_scaling=True)` computes while its documentation describes RMSNorm.
    pub const fn std_scaled(eps: f32) -> Self {
        Self::new(Shift::None, Scale::Std, eps, Weight::Direct, false)
    }

    /// `x − mean`: re-centring alone.
    pub const fn centered() -> Self {
        Self::new(Shift::Mean, Scale::None, 0.0, Weight::None, false)
    }

    /// The same with ε outside the root.
    pub const fn eps_outside(mut self) -> Self {
        self.eps_place = EpsPlace::Outside;
        self
    }

    /// The same with another weight.
    pub const fn with_weight(mut self, weight: Weight) -> Self {
        self.weight = weight;
        self
    }

    /// The same with or without a bias.
    pub const fn with_bias(mut self, bias: bool) -> Self {
        self.bias = bias;
        self
    }

    /// The same without weight and bias.
    pub const fn without_affine(self) -> Self {
        self.with_weight(Weight::None).with_bias(false)
    }

    /// Whether a weight tensor is read.
    pub const fn has_weight(&self) -> bool {
        !matches!(self.weight, Weight::None)
    }

    /// The number of leading elements the statistic reads in a row of `dim`.
    pub fn statistic_len(&self, dim: u64) -> Result<u64> {
        match self.scale {
            Scale::Rms(extent) => extent.resolve(dim),
            Scale::Std | Scale::None => Ok(dim),
        }
    }

    /// Checks everything that does not depend on a device; `dim` is the row length.
    pub fn validate(&self, dim: u64) -> Result<()> {
        if dim == 0 || dim > MAX_DIM {
            return Err(Error::Dim { dim, max: MAX_DIM });
        }
        let zero_or_normal = self.eps == 0.0 || (self.eps.is_normal() && self.eps > 0.0);
        if !zero_or_normal {
            return Err(Error::Eps { eps: f64::from(self.eps) });
        }
        match (self.shift, self.scale) {
            (Shift::Mean, Scale::Rms(_)) => Err(Error::Spec {
                what: "re-centring together with an uncentred RMS".into(),
                accepted: "a re-centred row is scaled by its standard deviation (Scale::Std) or not at all",
            }),
            (Shift::None, Scale::None) => Err(Error::Spec {
                what: "neither re-centring nor re-scaling".into(),
                accepted: "choose Shift::Mean, Scale::Rms or Scale::Std",
            }),
            _ => self.statistic_len(dim).map(|_| ()),
        }
    }
}
