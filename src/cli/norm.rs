//! `--norm` and what belongs to it: from options to a [`NormSpec`].

use clap::ValueEnum;

use super::exit::{Failure, Result};
use crate::error::Error;
use crate::spec::{NormSpec, Weight};

/// The normalizations by the names they have on the command line and in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Norm {
    /// LayerNorm: (x − mean)/√(var + ε), times weight, plus bias
    Layer,
    /// LayerNorm without weight and bias
    LayerSimple,
    /// RMSNorm: x/√(mean x² + ε), times weight
    Rms,
    /// RMSNorm without weight
    RmsPlain,
    /// RMSNorm whose statistic reads the first ⌊p·dim⌋ elements of a row (needs --p)
    Prms,
    /// x/√(var + ε), uncentred: Keras' LayerNormalization(rms_scaling=True)
    StdScaled,
    /// x − mean: re-centring alone
    Centered,
}

impl Norm {
    /// The name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Norm::Layer => "layer",
            Norm::LayerSimple => "layer-simple",
            Norm::Rms => "rms",
            Norm::RmsPlain => "rms-plain",
            Norm::Prms => "prms",
            Norm::StdScaled => "std-scaled",
            Norm::Centered => "centered",
        }
    }

    /// Whether weight and bias may be given.
    const fn takes_affine(self) -> bool {
        !matches!(self, Norm::LayerSimple | Norm::RmsPlain | Norm::Centered)
    }

    const fn default_eps(self) -> f32 {
        match self {
            Norm::StdScaled => 1e-3,
            _ => 1e-5,
        }
    }

    /// As it is timed: with the weight and bias of its definition, ε by default, p = 1/16.
    pub(super) fn as_timed(self) -> NormSpec {
        self.definition(self.default_eps(), 0.0625)
    }

    /// The definition with its own weight and bias.
    fn definition(self, eps: f32, p: f64) -> NormSpec {
        match self {
            Norm::Layer => NormSpec::layer(eps),
            Norm::LayerSimple => NormSpec::layer_simple(eps),
            Norm::Rms => NormSpec::rms(eps),
            Norm::RmsPlain => NormSpec::rms_plain(eps),
            Norm::Prms => NormSpec::prms(p, eps),
            Norm::StdScaled => NormSpec::std_scaled(eps),
            Norm::Centered => NormSpec { eps, ..NormSpec::centered() },
        }
    }
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

#[derive(Debug, clap::Args)]
pub(super) struct NormArgs {
    /// Which normalization
    #[arg(long)]
    norm: Norm,
    /// ε [default: 1e-5; std-scaled: 1e-3; centered has none]
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    eps: Option<f64>,
    /// Add ε to the root, not under it: 1/(√statistic + ε)
    #[arg(long)]
    eps_outside: bool,
    /// The part of a row that prms reads, in (0, 1]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    p: Option<f64>,
    /// Multiply by w (0) or by 1 + w (1) [default: 0]
    #[arg(long, value_name = "0|1", hide_possible_values = true)]
    weight_offset: Option<WeightOffset>,
}

impl NormArgs {
    /// The specification; whether there is a weight and a bias is the caller's to say.
    pub(super) fn spec(&self, weight: bool, bias: bool) -> Result<NormSpec> {
        let name = self.norm.name();
        for (tensor, given) in [("weight", weight), ("bias", bias)] {
            if given && !self.norm.takes_affine() {
                return Err(Failure::input(format!("--{tensor} was given, but {name} has no {tensor}; leave it out")));
            }
        }
        let p = match (self.norm, self.p) {
            (Norm::Prms, None) => {
                return Err(Failure::input("prms needs --p, the part of a row that its statistic reads, in (0, 1]"));
            }
            (Norm::Prms, Some(p)) => p,
            (_, None) => 1.0,
            (_, Some(_)) => return Err(Failure::input(format!("--p was given, but {name} has none; only prms has"))),
        };
        let weight = match (weight, self.weight_offset) {
            (false, Some(WeightOffset::One)) => {
                return Err(Failure::input(
                    "--weight-offset 1 was given without --weight; there is nothing to add it to",
                ));
            }
            (false, _) => Weight::None,
            (true, Some(WeightOffset::One)) => Weight::OnePlus,
            (true, _) => Weight::Direct,
        };
        let spec = self.norm.definition(self.eps()?, p).with_weight(weight).with_bias(bias);
        Ok(if self.eps_outside { spec.eps_outside() } else { spec })
    }

    /// The normalization's name.
    pub(super) fn name(&self) -> &'static str {
        self.norm.name()
    }

    /// ε as f32; one that f32 would turn into zero or infinity is refused, not rounded.
    fn eps(&self) -> Result<f32> {
        let Some(eps) = self.eps else { return Ok(self.norm.default_eps()) };
        let rounded = eps as f32;
        let kept = eps == 0.0 || (rounded.is_normal() && rounded > 0.0);
        if kept { Ok(rounded) } else { Err(Error::Eps { eps }.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_clap_accepts() {
        for norm in Norm::value_variants() {
            assert_eq!(norm.to_possible_value().unwrap().get_name(), norm.name());
        }
    }

    fn args(norm: Norm) -> NormArgs {
        NormArgs { norm, eps: None, eps_outside: false, p: None, weight_offset: None }
    }

    #[test]
    fn epsilon_is_never_rounded_away() {
        for bad in [-1e-5, 1e-50, 1e-40, 1e300, f64::NAN, f64::INFINITY] {
            assert!(NormArgs { eps: Some(bad), ..args(Norm::Rms) }.spec(false, false).is_err(), "{bad}");
        }
        assert_eq!(NormArgs { eps: Some(0.0), ..args(Norm::Rms) }.spec(false, false).unwrap().eps, 0.0);
        assert_eq!(args(Norm::StdScaled).spec(true, false).unwrap().eps, 1e-3);
        assert_eq!(args(Norm::Layer).spec(true, true).unwrap(), NormSpec::layer(1e-5));
    }

    #[test]
    fn what_does_not_belong_is_refused() {
        for norm in [Norm::LayerSimple, Norm::RmsPlain, Norm::Centered] {
            assert!(args(norm).spec(true, false).is_err() && args(norm).spec(false, true).is_err());
        }
        assert!(args(Norm::Prms).spec(true, false).is_err());
        assert!(NormArgs { p: Some(0.5), ..args(Norm::Rms) }.spec(true, false).is_err());
        let one_plus = NormArgs { weight_offset: Some(WeightOffset::One), ..args(Norm::Rms) };
        assert!(one_plus.spec(false, false).is_err());
        assert_eq!(one_plus.spec(true, false).unwrap().weight, Weight::OnePlus);
    }
}
