//! Normalizations by name, with what a caller changes about them: the options that the command line
//! and the npm package share.

use std::fmt;
use std::str::FromStr;

use super::{EpsPlace, Extent, NormSpec, Preset, Scale, Weight};
use crate::error::{Error, Result};

/// The normalizations that have a short name of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Norm {
    /// [`NormSpec::layer`], ε 1e-5.
    Layer,
    /// [`NormSpec::layer_simple`], ε 1e-5.
    LayerSimple,
    /// [`NormSpec::rms`], ε 1e-5.
    Rms,
    /// [`NormSpec::rms_plain`], ε 1e-5.
    RmsPlain,
    /// [`NormSpec::prms`], ε 1e-5; which part of a row it reads has to be said.
    Prms,
    /// [`NormSpec::std_scaled`], ε 1e-3.
    StdScaled,
    /// [`NormSpec::centered`].
    Centered,
}

impl Norm {
    /// All of them.
    pub const ALL: [Norm; 7] =
        [Norm::Layer, Norm::LayerSimple, Norm::Rms, Norm::RmsPlain, Norm::Prms, Norm::StdScaled, Norm::Centered];

    /// The name used in options and reports.
    pub const fn name(self) -> &'static str {
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

    /// The specification with its default ε; pRMSNorm's reads the whole row until told otherwise.
    pub const fn spec(self) -> NormSpec {
        match self {
            Norm::Layer => NormSpec::layer(1e-5),
            Norm::LayerSimple => NormSpec::layer_simple(1e-5),
            Norm::Rms | Norm::Prms => NormSpec::rms(1e-5),
            Norm::RmsPlain => NormSpec::rms_plain(1e-5),
            Norm::StdScaled => NormSpec::std_scaled(1e-3),
            Norm::Centered => NormSpec::centered(),
        }
    }
}

impl fmt::Display for Norm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Norm {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Norm::ALL.into_iter().find(|norm| norm.name() == s).ok_or_else(|| {
            let names = Norm::ALL.map(Norm::name).join(", ");
            format!("no norm is called \"{s}\"; there are {names}")
        })
    }
}

/// What a normalization starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Base {
    /// A norm by its short name.
    Norm(Norm),
    /// A model's or framework's.
    Preset(Preset),
}

impl Base {
    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Base::Norm(norm) => norm.name(),
            Base::Preset(preset) => preset.name(),
        }
    }
}

/// A normalization by name and what differs from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Named {
    /// What it starts from.
    pub base: Base,
    /// ε, in place of the default; without effect where nothing is divided.
    pub eps: Option<f64>,
    /// ε outside the root.
    pub eps_outside: bool,
    /// What pRMSNorm's statistic reads: needed by [`Norm::Prms`], refused elsewhere.
    pub extent: Option<Extent>,
    /// `1 + w` in place of `w`.
    pub weight_offset: bool,
    /// Whether there is a weight, in place of the default.
    pub weight: Option<bool>,
    /// Whether there is a bias, in place of the default.
    pub bias: Option<bool>,
}

impl Named {
    /// A norm as it is.
    pub const fn new(base: Base) -> Self {
        Self { base, eps: None, eps_outside: false, extent: None, weight_offset: false, weight: None, bias: None }
    }

    /// The specification. A norm without a weight takes neither weight nor bias; the others take
    /// both, either or none.
    pub fn spec(&self) -> Result<NormSpec> {
        let mut spec = match self.base {
            Base::Norm(norm) => norm.spec(),
            Base::Preset(preset) => preset.spec(),
        };
        let affine = spec.has_weight();
        for (wanted, tensor) in [(self.weight, "a weight"), (self.bias, "a bias")] {
            if wanted == Some(true) && !affine {
                return Err(Error::Spec {
                    what: format!("{} with {tensor}", self.name()),
                    accepted: "it has neither weight nor bias; choose another norm or leave it out",
                });
            }
        }
        if let Some(eps) = self.eps {
            spec.eps = narrowed_eps(eps)?;
        }
        if self.eps_outside {
            spec.eps_place = EpsPlace::Outside;
        }
        match (self.base, self.extent) {
            (Base::Norm(Norm::Prms), Some(extent)) => spec.scale = Scale::Rms(extent),
            (Base::Norm(Norm::Prms), None) => {
                return Err(Error::Spec {
                    what: "prms without the part of a row its statistic reads".into(),
                    accepted: "give p in (0, 1] or the number of elements k",
                });
            }
            (_, Some(_)) => {
                return Err(Error::Spec {
                    what: format!("{} with a part of a row to read", self.name()),
                    accepted: "p and k belong to prms alone",
                });
            }
            (_, None) => {}
        }
        match (self.weight.unwrap_or(affine), self.weight_offset) {
            (false, false) => spec.weight = Weight::None,
            (false, true) => {
                return Err(Error::Spec {
                    what: format!("{} with 1 + weight, but without a weight", self.name()),
                    accepted: "give a weight or leave the offset out",
                });
            }
            (true, true) => spec.weight = Weight::OnePlus,
            (true, false) => {}
        }
        Ok(spec.with_bias(self.bias.unwrap_or(spec.bias)))
    }

    fn name(&self) -> &'static str {
        self.base.name()
    }
}

/// ε as the kernels take it; what would become 0, subnormal or infinite in f32 is refused.
pub fn narrowed_eps(eps: f64) -> Result<f32> {
    let narrow = eps as f32;
    if eps == 0.0 || (narrow.is_normal() && eps > 0.0) { Ok(narrow) } else { Err(Error::Eps { eps }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(norm: Norm) -> Named {
        Named::new(Base::Norm(norm))
    }

    #[test]
    fn names_are_read_back() {
        for norm in Norm::ALL {
            assert_eq!(norm.name().parse(), Ok(norm));
        }
        for preset in Preset::ALL {
            assert_eq!(preset.name().parse(), Ok(preset));
        }
        assert!("RMS".parse::<Norm>().unwrap_err().contains("layer-simple"));
        assert!("bart".parse::<Preset>().unwrap_err().contains("bert"));
    }

    #[test]
    fn bare_norms_are_their_specifications() {
        assert_eq!(named(Norm::Layer).spec(), Ok(NormSpec::layer(1e-5)));
        assert_eq!(named(Norm::StdScaled).spec(), Ok(NormSpec::std_scaled(1e-3)));
        assert_eq!(Named::new(Base::Preset(Preset::Gemma)).spec(), Ok(Preset::Gemma.spec()));
    }

    #[test]
    fn the_affine_part_is_optional_where_there_is_one() {
        let bare = Named { weight: Some(false), bias: Some(false), ..named(Norm::Layer) };
        assert_eq!(bare.spec(), Ok(NormSpec::layer_simple(1e-5)));
        let biased = Named { bias: Some(true), ..named(Norm::Rms) };
        assert_eq!(biased.spec(), Ok(NormSpec::rms(1e-5).with_bias(true)));
        let offset = Named { weight_offset: true, ..named(Norm::Rms) };
        assert_eq!(offset.spec().map(|spec| spec.weight), Ok(Weight::OnePlus));
        for norm in [Norm::LayerSimple, Norm::RmsPlain, Norm::Centered] {
            for refused in [
                Named { weight: Some(true), ..named(norm) },
                Named { bias: Some(true), ..named(norm) },
                Named { weight_offset: true, ..named(norm) },
            ] {
                assert!(matches!(refused.spec(), Err(Error::Spec { .. })), "{refused:?}");
            }
        }
    }

    #[test]
    fn the_extent_belongs_to_prms() {
        let half = Some(Extent::Fraction(0.5));
        assert_eq!(Named { extent: half, ..named(Norm::Prms) }.spec(), Ok(NormSpec::prms(0.5, 1e-5)));
        assert!(matches!(named(Norm::Prms).spec(), Err(Error::Spec { .. })));
        assert!(matches!(Named { extent: half, ..named(Norm::Rms) }.spec(), Err(Error::Spec { .. })));
    }

    #[test]
    fn eps_must_survive_f32() {
        let with = |eps| Named { eps: Some(eps), ..named(Norm::Rms) }.spec().map(|spec| spec.eps);
        assert_eq!(with(0.0), Ok(0.0));
        assert_eq!(with(1e-12), Ok(1e-12));
        for eps in [-1e-5, f64::NAN, f64::INFINITY, 1e-50, 1e-40, 1e39] {
            assert!(matches!(with(eps), Err(Error::Eps { .. })), "{eps}");
        }
    }
}
