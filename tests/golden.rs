//! Results that do not come from this project (`tests/golden/`), through the float64 reference and
//! through the f32 twin and every adapter in every arrangement: ONNX's node tests, torch's sample inputs with float64
//! results, and norms of two real models. It proves that "LayerNorm" and "RMSNorm" mean here what they
//! mean elsewhere, and that what torch calls an error is a typed error here.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use rownorm::conformance::{Ended, Engine, Outcome, Placement, Tensors, TwinEngine, arrangements, check, execute};
use rownorm::plan::Request;
use rownorm::reference::{self, Forward};
use rownorm::spec::{NormSpec, Weight};
use rownorm::{Error, tolerance};
use serde::Deserialize;
use serde::de::DeserializeOwned;

mod support;
use support::{conclude, failed, on_target, targets};

/// One line of `onnx.json` or `torch.json`.
#[derive(Debug, Clone, Deserialize)]
struct JsonCase {
    name: String,
    norm: String,
    eps: f64,
    rows: Option<u64>,
    dim: Option<u64>,
    x: Option<Vec<f32>>,
    weight: Option<Vec<f32>>,
    bias: Option<Vec<f32>>,
    y: Option<Vec<f64>>,
    mean: Option<Vec<f64>>,
    rstd: Option<Vec<f64>>,
    /// `torch.json` alone: `accepted`, `refused`, or null for what rows and dim cannot say.
    rownorm: Option<String>,
    weight_shape: Option<Vec<usize>>,
    bias_shape: Option<Vec<usize>>,
}

#[derive(Debug, Deserialize)]
struct Manifest {
    models: Vec<Model>,
}

#[derive(Debug, Deserialize)]
struct Model {
    name: String,
    dim: u64,
    eps: f64,
    norm: String,
    norms: Vec<RealNorm>,
}

#[derive(Debug, Deserialize)]
struct RealNorm {
    name: String,
    rows: u64,
    x: String,
    weight: String,
    bias: Option<String>,
    y: String,
}

/// An accepted case with its published result.
#[derive(Debug, Clone)]
struct Golden {
    name: String,
    spec: NormSpec,
    dim: u64,
    tensors: Tensors,
    /// The leading rows of the result.
    y: Vec<f64>,
    mean: Option<Vec<f64>>,
    rstd: Option<Vec<f64>>,
    /// Whether the published result is itself f32.
    published_in_f32: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn json<T: DeserializeOwned>(path: &str) -> Result<T, String> {
    let text = std::fs::read_to_string(folder().join(path)).map_err(|error| format!("{path}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))
}

fn array<T: npyz::Deserialize>(path: &str) -> Result<Vec<T>, String> {
    let file = std::fs::File::open(folder().join("real").join(path)).map_err(|error| format!("{path}: {error}"))?;
    let npy = npyz::NpyFile::new(std::io::BufReader::new(file)).map_err(|error| format!("{path}: {error}"))?;
    npy.into_vec().map_err(|error| format!("{path}: {error}"))
}

fn spec(norm: &str, eps: f64, weight: bool, bias: bool) -> NormSpec {
    let spec = match norm {
        "layer" => NormSpec::layer(eps as f32),
        _ => NormSpec::rms(eps as f32),
    };
    spec.with_weight(if weight { Weight::Direct } else { Weight::None }).with_bias(bias)
}

fn from_json(case: JsonCase, published_in_f32: bool) -> Result<Golden, String> {
    let missing = |what: &str| format!("{}: no {what}", case.name);
    Ok(Golden {
        spec: spec(&case.norm, case.eps, case.weight.is_some(), case.bias.is_some()),
        dim: case.dim.ok_or_else(|| missing("dim"))?,
        tensors: Tensors {
            rows: case.rows.ok_or_else(|| missing("rows"))?,
            x: case.x.clone().ok_or_else(|| missing("x"))?,
            weight: case.weight.clone(),
            bias: case.bias.clone(),
        },
        y: case.y.clone().ok_or_else(|| missing("y"))?,
        mean: case.mean.clone(),
        rstd: case.rstd.clone(),
        published_in_f32,
        name: case.name,
    })
}

fn real() -> Result<Vec<Golden>, String> {
    let manifest: Manifest = json("real/manifest.json")?;
    let mut goldens = Vec::new();
    for model in &manifest.models {
        for norm in &model.norms {
            let bias = norm.bias.as_deref().map(array).transpose()?;
            goldens.push(Golden {
                name: format!("{}_{}", model.name, norm.name),
                spec: spec(&model.norm, model.eps, true, bias.is_some()),
                dim: model.dim,
                tensors: Tensors { rows: norm.rows, x: array(&norm.x)?, weight: Some(array(&norm.weight)?), bias },
                y: array(&norm.y)?,
                mean: None,
                rstd: None,
                published_in_f32: false,
            });
        }
    }
    Ok(goldens)
}

/// What is judged: a computed element, its published value, the bound.
fn judge(what: &str, index: usize, actual: f64, published: f64, bound: f64) -> Result<(), String> {
    // Written so that NaN fails.
    if (actual - published).abs() <= bound {
        return Ok(());
    }
    Err(format!("{what}[{index}] is {actual:e}; published is {published:e} ± {bound:e}"))
}

impl Golden {
    fn truth(&self) -> Result<Forward, String> {
        let (weight, bias) = (self.tensors.weight.as_deref(), self.tensors.bias.as_deref());
        reference::forward(&self.spec, self.dim, &self.tensors.x, weight, bias).map_err(|error| error.to_string())
    }

    /// The float64 reference against the published result.
    fn judge_reference(&self) -> Result<(), String> {
        let truth = self.truth()?;
        for (i, published) in self.y.iter().enumerate() {
            let row = &truth.rows[i / self.dim as usize];
            let bound = if self.published_in_f32 {
                tolerance::against_f32(tolerance::forward(row))
            } else {
                tolerance::between_float64(row)
            };
            judge("y", i, truth.y[i], *published, bound)?;
        }
        for (i, row) in truth.rows.iter().enumerate() {
            let statistics = [
                ("mean", &self.mean, row.mean, tolerance::saved_mean(row)),
                ("rstd", &self.rstd, row.rstd, tolerance::saved_rstd(row)),
            ];
            for (what, published, actual, bound) in statistics {
                if let Some(published) = published {
                    judge(what, i, actual, published[i], tolerance::against_f32(bound))?;
                }
            }
        }
        Ok(())
    }

    /// An adapter's outcome against truth and published result.
    fn judge_outcome(&self, outcome: &Outcome, truth: &Forward) -> Result<(), String> {
        check::outcome(outcome, truth, &[])?;
        for (i, published) in self.y.iter().enumerate() {
            let bound = tolerance::forward(&truth.rows[i / self.dim as usize]);
            let bound = if self.published_in_f32 { tolerance::against_f32(bound) } else { bound };
            judge("y", i, f64::from(outcome.y[i]), *published, bound)?;
        }
        Ok(())
    }

    fn judge_engine(&self, engine: &impl Engine) -> Result<(), Failed> {
        let truth = self.truth().map_err(failed)?;
        let caps = engine.caps();
        let request = Request::forward(self.spec, self.dim).saving_stats();
        for arrangement in arrangements(&request, &caps, &engine.strategies()) {
            let request = Request { strategy: arrangement.strategy, ..request };
            let run = execute(engine, &request, &caps, &self.tensors, &Placement::CONTIGUOUS);
            match pollster::block_on(run) {
                Ok(outcome) => self.judge_outcome(&outcome, &truth),
                Err(Ended::Skipped(_)) => Ok(()),
                Err(Ended::Failed(detail)) => Err(detail),
            }
            .map_err(|detail| failed(format!("{}: {detail}", arrangement.name)))?;
        }
        Ok(())
    }
}

/// torch's error inputs that rows and dim can express.
fn judge_refusal(case: &JsonCase) -> Result<(), String> {
    let given = |values: &Option<Vec<f32>>, shape: &Option<Vec<usize>>| {
        values.clone().or_else(|| shape.as_ref().map(|shape| vec![1.0; shape.iter().product()]))
    };
    let (weight, bias) = (given(&case.weight, &case.weight_shape), given(&case.bias, &case.bias_shape));
    let dim = case.dim.unwrap_or(0);
    let x = case.x.clone().unwrap_or_else(|| vec![1.0; (case.rows.unwrap_or(0) * dim) as usize]);
    let spec = spec(&case.norm, case.eps, weight.is_some(), bias.is_some());
    let error = match reference::forward(&spec, dim, &x, weight.as_deref(), bias.as_deref()) {
        Ok(_) => return Err("was accepted".into()),
        Err(error) => error,
    };
    let right = match error {
        Error::Eps { .. } => case.eps < 0.0,
        Error::Dim { dim: 0, .. } => dim == 0,
        Error::Length { actual, expected, .. } => actual != expected && expected == dim,
        _ => false,
    };
    if right { Ok(()) } else { Err(format!("gave {error:?}")) }
}

fn main() -> ExitCode {
    let mut trials = Vec::new();
    match load(&mut trials) {
        Ok(goldens) => {
            for golden in &goldens {
                let golden = golden.clone();
                let name = format!("reference::{}", golden.name);
                trials.push(Trial::test(name, move || golden.judge_reference().map_err(failed)));
            }
            for golden in &goldens {
                let golden = golden.clone();
                let name = format!("twin::{}", golden.name);
                trials.push(Trial::test(name, move || golden.judge_engine(&TwinEngine)));
            }
            for target in targets() {
                for golden in &goldens {
                    let golden = golden.clone();
                    trials.push(on_target(&target, &golden.name.clone(), move |engine| golden.judge_engine(engine)));
                }
            }
        }
        Err(text) => trials.push(Trial::test("golden_data_can_be_read", move || Err(failed(text)))),
    }
    conclude(trials)
}

fn load(trials: &mut Vec<Trial>) -> Result<Vec<Arc<Golden>>, String> {
    let onnx: Vec<JsonCase> = json("onnx.json")?;
    let torch: Vec<JsonCase> = json("torch.json")?;
    let counts = (onnx.len(), torch.len());
    trials.push(Trial::test("golden_data_is_complete", move || match counts {
        (38, 65) => Ok(()),
        other => Err(failed(format!("found {other:?} cases of ONNX and torch"))),
    }));
    let mut goldens = Vec::new();
    for case in onnx {
        goldens.push(from_json(case, true)?);
    }
    for case in torch {
        match case.rownorm.as_deref() {
            Some("accepted") => goldens.push(from_json(case, false)?),
            Some("refused") => trials
                .push(Trial::test(format!("refused::{}", case.name), move || judge_refusal(&case).map_err(failed))),
            // A shape that rows and dim cannot express never reaches this crate.
            _ => {}
        }
    }
    goldens.extend(real()?);
    Ok(goldens.into_iter().map(Arc::new).collect())
}
