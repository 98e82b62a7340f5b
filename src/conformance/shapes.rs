//! Shapes: every row length that meets a boundary, and every number of rows.

use super::case::Case;
use super::values::Values;
use crate::spec::NormSpec;

const LAYER: NormSpec = NormSpec::layer(1e-5);
const RMS: NormSpec = NormSpec::rms(1e-6);

/// `((37·i mod 101) − 50)/8`: exact in f16 and f32, without a period that divides a power of two.
pub(super) fn generator(_row: u64, i: u64) -> f32 {
    ((37 * i % 101) as f32 - 50.0) / 8.0
}

/// Rows of the generator with weight 1 and bias 0; the published first and last element in the first and last row.
pub(super) fn modular(
    name: impl Into<String>,
    spec: NormSpec,
    rows: u64,
    dim: u64,
    first: &'static str,
    last: &'static str,
) -> Case {
    let case = Case::new(name, spec, rows, dim, Values::Formula(generator)).neutral();
    case.known(0, 0, first).known(rows - 1, dim - 1, last)
}

/// dim; LayerNorm (ε 1e-5) first and last; RMSNorm (ε 1e-6) first and last.
const TABLE: [(u64, &str, &str, &str, &str); 23] = [
    (1, "0.0000000", "0.0000000", "-1.0000000", "-1.0000000"),
    (2, "-0.9999991", "0.9999991", "-1.3687077", "-0.3558640"),
    (3, "-1.2247444", "1.2247444", "-1.5202789", "0.7297339"),
    (5, "-1.2682942", "0.5058078", "-1.6047416", "-0.0962845"),
    (7, "-1.3227277", "-0.6419120", "-1.5914023", "-0.9548414"),
    (63, "-1.7210067", "0.7361813", "-1.7061986", "0.7507274"),
    (64, "-1.6844390", "-1.4136595", "-1.6923193", "-1.4215482"),
    (65, "-1.6947076", "-0.1600266", "-1.7051078", "-0.1705108"),
    (255, "-1.7032718", "-1.5323683", "-1.7090078", "-1.5381070"),
    (256, "-1.7053220", "-0.2671212", "-1.7121045", "-0.2739367"),
    (257, "-1.7092263", "0.9959828", "-1.7121509", "0.9930475"),
    (512, "-1.7079005", "-1.0226524", "-1.7130974", "-1.0278584"),
    (513, "-1.7099456", "0.2448032", "-1.7146732", "0.2400542"),
    (769, "-1.7140038", "-0.5143571", "-1.7137815", "-0.5141344"),
    (1023, "-1.7112462", "-0.3399168", "-1.7141551", "-0.3428310"),
    (1152, "-1.7151201", "0.5484455", "-1.7148229", "0.5487433"),
    (1600, "-1.7139845", "0.9607006", "-1.7145421", "0.9601436"),
    (3584, "-1.7145285", "0.3091233", "-1.7149596", "0.3086927"),
    (4096, "-1.7142375", "-1.1998231", "-1.7147152", "-1.2003006"),
    (8193, "-1.7144669", "-1.6115795", "-1.7147897", "-1.6119023"),
    (16384, "-1.7149049", "0.6860411", "-1.7149620", "0.6859848"),
    (65537, "-1.7149485", "-0.8917609", "-1.7149747", "-0.8917868"),
    (100_001, "-1.7149726", "0.5831045", "-1.7149834", "0.5830944"),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (number, (dim, layer_first, layer_last, rms_first, rms_last)) in (0..).zip(TABLE) {
        cases.push(modular(format!("table_{dim}_layer"), LAYER, 2, dim, layer_first, layer_last).share(number));
        cases.push(modular(format!("table_{dim}_rms"), RMS, 2, dim, rms_first, rms_last).share(number + 2));
    }
    let noise = || Values::Noise { mean: 0.3, spread: 2.0 };
    let both = |dim: u64, rows, share| {
        let layer = Case::new(format!("dim_{dim}_layer"), LAYER, rows, dim, noise()).share(share);
        [layer, Case::new(format!("dim_{dim}_rms"), RMS, rows, dim, noise()).share(share + 2)]
    };
    // Each remainder mod 4 meets each strategy and both statistics.
    cases.extend((1..=70).map(|dim| {
        let [layer, rms] = both(dim, 5, dim + dim / 4);
        if (dim + dim / 16).is_multiple_of(2) { layer } else { rms }
    }));
    // Around powers of two, and lengths of real models.
    let lengths = [127, 129, 384, 576, 768, 1025, 2047, 3072, 4095, 4097, 8191, 8192, 16385, 32771, 131_073];
    cases.extend((0..).zip(lengths).flat_map(|(number, dim)| both(dim, 2, number)));
    // Where one lane's share, or one invocation's row, comes near 65,535 iterations.
    for dim in [262_144, 1_048_577] {
        cases.push(Case::new(format!("dim_{dim}_layer"), LAYER, 1, dim, noise()));
    }
    cases.push(Case::new("dim_4194307_rms", RMS, 1, 4_194_307, noise()).planned_only());
    cases.push(Case::new("dim_8388608_layer_simple", NormSpec::layer_simple(1e-5), 1, 1 << 23, noise()).planned_only());
    for rows in [0, 1, 2, 3, 4, 5, 7, 31, 32, 33, 255, 1000] {
        cases.push(Case::new(format!("rows_{rows}_layer"), LAYER, rows, 24, noise()).saving_stats());
        cases.push(Case::new(format!("rows_{rows}_rms"), RMS, rows, 21, noise()).saving_stats());
    }
    for rows in [65_535, 65_536, 65_537, 131_071] {
        cases.push(Case::new(format!("rows_{rows}_layer"), LAYER, rows, 5, noise()));
    }
    // More workgroups than one dimension of a grid holds, for strategies that give a workgroup many rows.
    cases.push(Case::new("rows_2200000_rms", NormSpec::rms_plain(1e-6), 2_200_000, 2, noise()).planned_only());
    for workgroups in [3, 16] {
        // Past the whole grid as well, so that rows are chunked.
        let rows = 64 * 4 * u64::from(workgroups) + 5;
        let layer = Case::new(format!("grid_of_{workgroups}_layer"), LAYER, rows, 24, noise());
        let rms = Case::new(format!("grid_of_{workgroups}_rms"), RMS, rows, 21, noise());
        cases.extend([layer, rms].map(|case| case.workgroups(workgroups).saving_stats()));
    }
    cases
}
