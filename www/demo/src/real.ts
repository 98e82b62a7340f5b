// Real activations: the inputs and weights of normalization layers of two public transformers.
import manifest from "../../../tests/golden/real/manifest.json";
import { type Matrix, readNpy } from "./npy.ts";

/** The layers that ship with the page: small and large rows, means near zero and far from it. */
const files = import.meta.glob<string>(
  [
    "../../../tests/golden/real/minilm/encoder.layer.{0.output,4.attention.output,5.attention.output}.LayerNorm.{x,weight,bias}.npy",
    "../../../tests/golden/real/smollm2/blk.{0.attn_norm,10.attn_norm,12.attn_norm}.{x,weight}.npy",
  ],
  { query: "?url", import: "default", eager: true },
);

/** One layer of a model. */
export interface Layer {
  id: string;
  /** For people: model and place in it. */
  label: string;
  model: string;
  note: string;
  /** The norm the model itself has there. */
  norm: "layer" | "rms";
  eps: number;
  /** The text of each row's token. */
  tokens: string[];
  paths: { x: string; weight: string; bias: string | undefined };
}

/** What a layer consists of. */
export interface LayerData {
  x: Matrix;
  weight: Float32Array;
  bias: Float32Array | undefined;
}

const address = (path: string | undefined) => (path === undefined ? undefined : files[`../../../tests/golden/real/${path}`]);

/** In the order of the menu. */
export const LAYERS: readonly Layer[] = manifest.models.flatMap((model) =>
  model.norms.flatMap((norm) => {
    const x = address(norm.x);
    const weight = address(norm.weight);
    if (x === undefined || weight === undefined) return [];
    return {
      id: `${model.name}/${norm.name}`,
      label: norm.name,
      model: `${model.title}: ${model.norm === "layer" ? "LayerNorm" : "RMSNorm"}, ${model.dim} features`,
      note: norm.note,
      norm: model.norm as Layer["norm"],
      eps: model.eps,
      tokens: norm.tokens,
      paths: { x, weight, bias: address("bias" in norm ? norm.bias : undefined) },
    };
  }),
);

const loaded = new Map<string, Promise<LayerData>>();

/** Fetches a layer, once. */
export function load(layer: Layer): Promise<LayerData> {
  let data = loaded.get(layer.id);
  if (!data) {
    data = fetchAll(layer);
    data.catch(() => loaded.delete(layer.id));
    loaded.set(layer.id, data);
  }
  return data;
}

async function fetchAll({ paths }: Layer): Promise<LayerData> {
  const [x, weight, bias] = await Promise.all([get(paths.x), get(paths.weight), paths.bias ? get(paths.bias) : undefined]);
  return { x, weight: weight.values, bias: bias?.values };
}

async function get(address: string): Promise<Matrix> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} could not be loaded (${response.status})`);
  return readNpy(await response.arrayBuffer());
}
