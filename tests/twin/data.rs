//! Rows and specifications to normalize, by name.

use rownorm::spec::{NormSpec, Preset, Weight};

/// A sequence of numbers that depends on its seed alone (SplitMix64).
pub struct Numbers(pub u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1, both excluded.
    pub fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Normally distributed, mean 0 and deviation 1.
    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }

    pub fn normals(&mut self, len: usize, mean: f64, deviation: f64) -> Vec<f32> {
        (0..len).map(|_| (mean + deviation * self.normal()) as f32).collect()
    }
}

/// What a row looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Normal numbers with this mean and deviation.
    Normal(f64, f64),
    /// Every element the same.
    Constant(f32),
    /// Normal numbers, one of them this value; at 0 the first, at 1 the last.
    Outlier(f32, f64),
    /// Normal numbers of deviation 1 whose first 16 lie around this value.
    Misleading(f64),
    /// All zero but the middle one.
    Single(f32),
    /// This value and its negative by turns.
    Alternating(f32),
    /// Evenly from −1 to 1.
    Ramp,
    /// Normal numbers, each of a magnitude of its own between 2⁻¹⁵ and 2¹⁵.
    Wide,
}

/// Every kind of row that is promised to be right.
pub const KINDS: [Kind; 27] = [
    Kind::Normal(0.0, 1.0),
    Kind::Normal(1e3, 1.0),
    Kind::Normal(-1e6, 1.0),
    Kind::Normal(1e2, 1e-2),
    Kind::Normal(3e-3, 3e-9),
    Kind::Normal(0.0, 1e-12),
    Kind::Normal(0.0, 3e-38),
    Kind::Normal(0.0, 4e-20),
    Kind::Normal(0.0, 1e19),
    Kind::Normal(0.0, 4e37),
    Kind::Normal(1e32, 1e26),
    Kind::Normal(-1e-25, 1e-31),
    Kind::Constant(0.0),
    Kind::Constant(1234.1),
    Kind::Constant(f32::MIN_POSITIVE),
    Kind::Constant(1e25),
    Kind::Constant(-3e38),
    Kind::Outlier(1e4, 0.0),
    Kind::Outlier(-1e30, 0.5),
    Kind::Outlier(3e38, 1.0),
    Kind::Misleading(1e3),
    Kind::Misleading(1e20),
    Kind::Single(1e-30),
    Kind::Single(3e38),
    Kind::Alternating(3e38),
    Kind::Ramp,
    Kind::Wide,
];

impl Kind {
    pub fn row(self, dim: usize, numbers: &mut Numbers) -> Vec<f32> {
        match self {
            Kind::Normal(mean, deviation) => numbers.normals(dim, mean, deviation),
            Kind::Constant(v) => vec![v; dim],
            Kind::Outlier(v, place) => {
                let mut row = numbers.normals(dim, 0.0, 1.0);
                row[(place * (dim - 1) as f64) as usize] = v;
                row
            }
            Kind::Misleading(mean) => {
                let mut row = numbers.normals(dim, 0.0, 1.0);
                for v in row.iter_mut().take(16) {
                    *v += mean as f32;
                }
                row
            }
            Kind::Single(v) => {
                let mut row = vec![0.0; dim];
                row[dim / 2] = v;
                row
            }
            Kind::Alternating(v) => (0..dim).map(|i| if i % 2 == 0 { v } else { -v }).collect(),
            Kind::Ramp => (0..dim).map(|i| (2.0 * (i as f64 + 0.5) / dim as f64 - 1.0) as f32).collect(),
            Kind::Wide => {
                (0..dim).map(|_| (numbers.normal() * (30.0 * numbers.uniform() - 15.0).exp2()) as f32).collect()
            }
        }
    }
}

/// Every variant with every option.
pub fn specs() -> Vec<(&'static str, NormSpec)> {
    vec![
        ("layer", NormSpec::layer(1e-5)),
        ("layer, eps 0", NormSpec::layer(0.0)),
        ("layer, eps 1e-12", Preset::Bert.spec()),
        ("layer, eps outside", NormSpec::layer(1e-5).eps_outside()),
        ("layer, 1 + w", NormSpec::layer(1e-5).with_weight(Weight::OnePlus)),
        ("layer, bias alone", NormSpec::layer(1e-5).with_weight(Weight::None)),
        ("layer-simple", NormSpec::layer_simple(1e-5)),
        ("rms", NormSpec::rms(1e-6)),
        ("rms, eps 0", NormSpec::rms(0.0)),
        ("rms, 1 + w", Preset::Gemma.spec()),
        ("rms, bias", NormSpec::rms(1e-6).with_bias(true)),
        ("rms-plain", NormSpec::rms_plain(1e-6)),
        ("rms-plain, eps outside", Preset::PaperTorch.spec().without_affine()),
        ("prms, p 1/4", NormSpec::prms(0.25, 1e-6)),
        ("prms, k 1", NormSpec::prms_first(1, 1e-6)),
        ("std-scaled", NormSpec::std_scaled(1e-3)),
        ("centered", NormSpec::centered()),
        ("centered, w and bias", NormSpec::centered().with_weight(Weight::Direct).with_bias(true)),
    ]
}
