declare module "*.tex.json" {
  const formulas: Record<string, string>;
  export default formulas;
}
