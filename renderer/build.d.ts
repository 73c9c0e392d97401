interface ImportMetaEnv {
  readonly TILLGATE_FLAGS: string;
  /** True in a build, which the gateway serves. */
  readonly PROD: boolean;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
