//! `adapters`, `plan` and `wgsl`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use libtest_mimic::Trial;
use rownorm::caps::Dialect;
use rownorm::{DeviceCaps, NormSpec, Request};

use crate::support::{Cli, Test, Tested, equal, on_adapter};

pub fn trials(adapter: &str) -> Vec<Trial> {
    let tests: [Test; 7] = [
        ("adapters::lists", lists),
        ("adapters::selects", selects),
        ("plan::json", plan_json),
        ("plan::refuses", plan_refuses),
        ("wgsl::is_what_the_planner_writes", wgsl_is_what_the_planner_writes),
        ("wgsl::has_both_dialects", wgsl_has_both_dialects),
        ("wgsl::survives_a_closed_pipe", wgsl_survives_a_closed_pipe),
    ];
    on_adapter(adapter, &tests)
}

fn lists(cli: &Cli) -> Tested {
    let text = cli.run(&["adapters"]).good()?.stdout();
    for word in ["driver", "backend", "kind", "subgroups", "f16", "timestamps", "limits"] {
        equal(word, text.contains(word), true)?;
    }
    let json = cli.run(&["adapters", "--json"]).good()?.json()?;
    let adapters = json.as_array().ok_or("an array was wanted")?;
    let wanted = cli.adapter.to_lowercase();
    for adapter in adapters {
        let text = format!("{} {}", adapter["name"], adapter["driver"]).to_lowercase();
        equal("the adapter meant", text.contains(&wanted), true)?;
        equal("kind", adapter["kind"].is_string(), true)?;
        equal("a limit", adapter["limits"]["max_storage_buffer_binding_size"].as_u64() >= Some(128 << 20), true)?;
    }
    equal("adapters are listed", adapters.is_empty(), false)?;
    // Of all that the machine has, one runs where none is named.
    let all = Cli { adapter: String::new() }.run(&["adapters", "--json"]).good()?.json()?;
    let defaults: Vec<_> =
        all.as_array().ok_or("an array")?.iter().filter(|adapter| adapter["default"] == true).collect();
    equal("defaults", defaults.len(), 1)?;
    let planned =
        Cli { adapter: String::new() }.run(&["plan", "--norm", "rms", "--dim", "8", "--json"]).good()?.json()?;
    equal("the default", &planned["adapter"], &defaults[0]["name"])
}

/// By option, by environment, ignoring case; no match ends with the list.
fn selects(cli: &Cli) -> Tested {
    let none = Cli { adapter: String::new() };
    let program = ["wgsl", "--norm", "rms", "--dim", "8"];
    let run = |name: &str| {
        let mut command = none.command(&["plan", "--norm", "rms", "--dim", "8", "--json"]);
        crate::support::Ran(command.env("ROWNORM_ADAPTER", name).output().expect("the binary starts"))
    };
    let json = run(&cli.adapter.to_uppercase()).good()?.json()?;
    let name = json["adapter"].as_str().unwrap_or_default().to_lowercase();
    equal("the adapter meant", name.contains(&cli.adapter.to_lowercase()), true)?;
    run("no such adapter").refused(2, &["no such adapter", &cli.adapter])?;
    let nothing = Cli { adapter: "no such adapter".into() };
    nothing.run(&program).refused(2, &["no such adapter", &cli.adapter])?;
    nothing.run(&["adapters"]).refused(2, &["no such adapter", &cli.adapter])?;
    nothing.run(&["bench"]).refused(2, &["no such adapter", &cli.adapter])?;
    Cli { adapter: "cpu".into() }.run(&program).refused(2, &["cpu", "WGSL"])
}

fn plan_json(cli: &Cli) -> Tested {
    let arguments = ["plan", "--norm", "layer", "--weight", "--bias", "--stats", "--dim", "768", "--rows", "70000"];
    let text = cli.run(&arguments).good()?.stdout();
    for word in ["choices", "@binding(2) weight", "dispatch 0"] {
        equal(word, text.contains(word), true)?;
    }
    let json = cli.run(&[&arguments[..], &["--json"]].concat()).good()?.json()?;
    equal("norm", json["norm"].as_str(), Some("layer"))?;
    equal("dim", json["dim"].as_u64(), Some(768))?;
    equal("strategy", json["strategy"].as_str().is_some_and(|name| name.starts_with("row_per_")), true)?;
    let holds = json["kernels"][0]["bindings"].as_array().ok_or("bindings")?;
    let holds: Vec<_> = holds.iter().filter_map(|binding| binding["holds"].as_str()).collect();
    equal("bindings", holds, vec!["params", "x", "weight", "bias", "y", "stats"])?;
    let dispatches = json["dispatches"].as_array().ok_or("dispatches")?;
    equal("rows", dispatches.iter().filter_map(|dispatch| dispatch["rows"].as_u64()).sum(), 70000)
}

fn plan_refuses(cli: &Cli) -> Tested {
    cli.run(&["plan", "--norm", "rms", "--dim", "0"]).refused(2, &["dim is 0"])?;
    cli.run(&["plan", "--norm", "rms", "--dim", "8", "--rows", "1000000000000000"]).refused(2, &["x", "bytes"])?;
    cli.run(&["plan", "--norm", "centered", "--weight", "--dim", "8"]).refused(2, &["weight", "centered"])?;
    let subgroups = ["plan", "--norm", "rms", "--dim", "8", "--strategy", "row_per_subgroup"];
    cli.run(&[&subgroups[..], &["--baseline"]].concat()).refused(2, &["row_per_subgroup", "subgroups"])
}

fn wgsl_is_what_the_planner_writes(cli: &Cli) -> Tested {
    let caps = DeviceCaps::baseline(Dialect::Naga);
    let spec = NormSpec::rms(1e-5);
    let wanted = rownorm::plan(&Request::forward(spec, 96).saving_stats(), &caps)?;
    let ran = cli.run(&["wgsl", "--norm", "rms", "--weight", "--stats", "--dim", "96", "--baseline"]).good()?;
    equal("program", ran.stdout(), wanted.kernels[0].wgsl.clone())?;
    let here = cli.run(&["wgsl", "--norm", "rms", "--weight", "--dim", "96"]).good()?;
    equal("entry point", here.stdout().contains("fn rownorm("), true)
}

fn wgsl_has_both_dialects(cli: &Cli) -> Tested {
    let arguments = ["wgsl", "--norm", "rms", "--dim", "96", "--strategy", "row_per_subgroup"];
    let native = cli.run(&arguments).good()?.stdout();
    equal("native directives", native.contains("enable subgroups;"), false)?;
    let browser = cli.run(&[&arguments[..], &["--browser"]].concat()).good()?.stdout();
    equal("browser directives", browser.starts_with("enable subgroups;"), true)
}

fn wgsl_survives_a_closed_pipe(cli: &Cli) -> Tested {
    let mut command = cli.command(&["wgsl", "--norm", "layer", "--dim", "96"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut line = String::new();
    // Dropping the reader closes the pipe, before or while the rest is written.
    BufReader::with_capacity(1, child.stdout.take().ok_or("no pipe")?).read_line(&mut line)?;
    let ended = child.wait_with_output()?;
    equal("status", ended.status.code(), Some(0))?;
    equal("complaint", String::from_utf8_lossy(&ended.stderr).as_ref(), "")
}
