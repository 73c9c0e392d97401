/** Constants that the build inserts into the pages. */
interface ImportMetaEnv {
  /** Path of the flags' images. */
  readonly TILLGATE_FLAGS: string;
  /** True in a build, which the gateway serves. */
  readonly PROD: boolean;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
