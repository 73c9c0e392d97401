/**
 * Only this file reads the environment in `electron/`. The gateway reads its own settings. An empty variable
 * counts as absent.
 */

/** Facts for the launcher's decision. */
export interface LaunchEnv {
  readonly hasDisplay: boolean;
  /** Directory of a runtime outside node_modules; Electron's own variable. */
  readonly runtimeDir: string | undefined;
}

/** Returns the URL of the renderer in development, set by electron-vite. */
export function readDevServerUrl(): string | undefined {
  return process.env.ELECTRON_RENDERER_URL || undefined;
}

/** Returns the owner's update feed; undefined for none. */
export function readUpdateFeed(): string | undefined {
  return process.env.TILLGATE_UPDATES || undefined;
}

/** Returns whether a port is set; the gateway reads its value. */
export function isPortNamed(): boolean {
  return Boolean(process.env.TILLGATE_PORT);
}

/** Returns the file that the system starts: an AppImage differs from the running file. */
export function readProgramFile(): string {
  return process.env.APPIMAGE || process.execPath;
}

/** Facts about the installation of this program. */
export interface InstallEnv {
  readonly platform: NodeJS.Platform;
  /** Next to the program's archive; elsewhere in development. */
  readonly resourcesPath: string;
  /** The AppImage of this program, if any. */
  readonly appImage: string | undefined;
  /** Folder in which Windows installers store a user's files. */
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

/** Returns the environment of a child: this process's, with `additions`. */
export function childEnv(additions: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...additions };
}
