//! How the work of a row is spread over invocations.

use std::fmt;
use std::str::FromStr;

/// The ways to lay rows on invocations; the planner chooses one unless the caller does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// A workgroup shares a row and reduces through workgroup memory by a tree.
    RowPerWorkgroup,
    /// A workgroup shares a row and reduces by subgroups first.
    RowPerWorkgroupSubgroup,
    /// A subgroup shares a row; no barrier.
    RowPerSubgroup,
    /// Every invocation has rows of its own; no reduction.
    RowPerInvocation,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 4] = [
        Strategy::RowPerWorkgroup,
        Strategy::RowPerWorkgroupSubgroup,
        Strategy::RowPerSubgroup,
        Strategy::RowPerInvocation,
    ];

    /// The name used in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::RowPerWorkgroup => "row_per_workgroup",
            Strategy::RowPerWorkgroupSubgroup => "row_per_workgroup_subgroup",
            Strategy::RowPerSubgroup => "row_per_subgroup",
            Strategy::RowPerInvocation => "row_per_invocation",
        }
    }

    /// Whether subgroup operations are used.
    pub const fn needs_subgroups(self) -> bool {
        matches!(self, Strategy::RowPerWorkgroupSubgroup | Strategy::RowPerSubgroup)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Strategy::ALL.into_iter().find(|strategy| strategy.name() == s).ok_or_else(|| {
            let names = Strategy::ALL.map(Strategy::name).join(", ");
            format!("no strategy is called \"{s}\"; there are {names}")
        })
    }
}
