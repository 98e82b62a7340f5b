//! A report as the page reads it.

use js_sys::{Array, Float64Array};
use rownorm::bench::Timing;
use wasm_bindgen::JsValue;

use crate::Ratio;
use crate::object::object;

/// One entrant.
pub struct Entry {
    pub kernel: String,
    pub strategy: Option<&'static str>,
    /// Why there is no time: a wrong result (its error is `max_error`) or an error's own sentence.
    pub problem: Option<String>,
    pub max_error: Option<f64>,
    pub compile_ns: Option<f64>,
    pub bytes: f64,
    pub times: Option<Timing>,
}

/// All of it.
pub struct Report {
    pub clock: &'static str,
    pub quantum_ns: f64,
    pub residency: &'static str,
    pub pairs: f64,
    /// Rounds that came first and do not count.
    pub discarded: f64,
    pub stopped: bool,
    pub entries: Vec<Entry>,
}

impl Report {
    fn times(&self, kernel: &str) -> Option<(&Entry, &Timing)> {
        let entry = self.entries.iter().find(|entry| entry.kernel == kernel)?;
        Some((entry, entry.times.as_ref()?))
    }

    fn ratio(&self) -> Option<Ratio> {
        let ((_, rms), (_, layer)) = (self.times("rms")?, self.times("layer")?);
        Ratio::paired(&rms.spans, &layer.spans, rms.clock_error + layer.clock_error)
    }

    /// The copy's speed in bytes per nanosecond.
    fn copy_speed(&self) -> Option<f64> {
        self.times("copy").map(|(entry, times)| entry.bytes / times.median_ns)
    }

    pub fn into_js(self) -> JsValue {
        let copy = self.copy_speed();
        let ratio = self.ratio().map_or(JsValue::NULL, |ratio| {
            object([
                ("median", ratio.median.into()),
                ("low", ratio.low.into()),
                ("high", ratio.high.into()),
                ("pairs", (ratio.pairs as f64).into()),
                ("differs", ratio.differs().into()),
            ])
        });
        object([
            ("clock", self.clock.into()),
            ("quantumNs", self.quantum_ns.into()),
            ("residency", self.residency.into()),
            ("pairs", self.pairs.into()),
            ("discarded", self.discarded.into()),
            ("stopped", self.stopped.into()),
            ("fewestPairs", (Ratio::FEWEST as f64).into()),
            ("ratio", ratio),
            ("entries", self.entries.iter().map(|entry| entry.to_js(copy)).collect::<Array>().into()),
        ])
    }
}

impl Entry {
    fn to_js(&self, copy_speed: Option<f64>) -> JsValue {
        let times = self.times.as_ref().map_or(JsValue::NULL, |times| {
            let of_copy = copy_speed.map(|copy| self.bytes / times.median_ns / copy);
            let spans: Vec<f64> = times.spans.iter().map(|span| span.ns).collect();
            object([
                ("medianNs", times.median_ns.into()),
                ("p10Ns", times.p10_ns.into()),
                ("p90Ns", times.p90_ns.into()),
                ("wallMedianNs", times.wall_median_ns.into()),
                ("spansNs", Float64Array::from(&spans[..]).into()),
                ("dispatches", (times.dispatches as f64).into()),
                ("dropped", (times.dropped as f64).into()),
                ("clockError", times.clock_error.into()),
                ("slow", times.slow.into()),
                ("gbPerS", (self.bytes / times.median_ns).into()),
                ("ofCopy", of_copy.map_or(JsValue::NULL, JsValue::from)),
            ])
        });
        object([
            ("kernel", self.kernel.as_str().into()),
            ("strategy", self.strategy.map_or(JsValue::NULL, JsValue::from)),
            ("problem", self.problem.as_deref().map_or(JsValue::NULL, JsValue::from)),
            ("maxError", self.max_error.map_or(JsValue::NULL, JsValue::from)),
            ("compileNs", self.compile_ns.map_or(JsValue::NULL, JsValue::from)),
            ("times", times),
        ])
    }
}
