/** A style sheet module maps local names to generated class names. */
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  // biome-ignore lint/style/noDefaultExport: the bundler's own shape for a CSS module
  export default classes;
}

declare module "*.css";
