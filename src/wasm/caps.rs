//! Device capabilities, to and from the façade's `DeviceCaps`.

use wasm_bindgen::JsValue;

use super::error::{JsResult, option_error};
use super::object::{number, object};
use super::options::Options;
use crate::caps::{AdapterKind, DeviceCaps, Dialect, Limits, SubgroupSizes};

const KINDS: [AdapterKind; 5] =
    [AdapterKind::Discrete, AdapterKind::Integrated, AdapterKind::Virtual, AdapterKind::Cpu, AdapterKind::Unknown];

const DIALECTS: [(&str, Dialect); 2] = [("browser", Dialect::Browser), ("naga", Dialect::Naga)];

/// Reads capabilities.
pub(super) fn read(caps: &JsValue) -> JsResult<DeviceCaps> {
    let known = ["adapter", "dialect", "subgroups", "shaderF16", "timestampQuery", "limits"];
    let options = Options::new("caps", caps, &[&known])?;
    let limits = options.needed("limits", options.value("limits")?)?;
    let subgroups = options.value("subgroups")?;
    Ok(DeviceCaps {
        adapter: match options.string("adapter")? {
            None => AdapterKind::Unknown,
            Some(name) => one_of("adapter", &name, KINDS.map(|kind| (kind.name(), kind)))?,
        },
        dialect: match options.string("dialect")? {
            None => Dialect::Browser,
            Some(name) => one_of("dialect", &name, DIALECTS)?,
        },
        subgroups: subgroups.as_ref().map(subgroup_sizes).transpose()?,
        shader_f16: options.boolean("shaderF16")?,
        timestamp_query: options.boolean("timestampQuery")?,
        limits: read_limits(&limits)?,
    })
}

fn one_of<T: Copy, const N: usize>(what: &str, name: &str, all: [(&str, T); N]) -> JsResult<T> {
    all.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).ok_or_else(|| {
        let names = all.map(|(known, _)| known).join(", ");
        option_error(&format!("{what} is \"{name}\"; accepted are {names}"))
    })
}

fn subgroup_sizes(sizes: &JsValue) -> JsResult<SubgroupSizes> {
    let options = Options::new("subgroups", sizes, &[&["min", "max"]])?;
    Ok(SubgroupSizes {
        min: options.needed("min", options.count_u32("min")?)?,
        max: options.needed("max", options.count_u32("max")?)?,
    })
}

fn read_limits(limits: &JsValue) -> JsResult<Limits> {
    let options = Options::open("limits", limits)?;
    let small = |name| options.needed(name, options.count_u32(name)?);
    let large = |name| options.needed(name, options.count(name)?);
    Ok(Limits {
        max_compute_invocations_per_workgroup: small("maxComputeInvocationsPerWorkgroup")?,
        max_compute_workgroup_size_x: small("maxComputeWorkgroupSizeX")?,
        max_compute_workgroup_storage_size: small("maxComputeWorkgroupStorageSize")?,
        max_compute_workgroups_per_dimension: small("maxComputeWorkgroupsPerDimension")?,
        max_storage_buffers_per_shader_stage: small("maxStorageBuffersPerShaderStage")?,
        max_storage_buffer_binding_size: large("maxStorageBufferBindingSize")?,
        max_buffer_size: large("maxBufferSize")?,
        min_storage_buffer_offset_alignment: small("minStorageBufferOffsetAlignment")?,
        min_uniform_buffer_offset_alignment: small("minUniformBufferOffsetAlignment")?,
    })
}

/// Writes capabilities.
pub(super) fn write(caps: &DeviceCaps) -> JsValue {
    let limits = &caps.limits;
    object([
        ("adapter", caps.adapter.name().into()),
        ("dialect", DIALECTS[usize::from(caps.dialect == Dialect::Naga)].0.into()),
        ("subgroups", caps.subgroups.map_or(JsValue::NULL, |s| object([("min", s.min.into()), ("max", s.max.into())]))),
        ("shaderF16", caps.shader_f16.into()),
        ("timestampQuery", caps.timestamp_query.into()),
        (
            "limits",
            object([
                ("maxComputeInvocationsPerWorkgroup", limits.max_compute_invocations_per_workgroup.into()),
                ("maxComputeWorkgroupSizeX", limits.max_compute_workgroup_size_x.into()),
                ("maxComputeWorkgroupStorageSize", limits.max_compute_workgroup_storage_size.into()),
                ("maxComputeWorkgroupsPerDimension", limits.max_compute_workgroups_per_dimension.into()),
                ("maxStorageBuffersPerShaderStage", limits.max_storage_buffers_per_shader_stage.into()),
                ("maxStorageBufferBindingSize", number(limits.max_storage_buffer_binding_size)),
                ("maxBufferSize", number(limits.max_buffer_size)),
                ("minStorageBufferOffsetAlignment", limits.min_storage_buffer_offset_alignment.into()),
                ("minUniformBufferOffsetAlignment", limits.min_uniform_buffer_offset_alignment.into()),
            ]),
        ),
    ])
}
