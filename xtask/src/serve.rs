//! A server for the files of one folder, for this machine alone.

use crate::{paths, report};
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tiny_http::{Header, Method, Request, Response, Server};

/// Requests answered at the same time.
const THREADS: usize = 4;
/// How many ports are tried.
const PORTS: u16 = 50;

/// Serves the folder until the program is ended.
pub fn listen(folder: &Path, port: u16) -> Result<()> {
    if !folder.join("index.html").is_file() {
        bail!("{} has no index.html to serve", paths::shown(folder));
    }
    let (listener, found) = first_free(port, PORTS, |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)))?;
    if port != 0 && found != port {
        report::note(&format!("port {port} is taken; took {found}"));
    }
    let address = listener.local_addr()?;
    let server = Server::from_listener(listener, None)
        .map_err(|error| anyhow::anyhow!("the server could not be started: {error}"))?;
    println!("serving {} at http://{address}/ (Ctrl-C ends it)", paths::shown(folder));
    let server = Arc::new(server);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            let server = Arc::clone(&server);
            scope.spawn(move || {
                for request in server.incoming_requests() {
                    answer(folder, request);
                }
            });
        }
    });
    Ok(())
}

/// The first port from `wanted` on that `bind` gets, and what it got.
fn first_free<T>(wanted: u16, tries: u16, bind: impl Fn(u16) -> std::io::Result<T>) -> Result<(T, u16)> {
    let last = wanted.saturating_add(tries - 1);
    for port in wanted..=last {
        match bind(port) {
            Ok(bound) => return Ok((bound, port)),
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {}
            Err(error) => {
                return Err(error).with_context(|| format!("cannot listen on port {port}"));
            }
        }
    }
    bail!("every port from {wanted} to {last} is taken: name another with --port")
}

fn answer(folder: &Path, request: Request) {
    let reading = matches!(request.method(), Method::Get | Method::Head);
    let file = file_for(folder, request.url()).and_then(|path| Some((File::open(&path).ok()?, path)));
    // Whoever asked may be gone; that is no concern of the others.
    let _ = match file {
        _ if !reading => request.respond(Response::from_string("only GET and HEAD").with_status_code(405)),
        Some((file, path)) => request.respond(
            Response::from_file(file)
                .with_chunked_threshold(usize::MAX)
                .with_header(header("Content-Type", content_type(&path)))
                .with_header(header("Cache-Control", "no-cache")),
        ),
        None => request.respond(Response::from_string("not found").with_status_code(404)),
    };
}

/// The file that a URL names; a folder means its index.html. None if there is no such file below `folder`.
fn file_for(folder: &Path, url: &str) -> Option<PathBuf> {
    let mut path = folder.join(relative(url)?);
    if path.is_dir() {
        path.push("index.html");
    }
    // Links must not lead out either.
    let real = path.canonicalize().ok()?;
    (real.is_file() && real.starts_with(folder.canonicalize().ok()?)).then_some(real)
}

/// The path that a URL names, relative to the root and never leading out of it.
fn relative(url: &str) -> Option<PathBuf> {
    let path = decoded(url.split(['?', '#']).next()?)?;
    let path = path.strip_prefix('/')?;
    let plain = !path.contains(['\\', '\0', ':']);
    let path = PathBuf::from(path);
    (plain && path.components().all(|part| matches!(part, Component::Normal(_)))).then_some(path)
}

/// Resolves %XX; None where that yields no UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        // The types whose text needs its encoding named, and those that guesses disagree on.
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wgsl" | "txt" | "md") => "text/plain; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("wasm") => "application/wasm",
        _ => mime_guess::from_path(path).first_raw().unwrap_or("application/octet-stream"),
    }
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("names and values are ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    #[test]
    fn urls_name_paths_below_the_root() {
        assert_eq!(relative("/"), Some("".into()));
        assert_eq!(relative("/a/b.js?v=1#x"), Some("a/b.js".into()));
        assert_eq!(relative("/a%20b.txt"), Some("a b.txt".into()));
        assert_eq!(relative("/%C3%A9"), Some("é".into()));
    }

    #[test]
    fn urls_cannot_lead_out() {
        for url in [
            "/../x",
            "/a/../../x",
            "/%2e%2e/x",
            "/%2E%2E%2Fx",
            "//etc/x",
            "/..%5Cx",
            "/C:/x",
            "/a%00",
            "x",
            "",
            "/%",
            "/%zz",
            "/%FF",
        ] {
            assert_eq!(relative(url), None, "{url}");
        }
    }

    #[test]
    fn files_and_indices_are_found_and_links_out_are_not() {
        let outer = std::env::temp_dir().join(format!("rownorm-serve-{}", std::process::id()));
        let folder = outer.join("site");
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        std::fs::write(outer.join("secret"), "").unwrap();
        std::fs::write(folder.join("sub").join("index.html"), "").unwrap();
        assert!(file_for(&folder, "/sub/").is_some_and(|file| file.ends_with("sub/index.html")));
        assert!(file_for(&folder, "/sub").is_some());
        assert_eq!(file_for(&folder, "/"), None);
        assert_eq!(file_for(&folder, "/nothing.js"), None);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.join("secret"), folder.join("link")).unwrap();
            assert_eq!(file_for(&folder, "/link"), None);
        }
        std::fs::remove_dir_all(outer).unwrap();
    }

    #[test]
    fn modules_have_the_types_that_browsers_insist_on() {
        assert_eq!(content_type(Path::new("a.js")), "text/javascript; charset=utf-8");
        assert_eq!(content_type(Path::new("a_bg.wasm")), "application/wasm");
        assert_eq!(content_type(Path::new("a.svg")), "image/svg+xml");
        assert_eq!(content_type(Path::new("a")), "application/octet-stream");
    }

    #[test]
    fn the_next_free_port_is_taken() {
        let taken = |until: u16| {
            move |port: u16| {
                if port < until { Err(Error::from(ErrorKind::AddrInUse)) } else { Ok(()) }
            }
        };
        assert_eq!(first_free(8080, 50, taken(8083)).unwrap().1, 8083);
        assert!(first_free(8080, 3, taken(8083)).unwrap_err().to_string().contains("8080 to 8082"));
        assert!(first_free(65_535, 50, taken(0)).is_ok());
        let denied = first_free(80, 50, |_| Err::<(), _>(Error::from(ErrorKind::PermissionDenied)));
        assert!(denied.unwrap_err().to_string().contains("port 80"));
    }
}
