/** What the build writes into the pages. */
interface ImportMetaEnv {
  /** Where the pictures of the flags are. */
  readonly TILLGATE_FLAGS: string;
  /** The pages were built, and the gateway serves them. */
  readonly PROD: boolean;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
