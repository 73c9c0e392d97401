/**
 * The only place that reads the environment in `electron/`. The gateway reads its own settings.
 * An empty variable counts as absent.
 */

/** What the launcher decides by. */
export interface LaunchEnv {
  readonly hasDisplay: boolean;
  /** A runtime kept somewhere else than in node_modules; Electron's own variable. */
  readonly runtimeDir: string | undefined;
}

/** Where Vite serves the renderer during development, from electron-vite. */
export function readDevServerUrl(): string | undefined {
  return process.env.ELECTRON_RENDERER_URL || undefined;
}

/** Where new versions come from, by the owner's choice; undefined for nowhere. */
export function readUpdateFeed(): string | undefined {
  return process.env.TILLGATE_UPDATES || undefined;
}

/** Whether a port was named; the gateway reads which. */
export function isPortNamed(): boolean {
  return Boolean(process.env.TILLGATE_PORT);
}

/** What the system starts this program by: an AppImage is another file than the one that runs. */
export function readProgramFile(): string {
  return process.env.APPIMAGE || process.execPath;
}

/** What says how this program is installed. */
export interface InstallEnv {
  readonly platform: NodeJS.Platform;
  /** Beside the program's archive; elsewhere while it is being developed. */
  readonly resourcesPath: string;
  /** The file that this program is, where it is one. */
  readonly appImage: string | undefined;
  /** Where Windows keeps what installers leave for a user. */
  readonly localAppData: string | undefined;
}

export function readInstallEnv(): InstallEnv {
  return {
    platform: process.platform,
    resourcesPath: process.resourcesPath ?? "",
    appImage: process.env.APPIMAGE || undefined,
    localAppData: process.env.LOCALAPPDATA || undefined,
  };
}

export function readLaunchEnv(
  platform: NodeJS.Platform,
  source: NodeJS.ProcessEnv = process.env,
): LaunchEnv {
  const desktopAlways = platform === "darwin" || platform === "win32";
  return {
    hasDisplay: desktopAlways || Boolean(source.DISPLAY || source.WAYLAND_DISPLAY),
    runtimeDir: source.ELECTRON_OVERRIDE_DIST_PATH || undefined,
  };
}

/** The environment for a child: what this process was given, and `additions`. */
export function childEnv(additions: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...additions };
}
