//! `cargo xtask test`.
use clap::Args;
#[derive(Args)]
pub struct Options {}
pub fn run(_: &Options) -> bool {
    todo!()
}
