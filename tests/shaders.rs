//! Every program the planner can make, parsed and validated by naga as wgpu does it, for devices of
//! each kind; and every file of `shaders/` is used by some program. It proves that no slot combination
//! is ill-formed on a device that is not at hand. (naga does not notice barriers in non-uniform control
//! flow; the browser tests compile the same list in Chromium, which does.)

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use rownorm::caps::{AdapterKind, DeviceCaps, Dialect, SubgroupSizes};
use rownorm::conformance::variants::{Program, programs};
use rownorm::{Strategy, wgsl};

/// Devices that the planner treats differently.
fn devices(dialect: Dialect) -> Vec<(String, DeviceCaps)> {
    use AdapterKind::{Cpu, Discrete, Unknown};
    let kinds = [
        (Cpu, Some((4, 128))),
        (Cpu, Some((8, 8))),
        (Discrete, Some((32, 32))),
        (Unknown, None),
        (Unknown, Some((4, 128))),
    ];
    kinds
        .map(|(adapter, subgroups)| {
            let subgroups = subgroups.map(|(min, max)| SubgroupSizes { min, max });
            let name = format!("{adapter} {subgroups:?}");
            (name, DeviceCaps { adapter, subgroups, ..DeviceCaps::baseline(dialect) })
        })
        .to_vec()
}

/// All programs of all devices, without repetitions.
static ALL: LazyLock<Vec<(String, Program)>> = LazyLock::new(|| {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for (device, caps) in devices(Dialect::Naga) {
        for program in programs(&caps) {
            if seen.insert(program.kernel.wgsl.clone()) {
                all.push((device.clone(), program));
            }
        }
    }
    all
});

fn validate(program: &Program) -> Result<naga::Module, String> {
    let text = &program.kernel.wgsl;
    let module = naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::SUBGROUP);
    validator.subgroup_stages(naga::valid::ShaderStages::COMPUTE);
    validator.subgroup_operations(naga::valid::SubgroupOperationSet::all());
    validator.validate(&module).map_err(|error| error.emit_to_string(text))?;
    Ok(module)
}

/// Each program is valid, and its entry point and bindings are the ones its plan describes.
#[test]
fn every_program_is_valid_for_naga() {
    assert!(ALL.len() > 500, "only {} programs", ALL.len());
    for (device, program) in ALL.iter() {
        let what = format!("{} on {device}", program.name);
        let module = validate(program).unwrap_or_else(|text| panic!("{what}: {text}"));
        let entry = module.entry_points.iter().find(|entry| entry.name == program.kernel.entry_point);
        let entry = entry.unwrap_or_else(|| panic!("{what}: no entry point {}", program.kernel.entry_point));
        assert_eq!(entry.workgroup_size, [program.kernel.workgroup_size, 1, 1], "{what}");
        let declared: BTreeSet<_> = module
            .global_variables
            .iter()
            .filter_map(|(_, variable)| variable.binding.map(|binding| (binding.group, binding.binding)))
            .collect();
        let planned: BTreeSet<_> = program.kernel.bindings.iter().map(|binding| (0, binding.index)).collect();
        assert_eq!(declared, planned, "{what}");
    }
    println!("{} programs", ALL.len());
}

/// The planner's count of workgroup memory is what the program declares, each variable rounded up to 16 bytes.
#[test]
fn workgroup_memory_is_as_planned() {
    let caps: BTreeMap<_, _> = devices(Dialect::Naga).into_iter().collect();
    let mut strategies = BTreeSet::new();
    for (device, program) in ALL.iter() {
        let plan = rownorm::plan(&program.request, &caps[device]).expect("it was planned before");
        let module = naga::front::wgsl::parse_str(&program.kernel.wgsl).expect("every program is valid");
        let mut layouter = naga::proc::Layouter::default();
        layouter.update(module.to_ctx()).expect("every type has a layout");
        let declared: u32 = module
            .global_variables
            .iter()
            .filter(|(_, variable)| variable.space == naga::AddressSpace::WorkGroup)
            .map(|(_, variable)| layouter[variable.ty].size.next_multiple_of(16))
            .sum();
        let planned = plan.workgroup_memory(&program.kernel);
        // A workgroup that is one subgroup claims nothing.
        let alone = plan.strategy == Strategy::RowPerSubgroup && declared == 0;
        assert!(u64::from(declared) == planned || alone, "{}: {declared} against {planned}, {device}", program.name);
        strategies.insert(plan.strategy.name());
    }
    assert_eq!(strategies.len(), Strategy::ALL.len());
}

/// The dialects differ in directives at the top, in nothing else.
#[test]
fn dialects_differ_in_directives_alone() {
    let naga: BTreeSet<_> = ALL.iter().map(|(_, program)| program.kernel.wgsl.as_str()).collect();
    for (_, browser) in devices(Dialect::Browser) {
        for program in programs(&browser) {
            let text = &program.kernel.wgsl;
            let is_directive = |line: &str| line.starts_with("enable ") || line.starts_with("diagnostic(");
            let directives: usize =
                text.split_inclusive('\n').take_while(|line| is_directive(line)).map(str::len).sum();
            assert!(naga.contains(&text[directives..]), "{}: another text for naga", program.name);
            let subgroups = program.request.strategy.is_some_and(|strategy| strategy.needs_subgroups());
            assert_eq!(text[..directives].contains("enable subgroups;"), subgroups, "{}", program.name);
        }
    }
}

/// No program of this crate needs `shader-f16`, which many adapters lack (B105).
#[test]
fn no_program_enables_f16() {
    for (_, program) in ALL.iter() {
        assert!(!program.kernel.wgsl.contains("enable f16"), "{}", program.name);
    }
}

/// ε comes in the uniform block: no program text holds it, and none a constant that is not finite (B111).
#[test]
fn eps_is_no_part_of_the_text() {
    use rownorm::{NormSpec, Request, plan};
    for (_, caps) in devices(Dialect::Naga) {
        let text = |eps| plan(&Request::forward(NormSpec::layer(eps), 48), &caps).map(|plan| plan.kernels);
        assert_eq!(text(1e-5), text(3.4e38));
        assert_eq!(text(1e-5), text(0.0));
    }
}

/// Every file below `shaders/` is known to the crate and used by some program; the benchmark's own are in none.
#[test]
fn every_file_is_used() {
    let mut on_disk = BTreeSet::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders"), "", &mut on_disk);
    on_disk.retain(|path: &String| !path.starts_with("bench/"));
    let known: BTreeSet<_> = wgsl::ALL.iter().map(|file| file.path.to_string()).collect();
    assert_eq!(on_disk, known, "files in shaders/ and files in wgsl.rs");
    let mut used = BTreeSet::new();
    for (_, program) in ALL.iter() {
        let headings = program.kernel.wgsl.lines().filter_map(|line| line.strip_prefix("// ── "));
        used.extend(headings.map(str::to_string));
    }
    let unused: Vec<_> = known.difference(&used).collect();
    assert!(unused.is_empty(), "no program uses {unused:?}");
}

fn walk(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("shaders/ can be read") {
        let entry = entry.expect("an entry of shaders/ can be read");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{name}/"), found);
        } else if name.ends_with(".wgsl") {
            found.insert(name);
        }
    }
}
