//! Where tensors lie: offsets, strides, shared buffers, row chunks. Every case has guard bands around
//! each tensor and poison in each output.

use super::case::Case;
use super::placement::{Place, Placement, Sharing};
use super::values::Values;
use crate::spec::NormSpec;

/// x 16 bytes into its buffer: a multiple of a vec4, not of a binding's offset.
pub(super) const ROW_16_BYTES_IN: Placement = Placement { x: Place::new(4, 0), ..Placement::CONTIGUOUS };

const LAYER: NormSpec = NormSpec::layer(1e-5);
const RMS: NormSpec = NormSpec::rms(1e-6);

fn case(name: String, spec: NormSpec, rows: u64, dim: u64, placement: Placement) -> Case {
    Case::new(name, spec, rows, dim, Values::Noise { mean: 0.3, spread: 2.0 }).placed(placement).saving_stats()
}

pub(super) fn cases() -> Vec<Case> {
    [offsets(), strides(), shared(), chunks()].into_iter().flatten().collect()
}

/// Offsets of 0 to 5 elements and beyond a binding's alignment of 64 elements, for all tensors and for
/// each alone.
fn offsets() -> Vec<Case> {
    let mut cases = Vec::new();
    for offset in [0, 1, 2, 3, 4, 5, 63, 64, 65, 68, 127, 1001] {
        for dim in [16, 21] {
            cases.push(case(format!("offset_{offset}_dim_{dim}"), LAYER, 6, dim, Placement::uniform(offset, 0)));
        }
    }
    for offset in [1, 3, 68] {
        let here = Place::new(offset, 0);
        let alone = [
            ("x", Placement { x: here, ..Placement::CONTIGUOUS }),
            ("weight", Placement { weight: here, ..Placement::CONTIGUOUS }),
            ("bias", Placement { bias: here, ..Placement::CONTIGUOUS }),
            ("y", Placement { y: here, ..Placement::CONTIGUOUS }),
            ("stats", Placement { stats: here, ..Placement::CONTIGUOUS }),
        ];
        for (name, placement) in alone {
            cases.push(case(format!("offset_{offset}_of_{name}"), LAYER, 6, 24, placement));
        }
    }
    cases
}

/// Rows further apart than they are long, x and y unlike each other.
fn strides() -> Vec<Case> {
    let mut cases = Vec::new();
    for gap in [1, 2, 3, 4, 5, 64, 103] {
        for dim in [16, 21] {
            cases.push(case(format!("gap_{gap}_dim_{dim}"), LAYER, 9, dim, Placement::uniform(gap, gap)));
        }
        let of_x = Placement { x: Place::new(0, gap), ..Placement::CONTIGUOUS };
        let of_y = Placement { y: Place::new(0, gap), stats: Place::new(0, 1), ..Placement::CONTIGUOUS };
        cases.push(case(format!("gap_{gap}_of_x"), RMS, 9, 24, of_x));
        cases.push(case(format!("gap_{gap}_of_y"), RMS, 9, 24, of_y));
    }
    cases
}

/// One buffer for several tensors.
fn shared() -> Vec<Case> {
    let mut cases = Vec::new();
    let kinds = [
        ("in_place", Sharing::InPlace),
        ("x_then_y", Sharing::XThenY),
        ("y_then_x", Sharing::YThenX),
        ("inputs", Sharing::Inputs),
    ];
    for (name, sharing) in kinds {
        for (offset, gap) in [(0, 0), (4, 8), (3, 0), (5, 7), (70, 1)] {
            for (dim, spec) in [(16, LAYER), (21, LAYER), (24, RMS)] {
                let placement = Placement::uniform(offset, gap).sharing(sharing);
                cases.push(case(format!("{name}_offset_{offset}_gap_{gap}_dim_{dim}"), spec, 7, dim, placement));
            }
        }
        // Long enough to be streamed by every strategy.
        cases.push(case(format!("{name}_dim_20004"), LAYER, 2, 20_004, Placement::CONTIGUOUS.sharing(sharing)));
    }
    // Outputs share a buffer where their bindings have no byte in common: y ends below a multiple of 256 bytes.
    for (name, sharing, stats) in [("outputs", Sharing::Outputs, 64), ("written", Sharing::Written, 67)] {
        for gap in [0, 3] {
            let place = Place::new(0, gap);
            let placement = Placement { x: place, y: place, stats: Place::new(stats, gap), ..Placement::CONTIGUOUS };
            let placement = placement.sharing(sharing);
            cases.push(case(format!("{name}_gap_{gap}"), LAYER, 41, 24, placement));
            cases.push(case(format!("{name}_gap_{gap}_in_chunks"), LAYER, 41, 24, placement).binding_size(8192));
        }
    }
    // One element type for two alignments: x could be read by fours, y not.
    let uneven = Placement { y: Place::new(1, 0), ..Placement::CONTIGUOUS }.sharing(Sharing::XThenY);
    cases.push(case("x_then_y_unlike_alignment".into(), LAYER, 7, 16, uneven));
    let uneven = Placement { y: Place::new(0, 4), ..Placement::CONTIGUOUS }.sharing(Sharing::XThenY);
    cases.push(case("x_then_y_unlike_strides".into(), LAYER, 7, 16, uneven));
    cases
}

/// A tensor larger than a binding may be: rows in chunks.
fn chunks() -> Vec<Case> {
    let mut cases = Vec::new();
    // Rows of 21 to 32 elements with a binding of 1024 bytes: a few rows a chunk.
    let placements = [
        ("contiguous", Placement::CONTIGUOUS),
        ("offset_3", Placement::uniform(3, 0)),
        ("gap_5", Placement::uniform(2, 5)),
        ("gap_36", Placement::uniform(0, 36)),
        ("in_place", Placement::CONTIGUOUS.sharing(Sharing::InPlace)),
        ("in_place_gap_3", Placement::uniform(1, 3).sharing(Sharing::InPlace)),
    ];
    for (name, placement) in placements {
        for (dim, spec) in [(21, LAYER), (24, RMS), (32, LAYER)] {
            cases.push(case(format!("chunks_{name}_dim_{dim}"), spec, 41, dim, placement).binding_size(1024));
        }
    }
    // x and y apart in one buffer: a window must hold both.
    let apart = Placement::CONTIGUOUS.sharing(Sharing::XThenY);
    cases.push(case("chunks_x_then_y".into(), LAYER, 40, 16, apart).binding_size(4096));
    cases.push(case("chunks_y_then_x".into(), LAYER, 40, 16, apart.sharing(Sharing::YThenX)).binding_size(4096));
    // Exactly one row a chunk.
    cases.push(case("chunks_of_one_row".into(), LAYER, 9, 64, Placement::CONTIGUOUS).binding_size(256));
    cases.push(case("chunks_of_one_row_and_remainder".into(), LAYER, 9, 65, Placement::CONTIGUOUS).binding_size(512));
    cases
}
