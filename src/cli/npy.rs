//! `.npy` files: float32 in C order in and out.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use npyz::{DType, NpyFile, NpyHeader, Order, TypeChar, WriterBuilder};
use tempfile::{Builder, NamedTempFile};

use super::exit::{Failure, Result};
use crate::memory;

/// An array of any rank.
pub(super) struct Array {
    /// The lengths of its axes.
    pub shape: Vec<u64>,
    /// Its elements in C order.
    pub values: Vec<f32>,
}

/// Reads an array of float32 in C order; anything else is refused in one sentence.
pub(super) fn read(path: &Path) -> Result<Array> {
    let name = path.display();
    let refuse = |text: String| Failure::input(format!("{name} {text}"));
    let file = File::open(path).map_err(|error| refuse(format!("cannot be read: {error}")))?;
    let mut reader = BufReader::new(file);
    let header = NpyHeader::from_reader(&mut reader)
        .map_err(|error| refuse(format!("is not a readable .npy file: {}", reason(&error))))?;
    let float32 = matches!(&header.dtype(), DType::Plain(plain) if plain.type_char() == TypeChar::Float && plain.size_field() == 4);
    if !float32 {
        return Err(refuse(format!("holds {}; only float32 is accepted", dtype_name(&header.dtype()))));
    }
    if header.order() == Order::Fortran {
        return Err(refuse(
            "is in Fortran order; only C order is accepted (numpy.ascontiguousarray converts it)".into(),
        ));
    }
    let shape = header.shape().to_vec();
    let bytes = shape.iter().try_fold(4u64, |bytes, axis| bytes.checked_mul(*axis));
    let needed = bytes.ok_or_else(|| refuse(format!("claims the shape {}, which no memory holds", display(&shape))))?;
    let mut data = Vec::new();
    reader.take(needed).read_to_end(&mut data).map_err(|error| refuse(format!("cannot be read: {error}")))?;
    if (data.len() as u64) < needed {
        return Err(refuse(format!(
            "is truncated: its shape {} needs {needed} bytes of data, and it has {}",
            display(&shape),
            data.len()
        )));
    }
    let mut values = memory::reserve(needed / 4)?;
    let elements = NpyFile::with_header(header, &data[..]).data();
    for value in elements.map_err(|error| refuse(format!("cannot be read: {error}")))? {
        values.push(value.map_err(|error| refuse(format!("cannot be read: {error}")))?);
    }
    Ok(Array { shape, values })
}

/// What went wrong with a header, in one line. The parser's own messages show the place over several.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends within its header".into(),
        _ => error
            .to_string()
            .lines()
            .next()
            .map_or("", |line| line.split(": syntax error").next().unwrap_or(line))
            .into(),
    }
}

/// numpy's name of an element type, where it has a short one.
fn dtype_name(dtype: &DType) -> String {
    let DType::Plain(plain) = dtype else { return "records".into() };
    let bits = plain.size_field().saturating_mul(8);
    match plain.type_char() {
        TypeChar::Float => format!("float{bits}"),
        TypeChar::Int => format!("int{bits}"),
        TypeChar::Uint => format!("uint{bits}"),
        TypeChar::Complex => format!("complex{bits}"),
        TypeChar::Bool => "bool".into(),
        TypeChar::Object => "Python objects".into(),
        _ => format!("elements of type {plain}"),
    }
}

/// A shape as numpy writes it.
pub(super) fn display(shape: &[u64]) -> String {
    match shape {
        [axis] => format!("({axis},)"),
        _ => format!("({})", shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// A file to be: nothing appears at its path before it is complete.
pub(super) struct Output {
    path: PathBuf,
    target: Target,
}

enum Target {
    /// Beside the path, renamed at the end, removed when dropped before.
    Beside(NamedTempFile),
    /// The path is no regular file (a pipe, a device): written to directly.
    Direct(File),
}

impl Output {
    /// Makes sure that the file can be written, before anything is computed.
    pub(super) fn create(path: &Path) -> Result<Self> {
        let refuse = |error: io::Error| unwritable(path, &error);
        let real = real_path(path);
        let target = match fs::metadata(&real) {
            Ok(found) if found.is_dir() => return Err(refuse(io::ErrorKind::IsADirectory.into())),
            Ok(found) if !found.is_file() => Target::Direct(File::options().write(true).open(&real).map_err(refuse)?),
            _ => Target::Beside(beside(&real).map_err(refuse)?),
        };
        Ok(Self { path: real, target })
    }

    /// The path that is written.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes an array, but not yet to its path; [`Output::finish`] does that.
    pub(super) fn write(&mut self, shape: &[u64], values: &[f32]) -> Result {
        let file = match &self.target {
            Target::Direct(file) => file,
            Target::Beside(file) => file.as_file(),
        };
        write(file, shape, values).map_err(|error| unwritable(&self.path, &error))
    }

    /// Puts the array in its place, whole; what was there is replaced.
    pub(super) fn finish(self) -> Result {
        match self.target {
            Target::Direct(_) => Ok(()),
            Target::Beside(file) => match file.persist(&self.path) {
                Ok(_) => Ok(()),
                Err(error) => Err(unwritable(&self.path, &error.error)),
            },
        }
    }
}

/// One spelling of a path. A link stays a link: what it points to is replaced. A file that does not exist yet has a
/// directory that does.
fn real_path(path: &Path) -> PathBuf {
    let in_directory = || Some(fs::canonicalize(directory_of(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(in_directory).unwrap_or_else(|| path.to_path_buf())
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::input(format!("{} cannot be written: {error}", path.display()))
}

/// An unnamed neighbour of a file, with the permissions a new file would have.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let directory = directory_of(path);
    let mut builder = Builder::new();
    builder.prefix(".rownorm-").suffix(".npy");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory).map_err(|error| match error.get_ref() {
        // Say what is wrong with the directory, not with a name that nobody gave.
        _ if !directory.is_dir() => io::Error::new(error.kind(), format!("{} is no directory", directory.display())),
        _ => io::Error::from(error.kind()),
    })
}

fn write(file: &File, shape: &[u64], values: &[f32]) -> io::Result<()> {
    let mut buffer = BufWriter::with_capacity(1 << 20, file);
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(&mut buffer).begin_nd()?;
    writer.extend(values)?;
    writer.finish()?;
    buffer.flush()
}
