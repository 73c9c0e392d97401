/** Style sheets as the bundler sees them: modules map a local name to the class it became. */
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  // biome-ignore lint/style/noDefaultExport: the bundler's own shape for a CSS module
  export default classes;
}

declare module "*.css";
