//! What a device must grant a plan: whole rows in a buffer and in a binding, bindings, workgroup memory.

use super::tensor::Tensor;
use super::{Kernel, Request};
use crate::caps::Limits;
use crate::error::{Error, Result};
use crate::spec::{Scale, Strategy};

/// A row must fit a buffer, and a binding: no call of a plan that fails here could succeed.
pub(super) fn check_row(request: &Request, limits: &Limits) -> Result<()> {
    let needed = request.dim * 4;
    let limit = limits.max_buffer_size;
    if needed > limit {
        return Err(Error::Limit { what: "a row's size in bytes", needed, limit_name: "maxBufferSize", limit });
    }
    let limit = limits.max_storage_buffer_binding_size;
    if needed > limit {
        return Err(Error::RowExceedsBinding { tensor: Tensor::X, needed, limit });
    }
    Ok(())
}

/// A program's bindings and its workgroup memory must be granted.
pub(super) fn check_kernel(kernel: &Kernel, workgroup_memory: u64, limits: &Limits) -> Result<()> {
    let demands = [
        (
            "the number of storage buffers",
            kernel.bindings.iter().filter(|binding| binding.tensor.is_some()).count() as u64,
            "maxStorageBuffersPerShaderStage",
            limits.max_storage_buffers_per_shader_stage,
        ),
        (
            "workgroup memory in bytes",
            workgroup_memory,
            "maxComputeWorkgroupStorageSize",
            limits.max_compute_workgroup_storage_size,
        ),
    ];
    for (what, needed, limit_name, limit) in demands {
        let limit = u64::from(limit);
        if needed > limit {
            return Err(Error::Limit { what, needed, limit_name, limit });
        }
    }
    Ok(())
}

/// Bytes of the `var<workgroup>` of a program's files, each rounded up to 16 as WebGPU counts them.
pub(super) fn workgroup_memory(request: &Request, strategy: Strategy, workgroup_size: u32) -> u64 {
    let lanes = u64::from(workgroup_size);
    // `Partial`: one sum of squares, or two sums.
    let partial = if matches!(request.spec.scale, Scale::Rms(_)) { 4 } else { 8 };
    match strategy {
        Strategy::RowPerWorkgroup => rounded(lanes * partial) + rounded(lanes * 4),
        Strategy::RowPerWorkgroupSubgroup => {
            rounded(lanes * partial) + rounded(lanes * 4) + rounded(partial) + rounded(4)
        }
        // The number of claims, where there may be several.
        Strategy::RowPerSubgroup => 16,
        Strategy::RowPerInvocation => 0,
    }
}

fn rounded(bytes: u64) -> u64 {
    bytes.next_multiple_of(16)
}
