//! How long the device took for a span of work: by its own timestamps where it has them, by the wall
//! clock where not, and labelled.

use super::context::Context;
use super::readback::read_bytes;
use super::temporary::Temporary;
use crate::error::{Error, Result};

/// What a time was measured with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimerKind {
    /// `timestamp-query`: stamps the device writes at the start and end of a pass.
    Timestamp,
    /// The host's clock around submit and completion.
    WallClock,
}

impl TimerKind {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            TimerKind::Timestamp => "timestamp-query",
            TimerKind::WallClock => "wall clock",
        }
    }
}

/// Times passes on one device.
#[derive(Debug)]
pub struct SpanTimer {
    stamps: Option<Stamps>,
}

#[derive(Debug)]
struct Stamps {
    set: wgpu::QuerySet,
    resolved: Temporary,
    period_ns: f64,
}

impl Drop for Stamps {
    fn drop(&mut self) {
        self.set.destroy();
    }
}

/// One timed pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Raw stamps at start and end, where the device writes them.
    pub stamps: Option<[u64; 2]>,
    /// By the device's stamps, else by the wall clock. Stamps may run backwards: then it is negative.
    pub ns: f64,
    /// By the wall clock, submission and waiting included.
    pub wall_ns: f64,
}

impl SpanTimer {
    /// A timer for the context's device.
    pub fn new(context: &Context) -> Self {
        let stamps = context.caps().timestamp_query.then(|| Stamps {
            set: context.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("rownorm stamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: Temporary::from(context.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("rownorm stamps"),
                size: 16,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })),
            period_ns: f64::from(context.queue.get_timestamp_period()),
        });
        Self { stamps }
    }

    /// What this timer measures with.
    pub fn kind(&self) -> TimerKind {
        if self.stamps.is_some() { TimerKind::Timestamp } else { TimerKind::WallClock }
    }

    /// Nanoseconds per raw stamp unit.
    pub fn period_ns(&self) -> f64 {
        self.stamps.as_ref().map_or(1.0, |stamps| stamps.period_ns)
    }

    /// Encodes one pass with `work`, submits it and waits for its end.
    pub async fn span(&self, context: &Context, work: impl FnOnce(&mut wgpu::ComputePass<'_>)) -> Result<Span> {
        let started = now_ns();
        let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("rownorm span"),
                timestamp_writes: self.stamps.as_ref().map(|stamps| wgpu::ComputePassTimestampWrites {
                    query_set: &stamps.set,
                    beginning_of_pass_write_index: Some(0),
                    end_of_pass_write_index: Some(1),
                }),
            });
            work(&mut pass);
        }
        if let Some(stamps) = &self.stamps {
            encoder.resolve_query_set(&stamps.set, 0..2, &stamps.resolved, 0);
        }
        context.checked(|| Ok(context.queue.submit([encoder.finish()]))).await?;
        let Some(stamps) = &self.stamps else {
            wait(context).await?;
            let wall_ns = now_ns() - started;
            return Ok(Span { stamps: None, ns: wall_ns, wall_ns });
        };
        let bytes = read_bytes(context, &stamps.resolved, 0, 16).await?;
        let wall_ns = now_ns() - started;
        let raw: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
        let [start, end] = raw[..] else { return Err(Error::Readback("two stamps were expected".into())) };
        let ns = (end as i64).wrapping_sub(start as i64) as f64 * stamps.period_ns;
        Ok(Span { stamps: Some([start, end]), ns, wall_ns })
    }
}

/// Waits until the queue has run dry: a read of a few bytes comes after all of it.
async fn wait(context: &Context) -> Result<()> {
    let buffer = Temporary::from(context.storage("rownorm fence", 1)?);
    read_bytes(context, &buffer, 0, 4).await.map(|_| ())
}

/// A monotonic clock in nanoseconds. `std::time::Instant` panics in wasm.
#[cfg(not(target_arch = "wasm32"))]
pub fn now_ns() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as f64
}

/// A monotonic clock in nanoseconds: `performance.now()`.
#[cfg(target_arch = "wasm32")]
pub fn now_ns() -> f64 {
    use wasm_bindgen::{JsCast, JsValue};
    let performance = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str("performance")).ok();
    let now = performance.as_ref().and_then(|p| js_sys::Reflect::get(p, &JsValue::from_str("now")).ok());
    match (performance, now.and_then(|now| now.dyn_into::<js_sys::Function>().ok())) {
        (Some(performance), Some(now)) => {
            now.call0(&performance).ok().and_then(|ms| ms.as_f64()).unwrap_or_default() * 1e6
        }
        _ => js_sys::Date::now() * 1e6,
    }
}
