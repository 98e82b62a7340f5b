//! A device, its queue, and what became of it.

use std::sync::{Arc, Mutex};

use super::adapter::{AdapterFilter, AdapterReport, caps, find, instance};
use crate::caps::DeviceCaps;
use crate::error::{Error, Result};

/// How to ask for a device.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContextOptions {
    /// Which adapter.
    pub adapter: AdapterFilter,
    /// Leave optional features off and limits at WebGPU's defaults, as the most modest device has them.
    pub baseline: bool,
}

/// A device with its queue and capabilities.
#[derive(Debug, Clone)]
pub struct Context {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    caps: DeviceCaps,
    report: AdapterReport,
    health: Arc<Mutex<Health>>,
}

/// What the device told outside of error scopes.
#[derive(Debug, Default)]
struct Health {
    lost: Option<String>,
    uncaptured: Option<String>,
}

impl Context {
    /// Asks for an adapter and a device with the optional features and limits the kernels can use.
    pub async fn request(options: &ContextOptions) -> Result<Self> {
        ensure_webgpu()?;
        let adapter = find(&instance(), &options.adapter).await?;
        let wanted = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SUBGROUP | wgpu::Features::SHADER_F16;
        let (features, limits) = if options.baseline {
            (wgpu::Features::empty(), wgpu::Limits::default())
        } else {
            (adapter.features() & wanted, adapter.limits())
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("rownorm"),
            required_features: features,
            required_limits: limits,
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) =
            adapter.request_device(&descriptor).await.map_err(|error| Error::NoDevice(error.to_string()))?;
        let context = Self::new(device, queue, AdapterReport::of(&adapter));
        context.watch();
        Ok(context)
    }

    /// Wraps a device the caller has. Its error and loss callbacks stay the caller's.
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let info = device.adapter_info();
        let report = AdapterReport {
            driver: [info.driver.as_str(), info.driver_info.as_str()].join(" ").trim().to_string(),
            backend: info.backend.to_string(),
            caps: caps(&info, device.features(), &device.limits()),
            name: info.name,
        };
        Self::new(device, queue, report)
    }

    fn new(device: wgpu::Device, queue: wgpu::Queue, report: AdapterReport) -> Self {
        let caps = caps(&device.adapter_info(), device.features(), &device.limits());
        Self { device, queue, caps, report, health: Arc::default() }
    }

    /// Records losses and uncaptured errors, which would otherwise panic.
    fn watch(&self) {
        let health = self.health.clone();
        self.device.set_device_lost_callback(move |_reason, text| {
            if let Ok(mut health) = health.lock() {
                health.lost = Some(if text.is_empty() { "no reason was given".into() } else { text });
            }
        });
        let health = self.health.clone();
        self.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            if let Ok(mut health) = health.lock() {
                health.uncaptured.get_or_insert(error.to_string());
            }
        }));
    }

    /// Destroys the device. Calls in flight and later ones fail as on a device that was lost, at once: browsers
    /// tell of the loss only some time after they refuse to work.
    pub fn destroy(&self) {
        if let Ok(mut health) = self.health.lock() {
            health.lost.get_or_insert_with(|| "it was destroyed".into());
        }
        self.device.destroy();
    }

    /// What the device can do.
    pub fn caps(&self) -> &DeviceCaps {
        &self.caps
    }

    /// The adapter's name, driver and backend.
    pub fn adapter(&self) -> &AdapterReport {
        &self.report
    }

    /// The error that happened outside of any scope, if one did; it is taken.
    pub fn check_health(&self) -> Result<()> {
        let Ok(mut health) = self.health.lock() else { return Ok(()) };
        if let Some(text) = &health.lost {
            return Err(Error::DeviceLost(text.clone()));
        }
        match health.uncaptured.take() {
            Some(text) => Err(Error::Device(text)),
            None => Ok(()),
        }
    }

    /// Runs `work` and waits for the errors it caused: validation, out of memory, internal. Calls may overlap.
    pub async fn checked<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.check_health()?;
        let scopes = self.open_scopes();
        let result = work();
        self.errors(scopes).await?;
        result
    }

    fn open_scopes(&self) -> [wgpu::ErrorScopeGuard; 3] {
        [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation]
            .map(|filter| self.device.push_error_scope(filter))
    }

    /// Closes the scopes at once, before anything is awaited: another call's scopes would otherwise come between.
    fn errors(&self, scopes: [wgpu::ErrorScopeGuard; 3]) -> impl Future<Output = Result<()>> {
        let [internal, out_of_memory, validation] = scopes;
        let (validation, out_of_memory, internal) = (validation.pop(), out_of_memory.pop(), internal.pop());
        async {
            let first = validation.await.or(out_of_memory.await).or(internal.await);
            if first.is_some() {
                // Natively a loss is told during a poll: let it be the reason, not its consequences. A poll
                // that fails has nothing to add to the error at hand.
                let _ = self.device.poll(wgpu::PollType::Poll);
            }
            self.check_health()?;
            first.map_or(Ok(()), |error| Err(Error::Device(error.to_string())))
        }
    }
}

/// wgpu panics where `navigator.gpu` does not exist; say so instead.
#[cfg(target_arch = "wasm32")]
fn ensure_webgpu() -> Result<()> {
    use wasm_bindgen::JsValue;
    let get = |object: &JsValue, name: &str| js_sys::Reflect::get(object, &JsValue::from_str(name)).ok();
    let gpu = get(&js_sys::global(), "navigator").and_then(|navigator| get(&navigator, "gpu"));
    match gpu {
        Some(gpu) if !gpu.is_undefined() && !gpu.is_null() => Ok(()),
        _ => Err(Error::NoWebGpu("navigator.gpu does not exist (an old browser, or a page that is not https)".into())),
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn ensure_webgpu() -> Result<()> {
    Ok(())
}
