//! `--norm` and what belongs to it: from options to a [`NormSpec`].

use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::exit::{Failure, Result};
use crate::spec::{Base, Extent, Named, Norm, NormSpec, Preset};

impl ValueEnum for Norm {
    fn value_variants<'a>() -> &'a [Self] {
        &Norm::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Norm::Layer => "LayerNorm: (x − mean)/√(var + ε), times weight, plus bias",
            Norm::LayerSimple => "LayerNorm without weight and bias",
            Norm::Rms => "RMSNorm: x/√(mean x² + ε), times weight",
            Norm::RmsPlain => "RMSNorm without weight",
            Norm::Prms => "RMSNorm whose statistic reads the first ⌊p·dim⌋ elements of a row (needs --p or --k)",
            Norm::StdScaled => "x/√(var + ε), uncentred: Keras' LayerNormalization(rms_scaling=True)",
            Norm::Centered => "x − mean: re-centring alone",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for Preset {
    fn value_variants<'a>() -> &'a [Self] {
        &Preset::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

/// A norm as it is timed: with the weight and bias of its definition, its default ε, p = 1/16.
pub(super) fn as_timed(norm: Norm) -> Result<NormSpec> {
    let extent = (norm == Norm::Prms).then_some(Extent::Fraction(0.0625));
    Ok(Named { extent, ..Named::new(Base::Norm(norm)) }.spec()?)
}

/// What is added to the weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WeightOffset {
    /// Multiply by w.
    #[value(name = "0")]
    Zero,
    /// Multiply by 1 + w (Gemma).
    #[value(name = "1")]
    One,
}

/// What it starts from: one of the two.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct BaseArgs {
    /// Which normalization
    #[arg(long)]
    norm: Option<Norm>,
    /// That of a model or framework, with its ε, in place of --norm
    #[arg(long, value_name = "NAME", conflicts_with = "weight_offset")]
    preset: Option<Preset>,
}

#[derive(Debug, clap::Args)]
pub(super) struct NormArgs {
    #[command(flatten)]
    base: BaseArgs,
    /// ε [default: the preset's; 1e-5; std-scaled: 1e-3; without effect on centered]
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    eps: Option<f64>,
    /// Add ε to the root, not under it: 1/(√statistic + ε)
    #[arg(long)]
    eps_outside: bool,
    /// The part of a row that prms reads, in (0, 1]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    p: Option<f64>,
    /// The number of elements that prms reads, in place of --p
    #[arg(long, value_name = "K", conflicts_with = "p")]
    k: Option<u64>,
    /// Multiply by w (0) or by 1 + w (1) [default: 0]
    #[arg(long, value_name = "0|1", hide_possible_values = true)]
    weight_offset: Option<WeightOffset>,
}

impl NormArgs {
    /// The specification; whether there is a weight and a bias is the caller's to say.
    pub(super) fn spec(&self, weight: bool, bias: bool) -> Result<NormSpec> {
        let named = Named {
            eps: self.eps,
            eps_outside: self.eps_outside,
            extent: self.p.map(Extent::Fraction).or(self.k.map(Extent::First)),
            weight_offset: self.weight_offset == Some(WeightOffset::One),
            weight: Some(weight),
            bias: Some(bias),
            ..Named::new(self.base()?)
        };
        Ok(named.spec()?)
    }

    fn base(&self) -> Result<Base> {
        let preset = self.base.preset.map(Base::Preset);
        self.base.norm.map(Base::Norm).or(preset).ok_or_else(|| Failure::input("--norm or --preset is needed"))
    }

    /// The normalization's name.
    pub(super) fn name(&self) -> Result<&'static str> {
        Ok(self.base()?.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_norm_can_be_timed_as_it_is_defined() {
        for norm in Norm::ALL {
            let spec = as_timed(norm).unwrap();
            assert!(spec.validate(64).is_ok());
            assert_eq!((spec.has_weight(), spec.bias), (norm.spec().has_weight(), norm.spec().bias));
        }
    }
}
