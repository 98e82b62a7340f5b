//! What a run found.

/// Something that was not run, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// `case::arrangement`; `*` stands for all.
    pub case: String,
    /// Why.
    pub reason: String,
}

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// `case::arrangement`.
    pub case: String,
    /// What was found and what was expected.
    pub detail: String,
}

/// One case in all its arrangements.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CaseReport {
    /// Arrangements that passed, as `case::arrangement`.
    pub passed: Vec<String>,
    /// Those that could not run here.
    pub skipped: Vec<Skip>,
    /// Those that failed.
    pub failures: Vec<Failure>,
}

/// The whole run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConformanceReport {
    /// The engine's name.
    pub adapter: String,
    /// Number of case arrangements that passed.
    pub passed: usize,
    /// Number that failed.
    pub failed: usize,
    /// What was not run.
    pub skipped: Vec<Skip>,
    /// What failed.
    pub failures: Vec<Failure>,
}

impl ConformanceReport {
    /// Adds a case.
    pub fn add(&mut self, case: CaseReport) {
        self.passed += case.passed.len();
        self.failed += case.failures.len();
        self.skipped.extend(case.skipped);
        self.failures.extend(case.failures);
    }
}

/// Told after each case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The case that ended.
    pub case: &'a str,
    /// Cases that ended.
    pub done: usize,
    /// Cases in this run.
    pub total: usize,
    /// Failures so far.
    pub failed: usize,
}
