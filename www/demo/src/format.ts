// Numbers as people read them.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A true minus sign. */
const minus = (text: string) => text.replace("-", "−");

/** `10⁻⁷` */
export function power(exponent: number, base = 10): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return `${base}${exponent < 0 ? "⁻" : ""}${digits}`;
}

/** A number with so many decimals. */
export function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return minus(Number(text) === 0 ? text.replace("-", "") : text);
}

/** A coordinate: at most three decimals, no trailing zeros. */
export function coordinate(value: number): string {
  return minus(String(Number(fixedPlain(value, 3))));
}

const fixedPlain = (value: number, decimals: number) => {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? "0" : text;
};

/** A pair: `(1.265, 0.632)`. */
export function pair(values: ArrayLike<number>): string {
  return `(${coordinate(values[0] ?? NaN)}, ${coordinate(values[1] ?? NaN)})`;
}

/** So many significant digits; powers of ten where they read better. */
export function significant(value: number, digits = 3): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "not a number" : value > 0 ? "∞" : "−∞";
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -3 && exponent < 5) {
    return minus(value.toLocaleString("en", { maximumSignificantDigits: digits, useGrouping: false }));
  }
  const [mantissa, e] = value.toExponential(digits - 1).split("e");
  // A single digit 1 says nothing: 10⁻⁵.
  return mantissa === "1" ? power(Number(e)) : `${minus(mantissa ?? "")} · ${power(Number(e))}`;
}

/** Nanoseconds in the unit that suits them. */
export function time(ns: number): string {
  if (ns >= 1e9) return `${significant(ns / 1e9)} s`;
  if (ns >= 1e6) return `${significant(ns / 1e6)} ms`;
  if (ns >= 1e3) return `${significant(ns / 1e3)} µs`;
  return `${significant(ns)} ns`;
}

/** A share as per cent; number and sign stay on one line. */
export function percent(share: number): string {
  return `${significant(share * 100, share >= 1 ? 3 : 2)}\u00a0%`;
}
