//! The `rownorm` command line; everything is in [`rownorm::cli`].

fn main() -> std::process::ExitCode {
    rownorm::cli::main()
}
