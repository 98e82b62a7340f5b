//! `--norm` and what belongs to it: from options to a [`NormSpec`].

use clap::ValueEnum;

use crate::spec::NormSpec;

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
            Norm::Centered => NormSpec::centered(),
        }
    }
}
