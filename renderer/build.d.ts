interface ImportMetaEnv {
  readonly TILLGATE_FLAGS: string;
  /** True in a build for the gateway, false in development. */
  readonly PROD: boolean;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
