//! Faults that users of other projects reported publicly, each as an input with the published right
//! answer: `Bnn` is the row of the project's table of reported faults; the comment names the source.
//! Rows whose fault was in 16-bit storage but whose point carries over are here with f32 input.
//!
//! What is not here, and why:
//! - Backward (B25, B26, B43, B47, B55, B60, B73, B77, B80, B84, B87; halves of B56 and B68), fused residual (B75),
//!   16-bit storage (B45 and B105 but for their f32 path): other passes, with tables of their own.
//! - max(RMS, ε) and ε on the sum of squares (parts of B32 and B34): not fields of `NormSpec`; ε on the
//!   sum is written as ε/dim here.
//! - Gate after the norm (part of B90) and modulation per batch (B92 with several batches): a product of two
//!   tensors of x's shape follows the norm; B92 runs batch by batch with the modulation as weight 1 + w and bias.
//! - Inner strides (B71): a view has one stride, of rows; the transposed matrix is given as it lies.
//! - Refused inputs (B50, B68 dim 0, B69, B88 k = 0, B111 ε): `errors`.
//! - Devices and hosts (B93, B97, B98, B100, B101, B103, B104, B107, B108, B112): tests of their own.

use super::case::Case;
use super::layout::ROW_16_BYTES_IN;
use super::shapes::modular;
use super::values::Values;
use crate::spec::{NormSpec, Scale, Weight};

const LAYER: NormSpec = NormSpec::layer(1e-5);
const RMS6: NormSpec = NormSpec::rms(1e-6);
const RMS5: NormSpec = NormSpec::rms(1e-5);
const STEP_4: [&str; 4] = ["-1.34163542", "-0.44721181", "0.44721181", "1.34163542"];

/// Weight 1 and bias 0, as every row of the table has unless it says otherwise.
fn fault(name: &str, spec: NormSpec, rows: &[&[f32]]) -> Case {
    Case::of_rows(name, spec, rows).neutral()
}

fn of(name: &str, spec: NormSpec, rows: u64, dim: u64, x: Values) -> Case {
    Case::new(name, spec, rows, dim, x).neutral()
}

pub(super) fn cases() -> Vec<Case> {
    [variance(), range(), eps(), formula(), shape(), memory(), compiler()].into_iter().flatten().collect()
}

/// Variance by E[x²] − E[x]², clipped or not, and sums that lose digits.
fn variance() -> Vec<Case> {
    let near_2000: &[f32] = &[2000.3, 2001.1, 2001.9, 2003.2];
    let near_2000_y = ["-1.237233", "-0.490265", "0.256816", "1.470682"];
    vec![
        // pytorch/pytorch#51102
        fault("B01_large_mean", LAYER, &[&[2000., 2001., 2002., 2003.], near_2000])
            .known_row(0, &STEP_4)
            .known_row(1, &near_2000_y),
        // microsoft/onnxruntime#28463
        fault(
            "B02_single_pass_variance_negative",
            LAYER,
            &[&[40000., 40001., 40002., 40003.], &[80000., 80001., 80002., 80003.]],
        )
        .known_row(0, &STEP_4)
        .known_row(1, &STEP_4),
        // microsoft/onnxruntime#21935
        of("B03_constant_rows_give_bias", LAYER, 3, 256, Values::rows(&[&[1234.0], &[1234.1], &[1000.1]]))
            .bias(Values::Constant(0.25))
            .known(0, 0, "0.250000000")
            .known(1, 255, "0.250000000")
            .known(2, 100, "0.250000000"),
        // tracel-ai/burn#5607
        of("B05_mean_grows", LAYER, 4, 16, Values::Formula(mean_grows))
            .known(0, 0, "-1.3416408")
            .known(0, 15, "1.3416407")
            .known(1, 0, "-1.34152771")
            .known(1, 15, "1.34135713")
            .known(2, 0, "-1.34150776")
            .known(2, 15, "1.34423718")
            .known(3, 0, "-1.33133335")
            .known(3, 15, "1.33133335"),
        // tenstorrent/tt-metal#45968, pytorch/pytorch#40302
        of("B07_low_variance_far_from_zero", LAYER, 1, 1024, Values::Formula(|_, i| hundred_and_a_bit(i)))
            .known(0, 0, "-1.5055761")
            .known(0, 1, "-0.3903038"),
        of("B07_low_variance_far_from_zero_long", LAYER, 3, 32768, Values::Noise { mean: 100.0, spread: 0.017 }),
        // patrick-kidger/equinox#314, google/flax use_fast_variance
        fault("B08_clipped_variance_is_still_wrong", LAYER, &[near_2000]).known_row(0, &near_2000_y),
        // microsoft/onnxruntime layer_norm.wgsl.template @58e0c84
        fault("B09_mean_rounded_to_16_bits", LAYER, &[&[2000., 2001., 2002., 2003.]]).known_row(0, &STEP_4),
        // tenstorrent/tt-metal#49600
        of("B17_ones_2_pow_25", NormSpec::rms_plain(1e-6), 1, 1 << 25, Values::Constant(1.0))
            .known(0, 0, "0.9999995")
            .known(0, (1 << 25) - 1, "0.9999995")
            .planned_only(),
        modular("B17_serial_sum_65537_layer", LAYER, 1, 65537, "-1.7149485", "-0.8917609"),
        modular("B17_serial_sum_100001_rms", RMS6, 1, 100_001, "-1.7149834", "0.5830944"),
        // ggml-org/llama.cpp row_norm.wgsl @2397edd: a compensation term that the compiler may delete
        modular("B113_compensated_sum", LAYER, 2, 65537, "-1.7149485", "-0.8917609"),
    ]
}

fn mean_grows(row: u64, i: u64) -> f32 {
    let mean = [0.0, 100.0, 1000.0, 10000.0][row as usize];
    (mean + i as f64 * 1e-3) as f32
}

fn hundred_and_a_bit(i: u64) -> f32 {
    (100.0 + ((37 * i % 101) as f64 - 50.0) / 50.0 * 0.01) as f32
}

/// Squares and sums that leave the range of their type.
fn range() -> Vec<Case> {
    let y_800 = ["1.26491106", "-1.26491106", "0.63245553", "-0.63245553"];
    vec![
        // microsoft/onnxruntime#31626, facebookresearch/ConvNeXt#80, microsoft/onnxruntime#17692, #32294
        fault("B10_squares_beyond_16_bits_layer", LAYER, &[&[800., -800., 400., -400.], &[795., -795., 795., -795.]])
            .known_row(0, &y_800)
            .known_row(1, &["1.00000000", "-1.00000000", "1.00000000", "-1.00000000"]),
        // microsoft/onnxruntime#29034, nntrainer/nntrainer#3935, tracel-ai/burn#2193
        fault("B12_squares_beyond_16_bits_rms", RMS6, &[&[7600., 7600., -7600., 0.], &[800., -800., 400., -400.]])
            .known_row(0, &["1.15470054", "1.15470054", "-1.15470054", "0"])
            .known_row(1, &y_800),
        // xlite-dev/LeetCUDA#335, ROCm/triton#633
        of("B13_accumulator_stalls", RMS6, 2, 4096, Values::rows(&[&[1.0], &[16.0]]))
            .known(0, 0, "0.9999995")
            .known(0, 4095, "0.9999995")
            .known(1, 0, "1.00000000"),
        // pytorch/pytorch#162489, tenstorrent/tt-metal#55159, #56404
        fault("B15_squares_beyond_f32_rms", RMS5, &[&[1e25, 2e25, 3e25, 4e25]])
            .known_row(0, &["0.36514837", "0.73029674", "1.09544512", "1.46059349"]),
        fault("B15_squares_beyond_f32_layer", LAYER, &[&[1e25, 2e25, 3e25, 4e25]])
            .known_row(0, &["-1.34164079", "-0.4472136", "0.4472136", "1.34164079"]),
        // jingyaogong/minimind#301
        fault(
            "B22_square_before_widening_eps_1e-6",
            RMS6,
            &[&[1.000_165_9e-4, -1.000_165_9e-4, 2.000_331_9e-4, -2.000_331_9e-4]],
        )
        .known_row(0, &["0.09878895", "-0.09878895", "0.1975779", "-0.1975779"]),
        fault(
            "B22_square_before_widening_eps_1e-8",
            NormSpec::rms(1e-8),
            &[&[1.000_165_9e-4, -1.000_165_9e-4, 2.000_331_9e-4, -2.000_331_9e-4]],
        )
        .known_row(0, &["0.53454782", "-0.53454782", "1.06909564", "-1.06909564"]),
        // EarthyScience/Browzarr#579, shader-slang/slang#6881, gpuweb/gpuweb#2311, tensorflow/tfjs#6075
        of("B28_rows_beside_a_bad_row", LAYER, 9, 4, Values::Formula(bad_rows_between))
            .known_row(1, &STEP_4)
            .known_row(3, &STEP_4)
            .known_row(5, &STEP_4)
            .known_row(7, &STEP_4),
        of("B28_rows_beside_a_bad_row_rms", RMS6, 9, 64, Values::Formula(bad_rows_between)),
    ]
}

/// Odd rows are 1, 2, 3, 4; in even rows the second element is NaN or an infinity.
fn bad_rows_between(row: u64, i: u64) -> f32 {
    let bad = [0x7f80_0000, 0x7fc0_0000, 0x7fff_ffff, 0xffc0_0000, 0xff80_0000][row as usize / 2];
    if row.is_multiple_of(2) && i == 1 { f32::from_bits(bad) } else { (i + 1) as f32 }
}

/// ε lost, moved, hard-coded or underflowing.
fn eps() -> Vec<Case> {
    let milli: &[f32] = &[1e-3, -1e-3, 2e-3, -2e-3];
    let pattern: &[f32] = &[0.003, -0.002, 0.004, -0.001];
    let y_5 = ["0.28284271", "-0.28284271", "0.56568542", "-0.56568542"];
    let y_6 = ["0.53452248", "-0.53452248", "1.06904497", "-1.06904497"];
    let zero = ["0", "0", "0", "0"];
    vec![
        // pytorch/pytorch#41527, tensorflow/tensorflow#24979, keras-team/keras#22586
        fault("B19_zero_row_tiny_eps_layer", NormSpec::layer(1e-12), &[&[0.0; 4]]).known_row(0, &zero),
        fault("B19_zero_row_tiny_eps_rms", NormSpec::rms(1e-8), &[&[0.0; 4]]).known_row(0, &zero),
        // VeriSilicon/TIM-VX#589, pytorch/pytorch#86580
        fault(
            "B20_eps_lost",
            LAYER,
            &[&[2.0; 6], &[-2., 2., -2., 2., -2., 2.], &[-2., 0., 2., -2., 0., 2.], &[0., 1., 2., 3., 4., 5.]],
        )
        .known_row(0, &["0", "0", "0", "0", "0", "0"])
        .known_row(1, &["-0.99999875", "0.99999875"])
        .known_row(2, &["-1.22474258", "0", "1.22474258"])
        .known_row(3, &["-1.4638476", "-0.87830856", "-0.29276952", "0.29276952", "0.87830856", "1.4638476"]),
        // tenstorrent/tt-metal#55347
        fault("B23_one_element_keeps_eps", RMS6, &[&[1e-4], &[1e-3], &[0.0]])
            .known(0, 0, "0.0995037")
            .known(1, 0, "0.70710678")
            .known(2, 0, "0"),
        // microsoft/CNTK#3816, allenai/OLMo#281, NVIDIA/TransformerEngine#364, NVIDIA/apex#1295
        fault("B32_eps_inside_1e-5", RMS5, &[milli]).known_row(0, &y_5),
        fault("B32_eps_outside_1e-5", RMS5.eps_outside(), &[milli])
            .known_row(0, &["0.62848067", "-0.62848067", "1.25696134", "-1.25696134"]),
        fault("B32_eps_inside_1e-6", RMS6, &[milli]).known_row(0, &y_6),
        // apple/axlearn#21, ml-explore/mlx-lm#1624, fla-org/flash-linear-attention#508
        of("B34_eps_on_the_mean", RMS6, 2, 128, Values::Constant(1e-4)).known(0, 0, "0.09950372"),
        of("B34_eps_on_the_sum", NormSpec::rms(1e-6 / 128.0), 2, 128, Values::Constant(1e-4)).known(
            1,
            127,
            "0.74926865",
        ),
        // Lightning-AI/lit-llama#339, meta-llama/llama#771, ggml-org/llama.cpp#2373
        fault("B36_eps_not_forwarded_1e-5", RMS5, &[pattern])
            .known_row(0, &["0.71713717", "-0.47809144", "0.95618289", "-0.23904572"]),
        fault("B36_eps_not_forwarded_1e-6", RMS6, &[pattern])
            .known_row(0, &["1.02899151", "-0.68599434", "1.37198868", "-0.34299717"]),
        // pytorch/pytorch#155527, #173039
        of(
            "B37_machine_eps_of_f32",
            NormSpec::rms(f32::EPSILON),
            2,
            8,
            Values::rows(&[&[1e-3], &[1049.0 / 1_048_576.0]]),
        )
        .known(0, 0, "0.94524490")
        .known(1, 0, "0.9452856"),
        // tinygrad/tinygrad#1268: ε far from everything, passed in the uniform block
        fault("B111_eps_3.4e38", NormSpec::layer(3.4e38), &[&[1., 2., 3., 4.]]),
        fault("B111_eps_smallest_normal", NormSpec::layer(f32::MIN_POSITIVE), &[&[1., 2., 3., 4.]]),
    ]
}

/// The right formula, wrongly written.
fn formula() -> Vec<Case> {
    let steps: &[f32] = &[1., 2., 3., 4.];
    let digits: &[f32] = &[0., 1., 2., 3., 4., 5., 6., 7., 8., 9.];
    let gemma = Values::row(&[0.25, -0.5, 0.125, -1.0]);
    let eighths: &[f32] = &[1., 2., 3., 4., 5., 6., 7., 8.];
    let first_silu: &[f32] = &[0.0, 1.462_117_2, -0.806_824_2, 7.046_376_6];
    vec![
        // hkproj/pytorch-transformer#31, hyunwoongko/transformer#7, harvardnlp/annotated-transformer#119
        fault("B29_population_variance", NormSpec::layer(1e-6), &[steps])
            .known_row(0, &["-1.34164025", "-0.44721342", "0.44721342", "1.34164025"]),
        // mosaicml/llm-foundry#371
        fault("B30_multiply_by_rsqrt", RMS5, &[steps])
            .known_row(0, &["0.36514813", "0.73029626", "1.09544438", "1.46059251"]),
        // keras-team/keras#21234, #22393, #20911
        fault("B39_true_rms", NormSpec::rms(1e-3), &[digits]).known(0, 1, "0.18731388").known(0, 9, "1.68582489"),
        fault("B39_std_scaled", NormSpec::std_scaled(1e-3), &[digits]).known(0, 1, "0.34813421").known(
            0,
            9,
            "3.13320792",
        ),
        fault("B39_layer", NormSpec::layer(1e-3), &[digits]).known(0, 0, "-1.56660396").known(0, 9, "1.56660396"),
        // linkedin/Liger-Kernel#74, huggingface/transformers#40796, ml-explore/mlx-swift-lm#403
        fault("B41_one_plus_weight", RMS6.with_weight(Weight::OnePlus), &[steps])
            .weight(gemma.clone())
            .known_row(0, &["0.45643543", "0.36514835", "1.23237567", "0"]),
        fault("B41_weight_without_one", RMS6, &[steps])
            .weight(gemma)
            .known_row(0, &["0.09128709", "-0.36514835", "0.13693063", "-1.46059339"]),
        // microsoft/onnxruntime#32627, pytorch/pytorch#135969, NVIDIA/apex#1635: the f32 path
        fault("B45_weight_and_bias_f32", LAYER, &[steps]).weight(Values::Constant(1.0001)).bias(Values::Constant(0.1)),
        // bzhangGo/rmsnorm
        fault("B88_partial_statistic", NormSpec::prms(0.25, 1e-6), &[eighths]).known_row(
            0,
            &[
                "0.63245541",
                "1.26491081",
                "1.89736622",
                "2.52982162",
                "3.16227703",
                "3.79473243",
                "4.42718784",
                "5.05964324",
            ],
        ),
        fault("B88_first_elements_zero", NormSpec::prms(0.5, 1e-6), &[&[0., 0., 1., 2.]])
            .known_row(0, &["0", "0", "1000", "2000"]),
        // state-spaces/mamba#910, huggingface/transformers#35943: x·silu(z), rounded to f32, then the norm
        fault("B90_gate_before_the_norm", RMS5, &[first_silu])
            .known_row(0, &["0", "0.4038127", "-0.2228316", "1.9460931"]),
        fault("B90_gate_before_the_norm_in_groups", RMS5, &[&first_silu[..2], &first_silu[2..]])
            .known_row(0, &["0", "1.414207"])
            .known_row(1, &["-0.160879", "1.405033"]),
        // vllm-project/vllm-omni#1537, huggingface/diffusers#7460
        fault("B92_modulation_none", NormSpec::layer(1e-6).with_weight(Weight::OnePlus), &[steps])
            .weight(Values::Constant(0.0))
            .known_row(0, &["-1.34164025", "-0.44721342", "0.44721342", "1.34164025"]),
        fault("B92_modulation", NormSpec::layer(1e-6).with_weight(Weight::OnePlus), &[steps])
            .weight(Values::row(&[0.5, -0.5, 1.0, -1.0]))
            .bias(Values::row(&[0.1, 0.2, 0.3, 0.4]))
            .known_row(0, &["-1.91246037", "-0.02360671", "1.19442683", "0.4"]),
    ]
}

/// Shapes that a kernel was not written for.
fn shape() -> Vec<Case> {
    let arange: &[f32] = &[0., 1., 2., 3., 4., 5.];
    let y = ["-1.46359923", "-0.87815954", "-0.29271985", "0.29271985", "0.87815954", "1.46359923"];
    let mut cases = vec![
        // keras-team/keras#22201: both last axes are one row of 6
        fault("B51_two_axes_as_one_row", NormSpec::layer(1e-3), &[arange]).known_row(0, &y),
        fault("B51_two_axes_weight", NormSpec::layer(1e-3), &[arange])
            .weight(Values::row(&[1., 2., 3., 4., 5., 6.]))
            .known_row(0, &["-1.46359923", "-1.75631907", "-0.87815954", "1.17087938", "4.39079768", "8.78159537"]),
        // ONNX LayerNormalization-17
        fault("B54_axis_1", LAYER, &[&[0., 1., 2., 3.], &[4., 5., 6., 7.]]).known_row(0, &STEP_4).known_row(1, &STEP_4),
        fault("B54_axis_last", LAYER, &[&[0., 1.], &[2., 3.], &[4., 5.], &[6., 7.]])
            .known_row(0, &["-0.99998", "0.99998"])
            .known_row(3, &["-0.99998", "0.99998"]),
        // pytorch/pytorch#108956, #188372, #173598
        fault("B56_one_element_layer", LAYER, &[&[5.0], &[1e6]])
            .weight(Values::Constant(2.0))
            .bias(Values::Constant(0.25))
            .known(0, 0, "0.25000000")
            .known(1, 0, "0.25000000"),
        fault("B56_one_element_rms", RMS6, &[&[5.0], &[1e6]]).known(0, 0, "0.99999998").known(1, 0, "1.00000000"),
        // flashinfer-ai/flashinfer#718, Dao-AILab/flash-attention#144
        of("B63_row_beyond_workgroup_memory_layer", LAYER, 1, 65537, Values::Formula(last_is_1000))
            .known(0, 0, "-0.00390625")
            .known(0, 65536, "255.99991593"),
        of("B63_row_beyond_workgroup_memory_rms", RMS6, 1, 65537, Values::Formula(last_is_1000))
            .known(0, 0, "0.24800429")
            .known(0, 65536, "248.00429476"),
        modular("B63_16384_layer", LAYER, 1, 16384, "-1.7149049", "0.6860411"),
        modular("B63_16384_rms", RMS6, 1, 16384, "-1.7149620", "0.6859848"),
        modular("B63_100001_layer", LAYER, 1, 100_001, "-1.7149726", "0.5831045"),
        // vllm-project/vllm-ascend#5012
        of("B64_later_rows_untouched_49", LAYER, 49, 4, Values::Formula(fourth_grows))
            .known_row(48, &STEP_4)
            .known_row(47, &["-0.82055246", "-0.56807478", "-0.3155971", "1.70422435"]),
        of("B64_later_rows_untouched_257", LAYER, 257, 4, Values::Formula(fourth_grows))
            .known_row(256, &STEP_4)
            .known_row(255, &["-0.82055246", "-0.56807478", "-0.3155971", "1.70422435"]),
        // ggml-org/llama.cpp#23750, tensorflow/tfjs#8373, sonos/tract#2820, pytorch/executorch#20583
        of("B66_rows_beyond_65535", LAYER, 65537, 4, Values::Formula(fourth_grows))
            .known_row(65535, &["-0.82055246", "-0.56807478", "-0.3155971", "1.70422435"])
            .known_row(65536, &STEP_4),
        // tensorflow/tensorflow#46366, pytorch/pytorch#28614: the empty batch
        of("B68_no_rows", LAYER, 0, 8, Values::Constant(1.0)).saving_stats(),
        // microsoft/onnxruntime#25092: instance norm as rows
        of("B70_instance_norm_rows", LAYER, 160, 2, Values::row(&[0.5, 2.5]))
            .known_row(0, &["-0.999995", "0.999995"])
            .known_row(159, &["-0.999995", "0.999995"]),
        // tracel-ai/burn#2901, #3142, #3266: one memory, two shapes
        fault("B106_arange_2x6", LAYER, &[&[0., 1., 2., 3., 4., 5.], &[6., 7., 8., 9., 10., 11.]])
            .known_row(0, &["-1.4638476", "-0.87830856", "-0.29276952", "0.29276952", "0.87830856", "1.4638476"])
            .known_row(1, &["-1.4638476", "-0.87830856", "-0.29276952", "0.29276952", "0.87830856", "1.4638476"]),
        fault("B106_arange_3x4", LAYER, &[&[0., 1., 2., 3.], &[4., 5., 6., 7.], &[8., 9., 10., 11.]])
            .known_row(0, &STEP_4)
            .known_row(2, &STEP_4),
    ];
    // ROCm/aiter#5044, tile-ai/tilelang-ascend#890
    let odd = [
        (769, "-1.7140038", "-0.5143571", "-1.7137815", "-0.5141344"),
        (513, "-1.7099456", "0.2448032", "-1.7146732", "0.2400542"),
        (5, "-1.2682942", "0.5058078", "-1.6047416", "-0.0962845"),
        (3, "-1.2247444", "1.2247444", "-1.5202789", "0.7297339"),
    ];
    for (dim, layer_first, layer_last, rms_first, rms_last) in odd {
        cases.push(modular(format!("B58_odd_length_{dim}_layer"), LAYER, 7, dim, layer_first, layer_last));
        cases.push(modular(format!("B58_odd_length_{dim}_rms"), RMS6, 7, dim, rms_first, rms_last).share(dim));
    }
    // lablup/mlxcel#1033, ml-explore/mlx#3792
    for dim in [256, 257, 300, 384, 511, 512, 513] {
        for rows in [1, 2, 17] {
            let x = Values::Formula(super::shapes::generator);
            let layer =
                of(&format!("B59_two_group_widths_{rows}x{dim}_layer"), LAYER, rows, dim, x.clone()).share(dim + rows);
            let rms = of(&format!("B59_two_group_widths_{rows}x{dim}_rms"), RMS6, rows, dim, x).share(dim + rows + 2);
            cases.extend(match dim {
                257 => [
                    layer.known(rows - 1, 0, "-1.7092263").known(rows - 1, 256, "0.9959828"),
                    rms.known(rows - 1, 0, "-1.7121509").known(rows - 1, 256, "0.9930475"),
                ],
                _ => [layer, rms],
            });
        }
    }
    // sgl-project/sglang#20661, vllm-project/vllm#53115
    let heads = [
        (80, "-1.6989710", "1.5290739"),
        (96, "-1.7072724", "1.0585088"),
        (128, "-1.7135139", "0.1028108"),
        (320, "-1.7121241", "1.2669719"),
        (512, "-1.7130974", "-1.0278584"),
    ];
    cases.extend(
        heads.map(|(dim, first, last)| {
            modular(format!("B65_head_dim_{dim}"), RMS6, 6, dim, first, last).share(dim / 16)
        }),
    );
    cases
}

fn last_is_1000(_row: u64, i: u64) -> f32 {
    if i == 65536 { 1000.0 } else { 1.0 }
}

fn fourth_grows(row: u64, i: u64) -> f32 {
    if i == 3 { 4.0 + (row % 8) as f32 } else { (i + 1) as f32 }
}

/// Views, tails and tensors left out.
fn memory() -> Vec<Case> {
    let table = ["-1.7142375", "-1.1998231"];
    let generated = Values::Formula(super::shapes::generator);
    let absent =
        |name: &str, spec| of(name, spec, 1, 4096, generated.clone()).known(0, 0, table[0]).known(0, 4095, table[1]);
    let ten: &[f32] = &[10., 11., 12., 13., 14.];
    let five = ["-1.41421003", "-0.70710501", "0", "0.70710501", "1.41421003"];
    vec![
        // ModelTC/LightLLM#1467, Dao-AILab/quack#88: the transposed matrix, as it lies
        fault("B71_transposed", RMS6, &[&[1., 3., 5.], &[2., 4., 6.]])
            .known_row(0, &["0.29277001", "0.87831003", "1.46385005"])
            .known_row(1, &["0.46291004", "0.92582007", "1.38873011"]),
        // ggml-org/llama.cpp#16400, microsoft/onnxruntime#27853
        fault("B72_view_at_byte_16", RMS6, &[&[1., 2., 3., 4.]])
            .placed(ROW_16_BYTES_IN)
            .known_row(0, &["0.36514835", "0.73029669", "1.09544504", "1.46059339"]),
        // torch-spyre/torch-spyre#1980
        absent("B79_no_weight_no_bias", NormSpec::layer_simple(1e-5)),
        absent("B79_no_weight", LAYER.with_weight(Weight::None)),
        absent("B79_no_bias", LAYER.with_bias(false)),
        // microsoft/onnxruntime#27948
        fault("B82_tail_of_5", LAYER, &[&[1., 2., 3., 4., 5.], &[1., 2., 3., 4., 5.], ten])
            .known_row(0, &five)
            .known_row(1, &five)
            .known_row(2, &five),
    ]
}

/// What compilers and devices make of a program.
fn compiler() -> Vec<Case> {
    let five_rows = |name: &str, dim| Case::new(name, LAYER, 5, dim, Values::Noise { mean: 0.5, spread: 2.0 });
    let mut cases = vec![
        // gfx-rs/wgpu#4500, gpuweb/gpuweb#5277: a row guard in front of a barrier
        five_rows("B94_five_rows_of_64", 64),
        five_rows("B94_five_rows_of_3", 3),
        // ggml-org/llama.cpp#10809, gpuweb/cts#4035, gpuweb/gpuweb#4963: any subgroup width
        of("B95_subgroup_width", RMS6, 3, 1024, Values::Constant(1.0)).known(0, 0, "0.9999995").known(
            2,
            1023,
            "0.9999995",
        ),
    ];
    // vllm-project/vllm#48271: a row's result depends on the batch. Both statistics.
    for (name, spec) in [("layer", LAYER), ("rms", RMS6)] {
        let noise = Values::Noise { mean: 0.3, spread: 2.0 };
        let case = Case::new(format!("B86_batch_{name}"), spec, 1024, 96, noise);
        debug_assert!(!matches!(spec.scale, Scale::None));
        cases.push(case.claiming(super::case::Claim::BatchInvariant));
    }
    cases
}
