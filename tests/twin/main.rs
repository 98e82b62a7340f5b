//! The CPU twin: accuracy against float64, invariances, and answers to bad input.

mod accuracy;
mod answers;
mod check;
mod data;
mod invariance;
