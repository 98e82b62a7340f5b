//! Deterministic generators of tensor values: the same numbers on every platform, without a library.

/// What a tensor is filled with.
#[derive(Debug, Clone)]
pub enum Values {
    /// The same number everywhere.
    Constant(f32),
    /// `rows[r mod len][i mod len]`: written out.
    Rows(Vec<Vec<f32>>),
    /// `mean + spread·u`, u uniform in [−1, 1), a hash of row and index; the sum is rounded once.
    Noise {
        /// Added to every element.
        mean: f64,
        /// Half the width of the range.
        spread: f64,
    },
    /// Any function of row and index.
    Formula(fn(row: u64, index: u64) -> f32),
}

impl Values {
    /// One row, repeated.
    pub fn row(values: &[f32]) -> Self {
        Values::Rows(vec![values.to_vec()])
    }

    /// Several rows.
    pub fn rows(rows: &[&[f32]]) -> Self {
        Values::Rows(rows.iter().map(|row| row.to_vec()).collect())
    }

    /// The element at a place.
    pub fn at(&self, row: u64, index: u64) -> f32 {
        match self {
            Values::Constant(value) => *value,
            Values::Rows(rows) => {
                let row = &rows[row as usize % rows.len()];
                row[index as usize % row.len()]
            }
            Values::Noise { mean, spread } => (mean + spread * uniform(row, index)) as f32,
            Values::Formula(f) => f(row, index),
        }
    }

    /// `[rows, dim]` elements.
    pub fn fill(&self, rows: u64, dim: u64) -> Vec<f32> {
        let mut values = Vec::with_capacity((rows * dim) as usize);
        for row in 0..rows {
            values.extend((0..dim).map(|index| self.at(row, index)));
        }
        values
    }
}

/// A number in [−1, 1) from row and index: two rounds of the splitmix64 finalizer.
pub fn uniform(row: u64, index: u64) -> f64 {
    let bits = mix(mix(row.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03));
    (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
