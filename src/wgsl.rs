//! The shader files, and the only place that joins them.
//!
//! A program is a generated prelude of directives and `const` lines followed by whole files. WGSL
//! module scope has no order, so joining is concatenation: no template language, no conditionals.

#[cfg(any(test, target_arch = "wasm32"))]
mod comments;

/// One file of `shaders/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShaderFile {
    /// Path below `shaders/`.
    pub path: &'static str,
    /// Its text; in wasm without comment lines.
    pub text: &'static str,
}

#[cfg(not(target_arch = "wasm32"))]
macro_rules! shader_text {
    ($path:expr) => {
        include_str!($path)
    };
}

/// In a browser's module without comment lines.
#[cfg(target_arch = "wasm32")]
macro_rules! shader_text {
    ($path:expr) => {{
        const TEXT: &str = include_str!($path);
        const STRIPPED: [u8; comments::len(TEXT)] = comments::strip(TEXT);
        match str::from_utf8(&STRIPPED) {
            Ok(text) => text,
            Err(_) => TEXT,
        }
    }};
}

macro_rules! shader_files {
    ($($name:ident = $path:literal),+ $(,)?) => {
        $(
            #[doc = concat!("`shaders/", $path, "`")]
            pub const $name: ShaderFile =
                ShaderFile { path: $path, text: shader_text!(concat!("../shaders/", $path)) };
        )+
        /// Every file.
        pub const ALL: &[ShaderFile] = &[$($name),+];
    };
}

shader_files! {
    PARAMS = "params.wgsl",
    QUADS = "quads.wgsl",
    RANGE = "range.wgsl",
    LANE = "lane.wgsl",
    X_VEC4 = "access/x_vec4.wgsl",
    X_SCALAR = "access/x_scalar.wgsl",
    X_IN_Y_VEC4 = "access/x_in_y_vec4.wgsl",
    X_IN_Y_SCALAR = "access/x_in_y_scalar.wgsl",
    Y_VEC4 = "access/y_vec4.wgsl",
    Y_SCALAR = "access/y_scalar.wgsl",
    WEIGHT_VEC4 = "access/weight_vec4.wgsl",
    WEIGHT_SCALAR = "access/weight_scalar.wgsl",
    WEIGHT_ABSENT = "access/weight_absent.wgsl",
    BIAS_VEC4 = "access/bias_vec4.wgsl",
    BIAS_SCALAR = "access/bias_scalar.wgsl",
    BIAS_ABSENT = "access/bias_absent.wgsl",
    STATISTIC_RMS = "statistic/rms.wgsl",
    STATISTIC_MOMENTS = "statistic/moments.wgsl",
    STATISTIC_ROW = "statistic/row.wgsl",
    EPS_INSIDE = "statistic/eps_inside.wgsl",
    EPS_OUTSIDE = "statistic/eps_outside.wgsl",
    NORMALIZE_CENTRED_SCALED = "normalize/centred_scaled.wgsl",
    NORMALIZE_SCALED = "normalize/scaled.wgsl",
    NORMALIZE_CENTRED = "normalize/centred.wgsl",
    AFFINE = "affine/affine.wgsl",
    WEIGHT_NONE = "affine/weight_none.wgsl",
    WEIGHT_DIRECT = "affine/weight_direct.wgsl",
    WEIGHT_ONE_PLUS = "affine/weight_one_plus.wgsl",
    BIAS_NONE = "affine/bias_none.wgsl",
    BIAS_PRESENT = "affine/bias_present.wgsl",
    STATS_NONE = "stats/none.wgsl",
    STATS_SAVED = "stats/saved.wgsl",
    REDUCE_NONE = "reduce/none.wgsl",
    REDUCE_TREE = "reduce/tree.wgsl",
    REDUCE_SUBGROUP = "reduce/subgroup.wgsl",
    REDUCE_WORKGROUP_SUBGROUPS = "reduce/workgroup_subgroups.wgsl",
    ROW_BLOCK = "row/block.wgsl",
    ROW_STREAMED = "row/streamed.wgsl",
    ROW_APART = "row/apart.wgsl",
    ROW_REGISTERS = "row/registers.wgsl",
    ROW_REGISTERS_WEIGHT = "row/registers_weight.wgsl",
    ROW_REGISTERS_BIAS = "row/registers_bias.wgsl",
    ROW_REGISTERS_SCALED = "row/registers_scaled.wgsl",
    ROW_HELD_EIGHT = "row/held_eight.wgsl",
    ROW_HELD_EIGHTS = "row/held_eights.wgsl",
    ROW_HELD = "row/held.wgsl",
    ROW_SUM_BLOCK = "row/sum_block.wgsl",
    ROW_TURNS = "row/turns.wgsl",
    ROW_SUM_SPAN = "row/sum_span.wgsl",
    ROW_SUM_SPANS = "row/sum_spans.wgsl",
    ROW_SUM_STRETCHES = "row/sum_stretches.wgsl",
    ROW_EXTREME = "row/extreme.wgsl",
    ROW_WRITE = "row/write.wgsl",
    ROW_NORMALIZE = "row/normalize.wgsl",
    ROW_ONE = "row/one.wgsl",
    ROW_FOUR = "row/four.wgsl",
    ROW_SEVERAL = "row/several.wgsl",
    ROW_GUESS_ALONE = "row/guess_alone.wgsl",
    ROW_GUESS_SUBGROUP = "row/guess_subgroup.wgsl",
    ROW_WRITE_FOUR = "row/write_four.wgsl",
    ROW_PER_WORKGROUP = "strategy/row_per_workgroup.wgsl",
    ROW_PER_SUBGROUP = "strategy/row_per_subgroup.wgsl",
    ROW_PER_ONLY_SUBGROUP = "strategy/row_per_only_subgroup.wgsl",
    ROW_PER_INVOCATION = "strategy/row_per_invocation.wgsl",
}

/// Joins a prelude and files to one program.
pub fn join(directives: &[&str], constants: &[(&str, u64)], files: &[ShaderFile]) -> String {
    let mut program = String::new();
    for directive in directives {
        program.push_str(directive);
        program.push('\n');
    }
    for (name, value) in constants {
        program.push_str(&format!("const {name}: u32 = {value}u;\n"));
    }
    for file in files {
        program.push_str(&format!("\n// ── {}\n{}", file.path, file.text));
    }
    program
}
