//! `rownorm run` against float64.

use std::path::Path;

use libtest_mimic::Trial;
use rownorm::spec::{NormSpec, Preset, Weight};
use rownorm::{reference, tolerance};

use crate::support::{Cli, Folder, Ran, Test, Tested, equal, on_adapter, read_npy, values};

pub fn trials(adapter: &str) -> Vec<Trial> {
    let tests: [Test; 9] = [
        ("run::every_norm", every_norm),
        ("run::every_strategy", every_strategy),
        ("run::every_rank", every_rank),
        ("run::no_rows", no_rows),
        ("run::rows_hint", rows_hint),
        ("run::readme", readme),
        ("run::big_endian", big_endian),
        ("run::in_its_own_place", in_its_own_place),
        ("run::failure_leaves_what_was_there", failure_leaves_what_was_there),
    ];
    on_adapter(adapter, &tests)
}

/// On the CPU twin: no adapter is needed.
pub fn cpu_trials() -> Vec<Trial> {
    let tests: [Test; 4] = [
        ("run::every_norm", every_norm),
        ("run::every_rank", every_rank),
        ("run::no_rows", no_rows),
        ("run::is_the_twin", is_the_twin),
    ];
    let trials = tests.into_iter().map(|(name, test)| {
        let cli = Cli { adapter: "cpu".into() };
        Trial::test(format!("cpu::{name}"), move || test(&cli))
    });
    trials.collect()
}

const ROWS: u64 = 6;
const DIM: u64 = 37;

/// Runs with options on `[2, 3, 37]` and compares y and statistics with float64.
fn compare(cli: &Cli, options: &[&str], spec: &NormSpec) -> Tested {
    let folder = Folder::new();
    let x = values((ROWS * DIM) as usize, 1);
    let weight = spec.has_weight().then(|| values(DIM as usize, 2));
    let bias = spec.bias.then(|| values(DIM as usize, 3));
    let [x_path, y_path, s_path] = [folder.npy("x.npy", &[2, 3, DIM], &x), folder.arg("y.npy"), folder.arg("s.npy")];
    let mut arguments = vec!["run", &x_path, "-o", &y_path, "--stats", &s_path];
    arguments.extend(options);
    let vectors = [("--weight", &weight), ("--bias", &bias)].map(|(option, values)| {
        values.as_ref().map(|values| (option, folder.npy(&format!("{option}.npy"), &[DIM], values)))
    });
    for (option, path) in vectors.iter().flatten() {
        arguments.extend([option, path.as_str()]);
    }
    let ran = cli.run(&arguments).good()?;
    equal("stdout", ran.stdout().as_str(), "")?;

    let truth = reference::forward(spec, DIM, &x, weight.as_deref(), bias.as_deref())?;
    let (shape, y) = read_npy(&folder.path("y.npy"))?;
    equal("the shape of y", shape, vec![2, 3, DIM])?;
    let (shape, stats) = read_npy(&folder.path("s.npy"))?;
    equal("the shape of stats", shape, vec![ROWS, 2])?;
    for (index, row) in truth.rows.iter().enumerate() {
        let first = index * DIM as usize;
        for (i, y) in y.iter().enumerate().skip(first).take(DIM as usize) {
            if !tolerance::within(*y, truth.y[i], tolerance::forward(row)) {
                return Err(format!("{options:?}: y[{i}] is {y}, float64 says {}", truth.y[i]).into());
            }
        }
        let [mean, rstd] = [stats[2 * index], stats[2 * index + 1]];
        let good = tolerance::within(mean, row.mean, tolerance::saved_mean(row))
            && tolerance::within(rstd, row.rstd, tolerance::saved_rstd(row));
        if !good {
            return Err(format!("{options:?}: row {index} saved {mean}, {rstd}; float64 says {row:?}").into());
        }
    }
    Ok(())
}

fn every_norm(cli: &Cli) -> Tested {
    let cases: [(&[&str], NormSpec); 20] = [
        (&["--norm", "layer"], NormSpec::layer(1e-5)),
        (&["--norm", "layer", "--eps", "0.25"], NormSpec::layer(0.25).without_affine()),
        (&["--norm", "layer", "--weight-offset", "1"], NormSpec::layer(1e-5).with_weight(Weight::OnePlus)),
        (&["--norm", "layer-simple"], NormSpec::layer_simple(1e-5)),
        (&["--norm", "rms"], NormSpec::rms(1e-5)),
        (&["--norm", "rms", "--weight-offset", "0"], NormSpec::rms(1e-5).with_bias(true)),
        (&["--norm", "rms", "--eps", "0"], NormSpec::rms(0.0).without_affine()),
        (&["--norm", "rms", "--eps", "1e-1", "--eps-outside"], NormSpec::rms(0.1).eps_outside()),
        (&["--norm", "rms-plain"], NormSpec::rms_plain(1e-5)),
        (&["--norm", "prms", "--p", "0.25"], NormSpec::prms(0.25, 1e-5)),
        (&["--norm", "prms", "--p", "1"], NormSpec::rms(1e-5).without_affine()),
        (&["--norm", "prms", "--k", "9"], NormSpec::prms_first(9, 1e-5)),
        (&["--preset", "bert"], Preset::Bert.spec()),
        (&["--preset", "gemma"], Preset::Gemma.spec()),
        (&["--preset", "paper-torch"], Preset::PaperTorch.spec()),
        (&["--preset", "llama", "--eps", "0.1"], NormSpec::rms(0.1)),
        (&["--norm", "std-scaled"], NormSpec::std_scaled(1e-3)),
        (&["--norm", "std-scaled", "--eps", "1"], NormSpec::std_scaled(1.0).without_affine()),
        (&["--norm", "centered"], NormSpec::centered()),
        (&["--norm", "centered", "--eps", "1e-6"], NormSpec::centered()),
    ];
    cases.iter().try_for_each(|(options, spec)| compare(cli, options, spec))
}

fn every_strategy(cli: &Cli) -> Tested {
    let strategies = ["row_per_workgroup", "row_per_workgroup_subgroup", "row_per_subgroup", "row_per_invocation"];
    let spec = NormSpec::layer(1e-5);
    for strategy in strategies {
        compare(cli, &["--norm", "layer", "--strategy", strategy], &spec)?;
    }
    compare(cli, &["--norm", "layer", "--no-subgroups"], &spec)
}

fn every_rank(cli: &Cli) -> Tested {
    let folder = Folder::new();
    let shapes: [&[u64]; 5] = [&[5], &[1, 5], &[4, 5], &[2, 1, 5], &[2, 1, 3, 2, 5]];
    for shape in shapes {
        let x = values(shape.iter().product::<u64>() as usize, 4);
        let x_path = folder.npy("x.npy", shape, &x);
        cli.run(&["run", &x_path, "-o", &folder.arg("y.npy"), "--norm", "rms"]).good()?;
        let (found, y) = read_npy(&folder.path("y.npy"))?;
        equal("the shape of y", found.as_slice(), shape)?;
        let truth = reference::forward(&NormSpec::rms_plain(1e-5), 5, &x, None, None)?;
        let good = |i: usize| tolerance::within(y[i], truth.y[i], tolerance::forward(&truth.rows[i / 5]));
        equal("all of y good", (0..x.len()).all(good), true)?;
    }
    Ok(())
}

fn no_rows(cli: &Cli) -> Tested {
    let folder = Folder::new();
    for shape in [vec![0, 8], vec![3, 0, 8]] {
        let x = folder.npy::<f32>("x.npy", &shape, &[]);
        let w = folder.npy("w.npy", &[8], &[1f32; 8]);
        let [y, s] = [folder.arg("y.npy"), folder.arg("s.npy")];
        cli.run(&["run", &x, "-o", &y, "--norm", "layer", "--weight", &w, "--stats", &s]).good()?;
        equal("y", read_npy(&folder.path("y.npy"))?, (shape, vec![]))?;
        equal("stats", read_npy(&folder.path("s.npy"))?, (vec![0, 2], vec![]))?;
    }
    Ok(())
}

fn rows_hint(cli: &Cli) -> Tested {
    let spec = NormSpec::rms(1e-5);
    compare(cli, &["--norm", "rms", "--rows-hint"], &spec)?;
    compare(cli, &["--rows-hint=100000", "--norm", "rms"], &spec)?;
    // The flag takes no value from what follows it.
    let folder = Folder::new();
    let x = folder.npy("x.npy", &[2], &[3f32, 4f32]);
    cli.run(&["run", "--norm", "centered", "-o", &folder.arg("y.npy"), "--rows-hint", &x]).good()?;
    equal("y", read_npy(&folder.path("y.npy"))?, (vec![2], vec![-0.5, 0.5]))
}

/// The README's example on a real row: the command as it stands there, and the numbers it shows.
fn readme(cli: &Cli) -> Tested {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("README.md"))?;
    let example = text.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).ok_or("an example")?;
    let [command, show, shown] = example.lines().collect::<Vec<_>>()[..] else { return Err(example.into()) };
    let folder = Folder::new();
    let y_path = folder.arg("y.npy");
    let words = command.strip_prefix("$ rownorm ").ok_or("a command")?.split(' ');
    let arguments: Vec<_> = words.map(|word| if word == "y.npy" { y_path.as_str() } else { word }).collect();
    Ran(cli.command(&arguments).current_dir(root).output()?).good()?;
    equal("the elements shown", show.contains("('y.npy')[0, 506:510].round(4)"), true)?;
    let shown: Vec<f32> =
        shown.trim_matches(['[', ']']).split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let (_, y) = read_npy(&folder.path("y.npy"))?;
    let rounded: Vec<_> = y[506..510].iter().map(|y| (y * 1e4).round() / 1e4).collect();
    equal("y", rounded, shown)
}

fn big_endian(cli: &Cli) -> Tested {
    let folder = Folder::new();
    let header = "{'descr': '>f4', 'fortran_order': False, 'shape': (1, 2), }";
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend([3f32, 4f32].iter().flat_map(|v| v.to_be_bytes()));
    let x = folder.file("x.npy", &bytes);
    cli.run(&["run", &x, "-o", &folder.arg("y.npy"), "--norm", "centered"]).good()?;
    equal("y", read_npy(&folder.path("y.npy"))?, (vec![1, 2], vec![-0.5, 0.5]))
}

fn in_its_own_place(cli: &Cli) -> Tested {
    let folder = Folder::new();
    let x = folder.npy("x.npy", &[2], &[3f32, 4f32]);
    cli.run(&["run", &x, "-o", &x, "--norm", "centered"]).good()?;
    equal("y", read_npy(&folder.path("x.npy"))?, (vec![2], vec![-0.5, 0.5]))?;
    equal("files", folder.names(), vec!["x.npy".to_string()])
}

fn failure_leaves_what_was_there(cli: &Cli) -> Tested {
    let folder = Folder::new();
    let x = folder.npy("x.npy", &[2, 4], &values(8, 5));
    let y = folder.file("y.npy", b"what was there");
    // The device is found, then the plan is refused.
    let arguments = ["run", &x, "-o", &y, "--norm", "rms", "--strategy", "row_per_subgroup", "--no-subgroups"];
    cli.run(&arguments).refused(2, &["row_per_subgroup"])?;
    equal("y", std::fs::read(folder.path("y.npy"))?, b"what was there".to_vec())?;
    equal("files", folder.names(), vec!["x.npy".to_string(), "y.npy".to_string()])
}

/// Bit for bit; and a strategy, which is a matter of a device, is refused.
fn is_the_twin(cli: &Cli) -> Tested {
    let folder = Folder::new();
    let x = values(3 * 8, 1);
    let x_path = folder.npy("x.npy", &[3, 8], &x);
    let y_path = folder.arg("y.npy");
    let arguments = ["run", &x_path, "-o", &y_path, "--norm", "layer-simple"];
    cli.run(&arguments).good()?;
    let request = rownorm::Request::forward(NormSpec::layer_simple(1e-5), 8);
    let input = rownorm::Input { x: &x, ..rownorm::Input::default() };
    let wanted = rownorm::twin::forward(&request, &rownorm::twin::Order::for_dim(request.dim), &input)?;
    equal("y", read_npy(&folder.path("y.npy"))?, (vec![3, 8], wanted.y))?;
    let strategy = [&arguments[..], &["--strategy", "row_per_subgroup"]].concat();
    cli.run(&strategy).refused(2, &["row_per_subgroup", "cpu"])
}
