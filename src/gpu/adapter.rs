//! Which adapters there are, and which one a name means.

use crate::caps::{AdapterKind, DeviceCaps, Dialect, Limits, SubgroupSizes};
use crate::error::{Error, Result};

/// Selects an adapter: case-insensitive substring of name, driver or driver info.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AdapterFilter(Option<String>);

impl AdapterFilter {
    /// Any adapter; the system's preference decides.
    pub const ANY: AdapterFilter = AdapterFilter(None);

    /// Adapters whose name, driver or driver info contains `text`, ignoring case.
    pub fn containing(text: &str) -> Self {
        Self(Some(text.to_ascii_lowercase()))
    }

    /// Whether an adapter is meant.
    pub fn matches(&self, info: &wgpu::AdapterInfo) -> bool {
        self.matches_any([info.name.as_str(), &info.driver, &info.driver_info])
    }

    /// Whether the adapter is meant of which a report gives name and driver.
    pub fn admits(&self, name: &str, driver: &str) -> bool {
        self.matches_any([name, driver])
    }

    fn matches_any<const N: usize>(&self, fields: [&str; N]) -> bool {
        self.0.as_ref().is_none_or(|text| fields.iter().any(|field| field.to_ascii_lowercase().contains(text)))
    }
}

/// What a person wants to know of an adapter.
#[derive(Debug, Clone, PartialEq)]
pub struct AdapterReport {
    /// Its name.
    pub name: String,
    /// Driver and driver version.
    pub driver: String,
    /// The graphics API behind it.
    pub backend: String,
    /// What a device requested from it can do.
    pub caps: DeviceCaps,
}

impl AdapterReport {
    pub(super) fn of(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        Self {
            driver: [info.driver.as_str(), info.driver_info.as_str()].join(" ").trim().to_string(),
            backend: info.backend.to_string(),
            caps: caps(&info, adapter.features(), &adapter.limits()),
            name: info.name,
        }
    }
}

/// The graphics APIs this crate runs on. OpenGL is left out: it lists software adapters a second
/// time and lacks most of what the kernels use.
const BACKENDS: wgpu::Backends = wgpu::Backends::VULKAN
    .union(wgpu::Backends::METAL)
    .union(wgpu::Backends::DX12)
    .union(wgpu::Backends::BROWSER_WEBGPU);

pub(super) fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: BACKENDS,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    })
}

/// Every adapter of this machine. A browser shows one at most.
pub async fn adapters() -> Vec<AdapterReport> {
    all(&instance()).await.iter().map(AdapterReport::of).collect()
}

/// The adapter that runs where none is named, if there is one.
pub async fn preferred_adapter() -> Option<AdapterReport> {
    preferred(&instance()).await.as_ref().map(AdapterReport::of)
}

#[cfg(not(target_arch = "wasm32"))]
async fn all(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    instance.enumerate_adapters(BACKENDS).await
}

#[cfg(target_arch = "wasm32")]
async fn all(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    preferred(instance).await.into_iter().collect()
}

async fn preferred(instance: &wgpu::Instance) -> Option<wgpu::Adapter> {
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..wgpu::RequestAdapterOptions::default()
    };
    instance.request_adapter(&options).await.ok()
}

/// The adapter a filter means.
#[cfg(not(target_arch = "wasm32"))]
pub(super) async fn find(instance: &wgpu::Instance, filter: &AdapterFilter) -> Result<wgpu::Adapter> {
    if *filter == AdapterFilter::ANY
        && let Some(adapter) = preferred(instance).await
    {
        return Ok(adapter);
    }
    let all = all(instance).await;
    let names: Vec<_> = all.iter().map(|adapter| adapter.get_info().name).collect();
    all.into_iter().find(|adapter| filter.matches(&adapter.get_info())).ok_or_else(|| {
        Error::NoAdapter(match (&filter.0, names.is_empty()) {
            (_, true) => "this machine lists no Vulkan, Metal or DX12 adapter".into(),
            (None, false) => format!("none of the listed adapters could be used: {}", names.join("; ")),
            (Some(text), false) => format!("none matches {text:?}; there are: {}", names.join("; ")),
        })
    })
}

/// The browser's adapter, asked for once: each time without one, browsers write a warning.
#[cfg(target_arch = "wasm32")]
pub(super) async fn find(instance: &wgpu::Instance, filter: &AdapterFilter) -> Result<wgpu::Adapter> {
    let adapter = preferred(instance).await.filter(|adapter| filter.matches(&adapter.get_info()));
    adapter.ok_or_else(|| Error::NoAdapter("this browser offers none, or none of the name asked for".into()))
}

/// Capabilities in the planner's terms.
pub(super) fn caps(info: &wgpu::AdapterInfo, features: wgpu::Features, limits: &wgpu::Limits) -> DeviceCaps {
    DeviceCaps {
        adapter: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
            wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
            wgpu::DeviceType::Cpu => AdapterKind::Cpu,
            wgpu::DeviceType::Other => AdapterKind::Unknown,
        },
        dialect: if cfg!(target_arch = "wasm32") { Dialect::Browser } else { Dialect::Naga },
        subgroups: features
            .contains(wgpu::Features::SUBGROUP)
            .then_some(SubgroupSizes { min: info.subgroup_min_size, max: info.subgroup_max_size })
            // Some drivers report none.
            .filter(|sizes| sizes.min > 0),
        shader_f16: features.contains(wgpu::Features::SHADER_F16),
        timestamp_query: features.contains(wgpu::Features::TIMESTAMP_QUERY),
        limits: Limits {
            max_compute_invocations_per_workgroup: limits.max_compute_invocations_per_workgroup,
            max_compute_workgroup_size_x: limits.max_compute_workgroup_size_x,
            max_compute_workgroup_storage_size: limits.max_compute_workgroup_storage_size,
            max_compute_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
            max_storage_buffers_per_shader_stage: limits.max_storage_buffers_per_shader_stage,
            max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
            max_buffer_size: limits.max_buffer_size,
            min_storage_buffer_offset_alignment: limits.min_storage_buffer_offset_alignment,
            min_uniform_buffer_offset_alignment: limits.min_uniform_buffer_offset_alignment,
        },
    }
}
