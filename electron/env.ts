/** The only place that reads the environment in `electron/`. An empty variable counts as absent. */

/** What the desktop shell can be told from outside. */
export interface ShellEnv {
  readonly dataDir?: string;
  readonly port?: string;
  readonly logLevel?: string;
  /** Where Vite serves the renderer while it is being developed; a packaged app ignores it. */
  readonly devServerUrl?: string;
}

/** What the launcher needs to know before it decides what to start. */
export interface LaunchEnv {
  readonly hasDisplay: boolean;
  /** A runtime kept somewhere else than in node_modules; Electron's own variable. */
  readonly runtimeDir?: string;
  readonly port?: string;
}

export function readShellEnv(source: NodeJS.ProcessEnv = process.env): ShellEnv {
  return {
    ...optional("dataDir", source.TILLGATE_DATA),
    ...optional("port", source.TILLGATE_PORT),
    ...optional("logLevel", source.TILLGATE_LOG_LEVEL),
    ...optional("devServerUrl", source.ELECTRON_RENDERER_URL),
  };
}

export function readLaunchEnv(
  platform: NodeJS.Platform,
  source: NodeJS.ProcessEnv = process.env,
): LaunchEnv {
  const desktopAlways = platform === "darwin" || platform === "win32";
  return {
    hasDisplay: desktopAlways || Boolean(source.DISPLAY || source.WAYLAND_DISPLAY),
    ...optional("runtimeDir", source.ELECTRON_OVERRIDE_DIST_PATH),
    ...optional("port", source.TILLGATE_PORT),
  };
}

/** The environment for a child: what this process was given, and `additions`. */
export function childEnv(additions: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...additions };
}

function optional<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined || value === "" ? {} : ({ [key]: value } as { [P in K]: string });
}
