/** What the build writes into the pages. */
interface ImportMetaEnv {
  /** Where the pictures of the flags are. */
  readonly TILLGATE_FLAGS: string;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
