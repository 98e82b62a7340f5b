//! Bad usage and bad input: exit status 2, one sentence, no output file. No adapter is needed to be
//! told so.

use libtest_mimic::Trial;

use crate::support::{Cli, Folder, Tested, equal, values};

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("refusals::options", options),
        Trial::test("refusals::files", files),
        Trial::test("refusals::outputs", outputs),
        Trial::test("refusals::usage", usage),
    ]
}

fn cli() -> Cli {
    Cli { adapter: String::new() }
}

/// `run` on a good x with these options.
fn refuse(folder: &Folder, options: &[&str], words: &[&str]) -> Tested {
    let x = folder.npy("x.npy", &[2, 8], &values(16, 1));
    let y = folder.arg("y.npy");
    let mut arguments = vec!["run", &x, "-o", &y];
    arguments.extend(options);
    cli().run(&arguments).refused(2, words)?;
    equal("y exists", folder.path("y.npy").exists(), false)
}

fn options() -> Tested {
    let folder = Folder::new();
    let w = folder.npy("w.npy", &[8], &values(8, 2));
    let short = folder.npy("short.npy", &[7], &values(7, 2));
    let matrix = folder.npy("matrix.npy", &[1, 8], &values(8, 2));
    let double = folder.npy("double.npy", &[8], &[1f64; 8]);
    for norm in ["layer-simple", "rms-plain", "centered"] {
        refuse(&folder, &["--norm", norm, "--weight", &w], &["weight", norm])?;
        refuse(&folder, &["--norm", norm, "--bias", &w], &["bias", norm])?;
    }
    let cases: [(&[&str], &[&str]); 24] = [
        (&["--norm", "rms", "--weight", &short], &["short.npy", "(7,)", "(8,)"]),
        (&["--norm", "layer", "--bias", &short], &["short.npy", "(7,)", "(8,)"]),
        (&["--norm", "rms", "--weight", &matrix], &["matrix.npy", "(1, 8)", "(8,)"]),
        (&["--norm", "rms", "--weight", &double], &["double.npy", "float64", "float32"]),
        (&["--norm", "rms", "--weight", "absent.npy"], &["absent.npy"]),
        (&["--norm", "prms"], &["prms", "p in (0, 1]"]),
        (&["--norm", "prms", "--p", "0"], &["p is 0"]),
        (&["--norm", "prms", "--p", "1.5"], &["p is 1.5"]),
        (&["--norm", "prms", "--p", "-0.5"], &["p is -0.5"]),
        (&["--norm", "prms", "--p", "0.1"], &["0 of 8"]),
        (&["--norm", "rms", "--p", "0.5"], &["rms", "p and k"]),
        (&["--norm", "rms", "--eps", "-1e-5"], &["eps", "-1e-5"]),
        (&["--norm", "rms", "--eps", "nan"], &["eps"]),
        (&["--norm", "rms", "--eps", "inf"], &["eps"]),
        (&["--norm", "rms", "--eps", "1e-40"], &["eps", "1e-40"]),
        (&["--norm", "rms", "--eps", "1e-60"], &["eps", "1e-60"]),
        (&["--norm", "centered", "--eps", "-1"], &["eps"]),
        (&["--norm", "prms", "--k", "0"], &["0 of 8"]),
        (&["--norm", "prms", "--k", "9"], &["9 of 8"]),
        (&["--norm", "rms", "--k", "4"], &["rms", "p and k"]),
        (&["--preset", "lama"], &["lama", "llama"]),
        (&["--preset", "olmo1", "--weight", &w], &["weight", "olmo1"]),
        (&["--preset", "llama", "--eps", "-1"], &["eps"]),
        (&["--norm", "rms", "--weight-offset", "1"], &["1 + weight", "without a weight"]),
    ];
    cases.iter().try_for_each(|(options, words)| refuse(&folder, options, words))
}

/// A `.npy` file with this header and data.
fn npy(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn files() -> Tested {
    let folder = Folder::new();
    let data = [0u8; 64];
    let f4 = "'<f4'";
    let cases: [(Vec<u8>, &[&str]); 19] = [
        (npy("'<f8'", "False", "(2, 4)", &data), &["float64", "float32"]),
        (npy("'<f2'", "False", "(2, 4)", &data), &["float16", "float32"]),
        (npy("'<i4'", "False", "(2, 4)", &data), &["int32", "float32"]),
        (npy("'<c8'", "False", "(2, 4)", &data), &["complex64", "float32"]),
        (npy("'|O'", "False", "(2, 4)", &data), &["Python objects", "float32"]),
        (npy("[('a', '<f4')]", "False", "(2, 4)", &data), &["records", "float32"]),
        (npy(f4, "True", "(2, 4)", &data), &["Fortran", "C order"]),
        (npy(f4, "False", "()", &data), &["rank 0"]),
        (npy(f4, "False", "(2, 0)", &data), &["dim is 0"]),
        (npy(f4, "False", "(2, 33554433)", &data), &["needs 268435464", "64"]),
        (npy(f4, "False", "(3, 8)", &data), &["truncated", "needs 96", "64"]),
        (npy(f4, "False", "(1099511627776, 1099511627776)", &data), &["1099511627776"]),
        (npy(f4, "False", "(1048576, 1048576)", &data), &["truncated"]),
        (npy(f4, "False", "(2, -4)", &data), &["not a readable .npy file"]),
        (npy(f4, "False", "'no shape'", &data), &["not a readable .npy file"]),
        (npy("'", "False", "(2, 4)", &data), &["not a readable .npy file"]),
        (npy(f4, "False", "(2, 4)", &data)[..40].to_vec(), &["not a readable .npy file", "header"]),
        (Vec::new(), &["not a readable .npy file"]),
        (b"x,y\n1,2\n".to_vec(), &["not a readable .npy file"]),
    ];
    for (bytes, words) in cases {
        let x = folder.file("x.npy", &bytes);
        let y = folder.arg("y.npy");
        let words: Vec<_> = words.iter().copied().chain((!words[0].starts_with("dim")).then_some("x.npy")).collect();
        cli().run(&["run", &x, "-o", &y, "--norm", "rms"]).refused(2, &words)?;
        equal("files", folder.names(), vec!["x.npy".to_string()])?;
    }
    let absent = folder.arg("absent.npy");
    cli().run(&["run", &absent, "-o", &folder.arg("y.npy"), "--norm", "rms"]).refused(2, &["absent.npy", "read"])
}

fn outputs() -> Tested {
    let folder = Folder::new();
    let x = folder.npy("x.npy", &[2, 8], &values(16, 1));
    let nowhere = folder.arg("absent/y.npy");
    let itself = folder.arg("");
    let y = folder.arg("y.npy");
    let run = |rest: &[&str]| {
        let mut arguments = vec!["run", &x, "--norm", "rms", "-o"];
        arguments.extend(rest);
        cli().run(&arguments)
    };
    run(&[&nowhere]).refused(2, &["absent", "written"])?;
    run(&[&itself]).refused(2, &["written"])?;
    run(&[&y, "--stats", &nowhere]).refused(2, &["absent", "written"])?;
    run(&[&y, "--stats", &y]).refused(2, &["same file"])?;
    // Before either exists, in two spellings.
    for other in ["./y.npy", "../{}/y.npy"] {
        let name = folder.path("").components().next_back().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let other = folder.arg(&other.replace("{}", &name.unwrap_or_default()));
        run(&[&y, "--stats", &other]).refused(2, &["same file"])?;
    }
    run(&[&y, "--adapter", "no such adapter"]).refused(2, &["no such adapter"])?;
    equal("files", folder.names(), vec!["x.npy".to_string()])
}

fn usage() -> Tested {
    let cases: [(&[&str], &[&str]); 15] = [
        (&["run"], &["--norm"]),
        (&["run", "x.npy", "--norm", "rms"], &["--output"]),
        (&["run", "x.npy", "-o", "y.npy", "--norm", "lyer"], &["lyer", "layer-simple"]),
        (&["run", "x.npy", "-o", "y.npy", "--norm", "rms", "--strategy", "fast"], &["fast", "row_per_subgroup"]),
        (&["run", "x.npy", "-o", "y.npy", "--norm", "rms", "--weight-offset", "2"], &["2"]),
        (&["frobnicate"], &["frobnicate"]),
        (&["run", "x.npy", "-o", "y.npy", "--norm", "rms", "--preset", "llama"], &["--norm", "--preset"]),
        (&["run", "x.npy", "-o", "y.npy", "--preset", "gemma", "--weight-offset", "0"], &["--preset"]),
        (&["run", "x.npy", "-o", "y.npy", "--norm", "prms", "--p", "0.5", "--k", "4"], &["--p", "--k"]),
        (&["bench", "--shape", "4096"], &["4096"]),
        (&["bench", "--shape", "0x8"], &["0x8"]),
        (&["bench", "--kernel", "lyer"], &["lyer", "copy"]),
        (&["bench", "--strategy", "fast"], &["fast"]),
        (&["plan", "--norm", "rms"], &["--dim"]),
        (&["wgsl", "--dim", "8"], &["--norm"]),
    ];
    for (arguments, words) in cases {
        cli().run(arguments).refused(2, words)?;
    }
    equal("status without arguments", cli().run(&[]).status(), Some(2))?;
    cli().run(&["--help"]).good()?;
    cli().run(&["--version"]).good().map(|_| ())
}
