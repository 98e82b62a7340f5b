//! Text without its comment lines, made while compiling: what a browser has to fetch counts.

/// The bytes of `text` without the lines that are comments alone; N of them, see [`len`].
pub(super) const fn strip<const N: usize>(text: &str) -> [u8; N] {
    let text = text.as_bytes();
    let mut stripped = [0; N];
    let (mut from, mut to) = (0, 0);
    while from < text.len() {
        let end = line_end(text, from);
        if !is_comment(text, from) {
            let mut i = from;
            while i < end {
                stripped[to] = text[i];
                i += 1;
                to += 1;
            }
        }
        from = end;
    }
    stripped
}

/// How many bytes [`strip`] leaves.
pub(super) const fn len(text: &str) -> usize {
    let text = text.as_bytes();
    let (mut from, mut len) = (0, 0);
    while from < text.len() {
        let end = line_end(text, from);
        if !is_comment(text, from) {
            len += end - from;
        }
        from = end;
    }
    len
}

/// Past the end of the line that starts at `from`.
const fn line_end(text: &[u8], mut from: usize) -> usize {
    while from < text.len() && text[from] != b'\n' {
        from += 1;
    }
    if from < text.len() { from + 1 } else { from }
}

const fn is_comment(text: &[u8], mut from: usize) -> bool {
    while from < text.len() && text[from] == b' ' {
        from += 1;
    }
    from + 1 < text.len() && text[from] == b'/' && text[from + 1] == b'/'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comment_lines_go_and_all_else_stays() {
        const TEXT: &str = "// a\nfn f() { // stays\n    // √ε\n    x /= 2.0;\n}\n\n//";
        const LEFT: [u8; len(TEXT)] = strip(TEXT);
        assert_eq!(std::str::from_utf8(&LEFT), Ok("fn f() { // stays\n    x /= 2.0;\n}\n\n"));
        assert_eq!(len(""), 0);
    }

    #[test]
    fn every_shader_survives() {
        for file in crate::wgsl::ALL {
            let kept: String = file
                .text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .map(|line| format!("{line}\n"))
                .collect();
            assert_eq!(len(file.text), kept.len(), "{}", file.path);
        }
    }
}
