//! Stamps: small files that say from what something was made, so that it is made again only when that changed.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::path::Path;

/// The SHA-256 of the parts, each with its length, as hexadecimal digits.
pub fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the stamp says `value`.
pub fn is(stamp: &Path, value: &str) -> bool {
    std::fs::read_to_string(stamp).is_ok_and(|found| found.trim() == value)
}

/// Makes the stamp say `value`.
pub fn set(stamp: &Path, value: &str) -> Result<()> {
    if let Some(folder) = stamp.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    std::fs::write(stamp, format!("{value}\n")).with_context(|| format!("cannot write {}", stamp.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_tell_the_parts_apart() {
        assert_eq!(hash([b"ab".as_slice()]), hash([b"ab".as_slice()]));
        assert_ne!(hash([b"ab".as_slice(), b"c"]), hash([b"a".as_slice(), b"bc"]));
    }

    #[test]
    fn a_stamp_says_what_was_set() {
        let folder = std::env::temp_dir().join(format!("rownorm-stamp-{}", std::process::id()));
        let stamp = folder.join("deep").join("stamp");
        assert!(!is(&stamp, "x"));
        set(&stamp, "x").unwrap();
        assert!(is(&stamp, "x") && !is(&stamp, "y"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
