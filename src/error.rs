//! What can go wrong, as values: each names the offending value and what would be accepted.

use crate::plan::Tensor;
use crate::spec::Strategy;

/// Every error of the crate. Input errors arise in the planner, before any GPU object exists.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `dim` is outside 1 … 2²⁵.
    #[error("dim is {dim}; a row must have 1 to {max} elements")]
    Dim { dim: u64, max: u64 },

    /// ε is negative, not finite, or positive but below the smallest normal f32.
    #[error("eps is {}; accepted are 0 and finite values from 1.1754944e-38 (the smallest normal f32)", written(*eps))]
    Eps { eps: f64 },

    /// The partial statistic of pRMSNorm would read no element, or more than the row has.
    #[error("the statistic would read {k} of {dim} elements; accepted are 1 to {dim}")]
    Extent { k: u64, dim: u64 },

    /// The fraction p of pRMSNorm is outside (0, 1].
    #[error("p is {}; accepted are values above 0 and up to 1", written(*p))]
    Fraction { p: f64 },

    /// A combination of specification fields that is not a normalization this crate computes.
    #[error("{what}; {accepted}")]
    Spec { what: String, accepted: &'static str },

    /// A tensor that the specification reads or writes was not given.
    #[error("{tensor} is missing; this specification needs it")]
    MissingTensor { tensor: Tensor },

    /// A tensor was given that the specification does not use.
    #[error("{tensor} was given, but this specification has none; leave it out")]
    UnusedTensor { tensor: Tensor },

    /// A tensor has another number of elements than the shape needs.
    #[error("{tensor} has {actual} elements; {expected} are needed")]
    Length { tensor: Tensor, actual: u64, expected: u64 },

    /// A buffer ends before the last element the call would touch.
    #[error("{tensor} needs {needed} bytes of its buffer (offset and strides included); the buffer has {actual}")]
    BufferTooSmall { tensor: Tensor, needed: u64, actual: u64 },

    /// A buffer was made without a usage that is needed here; `of` names what it holds.
    #[error("the buffer of {of} was made without usage {needed}; make it with that usage as well")]
    Usage { of: &'static str, needed: &'static str },

    /// Rows lie closer together than one row is long.
    #[error("{tensor} has a row stride of {stride} elements; at least dim = {dim} is needed")]
    Stride { tensor: Tensor, stride: u64, dim: u64 },

    /// Offset or stride does not allow the vector access that was planned.
    #[error(
        "{tensor} was planned for vec4 access, but its offset {offset} or row stride {stride} is not a multiple of 4 elements; plan with this layout"
    )]
    Alignment { tensor: Tensor, offset: u64, stride: u64 },

    /// A layout with vec4 access to rows that have a tail.
    #[error(
        "{tensor} is laid out for vec4 access, but dim = {dim} is not a multiple of 4; Access::Scalar serves any dim"
    )]
    VectorAccess { tensor: Tensor, dim: u64 },

    /// A layout with x in the buffer of y, where one is accessed by fours and the other is not.
    #[error(
        "x and y are laid out for one buffer, but one for vec4 access and one for scalar access; accepted is the same for both"
    )]
    MixedAccess,

    /// Two tensors share memory in a way the plan cannot serve.
    #[error("{a} and {b} overlap in one buffer; accepted are the very same elements (in place) or disjoint ranges")]
    Overlap { a: Tensor, b: Tensor },

    /// The plan's idea of which tensors share a buffer does not match the call.
    #[error("{a} and {b} {found} one buffer, but the plan was made for tensors that {planned}; plan with this layout")]
    Sharing { a: Tensor, b: Tensor, found: &'static str, planned: &'static str },

    /// A tensor that is read lies in a buffer that is written through another binding, which WebGPU forbids.
    #[error(
        "{tensor} is read from the buffer in which {written} is written; WebGPU allows this through one binding alone, as x and y have: use another buffer"
    )]
    ReadWriteConflict { tensor: Tensor, written: Tensor },

    /// Two outputs lie too close together in one buffer: their bindings begin at multiples of the device's alignment.
    #[error(
        "the bindings of {a} and {b} overlap in one buffer, because they begin at multiples of {alignment} bytes; begin the second at the next multiple after the first (and outside of x and y where they share the buffer), or use another buffer"
    )]
    Aliasing { a: Tensor, b: Tensor, alignment: u32 },

    /// One row of a tensor does not fit a single binding of this device.
    #[error(
        "one row of {tensor} with its leading remainder takes {needed} bytes; this device binds at most {limit} (maxStorageBufferBindingSize)"
    )]
    RowExceedsBinding { tensor: Tensor, needed: u64, limit: u64 },

    /// A device limit below what any kernel of this crate needs, or a shape beyond it.
    #[error("{what} is {needed}, but this device's {limit_name} is {limit}")]
    Limit { what: &'static str, needed: u64, limit_name: &'static str, limit: u64 },

    /// Capabilities that no device has.
    #[error("the device's {name} is given as {value}; accepted are {accepted} from {least}")]
    Caps { name: &'static str, value: u64, accepted: &'static str, least: u64 },

    /// An index computation would leave the range of its type.
    #[error("{what} does not fit 64 bits")]
    Overflow { what: &'static str },

    /// This process cannot have the memory that the arrays of a call need.
    #[error("{bytes} bytes of memory are needed at once, and cannot be had")]
    Memory { bytes: u64 },

    /// The strategy asked for cannot serve this request on this device.
    #[error("strategy {strategy} cannot serve this request: {reason}")]
    Strategy { strategy: Strategy, reason: String },

    /// `navigator.gpu` or a graphics driver is missing altogether.
    #[error("WebGPU is not available here: {0}")]
    NoWebGpu(String),

    /// WebGPU exists, but no adapter was found (or none that matches the name asked for).
    #[error("no adapter found: {0}")]
    NoAdapter(String),

    /// The adapter refused the device.
    #[error("the adapter gave no device: {0}")]
    NoDevice(String),

    /// The driver or browser rejected a shader or pipeline; its own text is quoted.
    #[error("compiling {label} failed: {text}")]
    Compile { label: String, text: String },

    /// Validation, out-of-memory or internal error of the device, with the driver's text.
    #[error("the device reported an error: {0}")]
    Device(String),

    /// The device is lost; nothing that was computed on it can be read any more.
    #[error("the device is lost: {0}")]
    DeviceLost(String),

    /// Results could not be read back.
    #[error("reading results back failed: {0}")]
    Readback(String),
}

/// The crate's result type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A number as messages write it. In a browser JavaScript does so: Rust's way brings 15 kB of code, a
/// tenth of the module.
#[cfg(target_arch = "wasm32")]
fn written(value: f64) -> String {
    let text = js_sys::Number::from(value).to_string_with_radix(10);
    text.map_or_else(|_| "not a number".into(), String::from)
}

/// A number as messages write it: the shortest text that reads back the same.
#[cfg(not(target_arch = "wasm32"))]
fn written(value: f64) -> String {
    format!("{value:?}")
}
