//! `rownorm adapters`: what this machine has.

use serde::Serialize;

use super::adapter::AdapterArgs;
use super::exit::{Failure, Result};
use super::output;
use crate::error::Error;
use crate::gpu::{self, AdapterReport};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Adapter {
    name: String,
    driver: String,
    backend: String,
    /// Whether it runs where none is named.
    default: bool,
    kind: &'static str,
    subgroups: Option<Subgroups>,
    shader_f16: bool,
    timestamp_query: bool,
    limits: Limits,
}

#[derive(Serialize)]
struct Subgroups {
    min: u32,
    max: u32,
}

#[derive(Serialize)]
struct Limits {
    max_compute_invocations_per_workgroup: u32,
    max_compute_workgroup_storage_size: u32,
    max_compute_workgroups_per_dimension: u32,
    max_storage_buffer_binding_size: u64,
    max_buffer_size: u64,
    min_storage_buffer_offset_alignment: u32,
}

impl Adapter {
    fn new(report: AdapterReport, default: bool) -> Self {
        let caps = report.caps;
        let limits = caps.limits;
        Self {
            name: report.name,
            driver: report.driver,
            backend: report.backend,
            default,
            kind: caps.adapter.name(),
            subgroups: caps.subgroups.map(|sizes| Subgroups { min: sizes.min, max: sizes.max }),
            shader_f16: caps.shader_f16,
            timestamp_query: caps.timestamp_query,
            limits: Limits {
                max_compute_invocations_per_workgroup: limits.max_compute_invocations_per_workgroup,
                max_compute_workgroup_storage_size: limits.max_compute_workgroup_storage_size,
                max_compute_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
                max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
                max_buffer_size: limits.max_buffer_size,
                min_storage_buffer_offset_alignment: limits.min_storage_buffer_offset_alignment,
            },
        }
    }
}

pub(super) fn run(args: &Args) -> Result {
    let all = pollster::block_on(gpu::adapters());
    if all.is_empty() {
        return Err(Failure::input(
            "this machine lists no Vulkan, Metal or DX12 adapter; is a graphics driver installed? `run` and `check` also \
             take `--adapter cpu`",
        ));
    }
    // Of adapters that report the same, one is enough.
    let preferred = pollster::block_on(gpu::preferred_adapter());
    let default = all.iter().position(|report| preferred.as_ref() == Some(report));
    let all = all.into_iter().enumerate().map(|(index, report)| Adapter::new(report, default == Some(index)));
    let filter = args.adapter.filter();
    let (meant, others): (Vec<_>, Vec<_>) = all.partition(|adapter| filter.admits(&adapter.name, &adapter.driver));
    if meant.is_empty() {
        let names: Vec<_> = others.into_iter().map(|adapter| adapter.name).collect();
        let wanted = args.adapter.name().unwrap_or_default();
        let error = Error::NoAdapter(format!("none matches {wanted:?}; there are: {}", names.join("; ")));
        return Err(error.into());
    }
    if args.json {
        return output::json(&meant);
    }
    let listed: Vec<_> = meant.iter().map(describe).collect();
    output::text(&format!("{}\n{CPU_NOTE}", listed.join("\n")))
}

const CPU_NOTE: &str = "`--adapter cpu` is no adapter: `run` and `check` then use the f32 twin of the kernels";

fn describe(adapter: &Adapter) -> String {
    let yes_no = |yes| if yes { "yes" } else { "no" };
    let subgroups = match &adapter.subgroups {
        Some(sizes) if sizes.min == sizes.max => format!("{} lanes", sizes.min),
        Some(sizes) => format!("{} to {} lanes", sizes.min, sizes.max),
        None => "no".into(),
    };
    let limits = &adapter.limits;
    format!(
        "{}{}\n  driver      {}\n  backend     {}\n  kind        {}\n  subgroups   {subgroups}\n  f16         {}\n  timestamps  {}\n  \
         limits      {} invocations and {} of workgroup memory a workgroup; {} a binding, {} a buffer\n",
        adapter.name,
        if adapter.default { " (the default)" } else { "" },
        adapter.driver,
        adapter.backend,
        adapter.kind,
        yes_no(adapter.shader_f16),
        yes_no(adapter.timestamp_query),
        limits.max_compute_invocations_per_workgroup,
        bytes(u64::from(limits.max_compute_workgroup_storage_size)),
        bytes(limits.max_storage_buffer_binding_size),
        bytes(limits.max_buffer_size),
    )
}

/// A size in the largest binary unit that keeps it at 1 or more.
fn bytes(size: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = size as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    let digits = if size.fract() < 0.05 { 0 } else { 1 };
    format!("{size:.digits$} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_read_well() {
        let cases =
            [(0, "0 B"), (16384, "16 KiB"), (1 << 27, "128 MiB"), (3 << 29, "1.5 GiB"), ((1 << 31) - 1, "2.0 GiB")];
        for (size, text) in cases {
            assert_eq!(super::bytes(size), text);
        }
    }
}
