//! The normalization of well-known models and frameworks, by name.

use std::fmt;
use std::str::FromStr;

use super::{NormSpec, Weight};

/// A model's or framework's normalization with its own default ε.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// PyTorch `nn.LayerNorm`: ε 1e-5.
    TorchLayerNorm,
    /// PyTorch `nn.RMSNorm` with `eps=None` on f32: ε is the f32 machine epsilon.
    TorchRmsNorm,
    /// BERT and MiniLM: LayerNorm, ε 1e-12.
    Bert,
    /// GPT-2: LayerNorm, ε 1e-5.
    Gpt2,
    /// ViT: LayerNorm, ε 1e-6 (timm and JAX).
    Vit,
    /// OLMo-1: LayerNorm without weight and bias, ε 1e-5.
    Olmo1,
    /// DiT: LayerNorm without weight and bias (modulated afterwards), ε 1e-6.
    Dit,
    /// Llama 2 and 3, SmolLM2: RMSNorm, ε 1e-5.
    Llama,
    /// Mistral: RMSNorm, ε 1e-5.
    Mistral,
    /// Qwen3: RMSNorm, ε 1e-6.
    Qwen3,
    /// T5: RMSNorm, ε 1e-6.
    T5,
    /// Gemma 1 to 3: RMSNorm with weight 1 + w, ε 1e-6.
    Gemma,
    /// The RMSNorm paper's PyTorch file: ε 1e-8 outside the root.
    PaperTorch,
    /// Keras `LayerNormalization`: ε 1e-3.
    KerasLayerNormalization,
    /// Keras `LayerNormalization(rms_scaling=True)`: std-scaled, uncentred, ε 1e-3.
    KerasRmsScaling,
    /// Keras `RMSNormalization`: ε 1e-6.
    KerasRmsNormalization,
    /// ONNX `LayerNormalization` (opset 17): ε 1e-5.
    OnnxLayerNormalization,
    /// ONNX `RMSNormalization` (opset 23): ε 1e-5.
    OnnxRmsNormalization,
    /// flax.linen `LayerNorm`: ε 1e-6.
    FlaxLayerNorm,
    /// flax.linen `RMSNorm`: ε 1e-6.
    FlaxRmsNorm,
    /// MLX `nn.LayerNorm`: ε 1e-5.
    MlxLayerNorm,
    /// MLX `nn.RMSNorm`: ε 1e-5.
    MlxRmsNorm,
}

impl Preset {
    /// All of them.
    pub const ALL: [Preset; 22] = [
        Preset::TorchLayerNorm,
        Preset::TorchRmsNorm,
        Preset::Bert,
        Preset::Gpt2,
        Preset::Vit,
        Preset::Olmo1,
        Preset::Dit,
        Preset::Llama,
        Preset::Mistral,
        Preset::Qwen3,
        Preset::T5,
        Preset::Gemma,
        Preset::PaperTorch,
        Preset::KerasLayerNormalization,
        Preset::KerasRmsScaling,
        Preset::KerasRmsNormalization,
        Preset::OnnxLayerNormalization,
        Preset::OnnxRmsNormalization,
        Preset::FlaxLayerNorm,
        Preset::FlaxRmsNorm,
        Preset::MlxLayerNorm,
        Preset::MlxRmsNorm,
    ];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::TorchLayerNorm => "torch-layer-norm",
            Preset::TorchRmsNorm => "torch-rms-norm",
            Preset::Bert => "bert",
            Preset::Gpt2 => "gpt2",
            Preset::Vit => "vit",
            Preset::Olmo1 => "olmo1",
            Preset::Dit => "dit",
            Preset::Llama => "llama",
            Preset::Mistral => "mistral",
            Preset::Qwen3 => "qwen3",
            Preset::T5 => "t5",
            Preset::Gemma => "gemma",
            Preset::PaperTorch => "paper-torch",
            Preset::KerasLayerNormalization => "keras-layer-normalization",
            Preset::KerasRmsScaling => "keras-rms-scaling",
            Preset::KerasRmsNormalization => "keras-rms-normalization",
            Preset::OnnxLayerNormalization => "onnx-layer-normalization",
            Preset::OnnxRmsNormalization => "onnx-rms-normalization",
            Preset::FlaxLayerNorm => "flax-layer-norm",
            Preset::FlaxRmsNorm => "flax-rms-norm",
            Preset::MlxLayerNorm => "mlx-layer-norm",
            Preset::MlxRmsNorm => "mlx-rms-norm",
        }
    }

    /// The specification.
    pub const fn spec(self) -> NormSpec {
        use Preset::*;
        match self {
            TorchLayerNorm | Gpt2 | OnnxLayerNormalization | MlxLayerNorm => NormSpec::layer(1e-5),
            TorchRmsNorm => NormSpec::rms(f32::EPSILON),
            Bert => NormSpec::layer(1e-12),
            Vit | FlaxLayerNorm => NormSpec::layer(1e-6),
            Olmo1 => NormSpec::layer_simple(1e-5),
            Dit => NormSpec::layer_simple(1e-6),
            Llama | Mistral | OnnxRmsNormalization | MlxRmsNorm => NormSpec::rms(1e-5),
            Qwen3 | T5 | KerasRmsNormalization | FlaxRmsNorm => NormSpec::rms(1e-6),
            Gemma => NormSpec::rms(1e-6).with_weight(Weight::OnePlus),
            PaperTorch => NormSpec::rms(1e-8).eps_outside(),
            KerasLayerNormalization => NormSpec::layer(1e-3),
            KerasRmsScaling => NormSpec::std_scaled(1e-3),
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Preset {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Preset::ALL.into_iter().find(|preset| preset.name() == s).ok_or_else(|| {
            let names = Preset::ALL.map(Preset::name).join(", ");
            format!("no preset is called \"{s}\"; there are {names}")
        })
    }
}
