//! Where things are in the repository.

use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> PathBuf {
    // Said by `cargo run`; what was compiled in is another checkout's where two share a target folder.
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&xtask).parent().expect("xtask lies in the repository").to_path_buf()
}

/// Everything that is built lies under here.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// What xtask remembers between runs.
pub fn state() -> PathBuf {
    target().join("xtask")
}

/// The folder of the npm workspaces.
pub fn www() -> PathBuf {
    root().join("www")
}

/// The browser tests.
pub fn browser_tests() -> PathBuf {
    root().join("tests").join("browser")
}

/// A path as people read it: relative to the repository where it lies inside.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
