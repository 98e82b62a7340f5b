//! What a device can do, as plain data: from wgpu, from JavaScript, or by hand.

use std::fmt;

use crate::error::{Error, Result};

/// The kind of hardware behind an adapter. WebGPU often does not say: then it is `Unknown`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AdapterKind {
    /// A graphics card of its own.
    Discrete,
    /// A GPU that shares memory with the CPU.
    Integrated,
    /// A GPU passed into a virtual machine.
    Virtual,
    /// A software adapter: shaders run on the CPU.
    Cpu,
    /// Not told.
    #[default]
    Unknown,
}

impl AdapterKind {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            AdapterKind::Discrete => "discrete",
            AdapterKind::Integrated => "integrated",
            AdapterKind::Virtual => "virtual",
            AdapterKind::Cpu => "cpu",
            AdapterKind::Unknown => "unknown",
        }
    }
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whose WGSL compiler reads the program: they differ in directives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// naga, as in native wgpu: refuses `enable subgroups;` and needs none.
    Naga,
    /// A browser (the WGSL specification): requires `enable subgroups;`.
    Browser,
}

/// The subgroup widths an adapter reports; the true width lies between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SubgroupSizes {
    /// Smallest.
    pub min: u32,
    /// Largest.
    pub max: u32,
}

/// The limits the planner reads, with WebGPU's names in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Invocations in a workgroup.
    pub max_compute_invocations_per_workgroup: u32,
    /// Extent of a workgroup in x.
    pub max_compute_workgroup_size_x: u32,
    /// Bytes of workgroup memory.
    pub max_compute_workgroup_storage_size: u32,
    /// Workgroups in one dimension of a dispatch.
    pub max_compute_workgroups_per_dimension: u32,
    /// Storage buffers a stage can see.
    pub max_storage_buffers_per_shader_stage: u32,
    /// Bytes of one storage binding.
    pub max_storage_buffer_binding_size: u64,
    /// Bytes of one buffer.
    pub max_buffer_size: u64,
    /// Alignment of a storage binding's offset, in bytes.
    pub min_storage_buffer_offset_alignment: u32,
    /// Alignment of a uniform binding's offset, in bytes.
    pub min_uniform_buffer_offset_alignment: u32,
}

impl Default for Limits {
    /// WebGPU's guaranteed defaults.
    fn default() -> Self {
        Self {
            max_compute_invocations_per_workgroup: 256,
            max_compute_workgroup_size_x: 256,
            max_compute_workgroup_storage_size: 16384,
            max_compute_workgroups_per_dimension: 65535,
            max_storage_buffers_per_shader_stage: 8,
            max_storage_buffer_binding_size: 128 << 20,
            max_buffer_size: 256 << 20,
            min_storage_buffer_offset_alignment: 256,
            min_uniform_buffer_offset_alignment: 256,
        }
    }
}

/// Everything the planner knows of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeviceCaps {
    /// The kind of adapter.
    pub adapter: AdapterKind,
    /// Whose WGSL compiler reads the program.
    pub dialect: Dialect,
    /// Subgroup widths where the device has the `subgroups` feature enabled.
    pub subgroups: Option<SubgroupSizes>,
    /// Whether `shader-f16` is enabled.
    pub shader_f16: bool,
    /// Whether `timestamp-query` is enabled.
    pub timestamp_query: bool,
    /// The device's limits.
    pub limits: Limits,
}

impl DeviceCaps {
    /// A device with WebGPU's default limits, no optional feature and an adapter of unknown kind.
    pub fn baseline(dialect: Dialect) -> Self {
        Self {
            adapter: AdapterKind::Unknown,
            dialect,
            subgroups: None,
            shader_f16: false,
            timestamp_query: false,
            limits: Limits::default(),
        }
    }

    /// Refuses what no device has: limits of 0, alignments and subgroup widths that are no powers of two.
    /// The planner asks for it, since capabilities may come from anywhere.
    pub fn validate(&self) -> Result<()> {
        let limits = &self.limits;
        let subgroups = self.subgroups.unwrap_or(SubgroupSizes { min: 1, max: 1 });
        at_least("maxComputeInvocationsPerWorkgroup", limits.max_compute_invocations_per_workgroup.into(), 1)?;
        at_least("maxComputeWorkgroupSizeX", limits.max_compute_workgroup_size_x.into(), 1)?;
        at_least("maxComputeWorkgroupsPerDimension", limits.max_compute_workgroups_per_dimension.into(), 1)?;
        at_least("maxStorageBuffersPerShaderStage", limits.max_storage_buffers_per_shader_stage.into(), 1)?;
        at_least("maxStorageBufferBindingSize", limits.max_storage_buffer_binding_size, 4)?;
        at_least("maxBufferSize", limits.max_buffer_size, 4)?;
        power_of_two("minStorageBufferOffsetAlignment", limits.min_storage_buffer_offset_alignment, 4)?;
        power_of_two("minUniformBufferOffsetAlignment", limits.min_uniform_buffer_offset_alignment, 4)?;
        power_of_two("subgroups.min", subgroups.min, 1)?;
        power_of_two("subgroups.max", subgroups.max, subgroups.min)
    }

    /// Whether shaders run on the CPU, so that barriers are dear and wide workgroups gain nothing.
    pub fn is_software(&self) -> bool {
        self.adapter == AdapterKind::Cpu
    }
}

fn at_least(name: &'static str, value: u64, least: u64) -> Result<()> {
    if value >= least { Ok(()) } else { Err(Error::Caps { name, value, accepted: "values", least }) }
}

fn power_of_two(name: &'static str, value: u32, least: u32) -> Result<()> {
    let error = Error::Caps { name, value: value.into(), accepted: "powers of two", least: least.into() };
    if value.is_power_of_two() && value >= least { Ok(()) } else { Err(error) }
}
