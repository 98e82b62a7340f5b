//! The conformance run: one list of cases, run by any engine, judged against float64.
//!
//! A [`Case`] is data: a specification, a shape, a deterministic generator of inputs and a placement
//! of the tensors in their buffers. An [`Engine`] executes a plan on buffers and knows nothing of
//! cases. What lies between is here: a [`Job`] poisons every output with NaN, surrounds every tensor
//! with a guard band, and reads the outcome back; [`check`] judges it with [`crate::tolerance`], the
//! only place that says how far a result may be off. Comparisons are written so that NaN fails.
//!
//! ```text
//! Case ──► Tensors ──┐
//!                    ├─► Job (plan, call, buffers) ──► Engine ──► buffers ──► Outcome ──► check
//! strategy, caps ────┘                                  reference::forward (f64) ────────┘
//! ```
//!
//! Nothing here touches the file system, the clock or threads, so the same list runs in a browser:
//! [`cases`] enumerates it, [`case`] finds one by name, [`run_case`] runs one, [`run`] all of them.

mod case;
pub mod check;
mod engine;
pub mod errors;
mod faults;
mod gpu_plans;
mod invariance;
mod job;
mod layout;
mod numerics;
mod placement;
mod report;
mod run;
mod shapes;
mod twin_engine;
mod values;
pub mod variants;
mod wgpu_engine;

pub use case::{Case, Claim, Coverage, Known, Squeeze};
pub use engine::Engine;
pub use job::{GUARD_WORD, Job, Outcome, POISON_WORD, Tensors};
pub use placement::{Place, Placement, Sharing};
pub use report::{CaseReport, ConformanceReport, Failure, Progress, Skip};
pub use run::{Arrangement, Ended, absent, arrangements, execute, run, run_case};
pub use twin_engine::TwinEngine;
pub use values::Values;
pub use wgpu_engine::WgpuEngine;

/// Every case, in the order of the tables. Names are unique.
pub fn cases() -> Vec<Case> {
    let tables = [
        faults::cases(),
        shapes::cases(),
        numerics::cases(),
        layout::cases(),
        variants::cases(),
        invariance::cases(),
        gpu_plans::cases(),
    ];
    tables.into_iter().flatten().collect()
}

/// The case of a name.
pub fn case(name: &str) -> Option<Case> {
    cases().into_iter().find(|case| case.name == name)
}
