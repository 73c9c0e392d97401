/**
 * Reads the environment for `electron/`; no other file in it does. An empty variable counts as
 * unset.
 */

export interface LaunchEnv {
  readonly hasDisplay: boolean;
  /** Directory of a runtime outside node_modules, named by Electron's own variable. */
  readonly runtimeDir: string | undefined;
}

export function readDevServerUrl(): string | undefined {
  return process.env.ELECTRON_RENDERER_URL || undefined;
}

export function readUpdateFeed(): string | undefined {
  return process.env.TILLGATE_UPDATES || undefined;
}

/** Returns whether a port is set; the gateway reads its value. */
export function isPortNamed(): boolean {
  return Boolean(process.env.TILLGATE_PORT);
}

/** Returns the file that the system starts. For an AppImage it differs from the running file. */
export function readProgramFile(): string {
  return process.env.APPIMAGE || process.execPath;
}

export interface InstallEnv {
  readonly platform: NodeJS.Platform;
  /** Folder next to the program's archive; another folder in development. */
  readonly resourcesPath: string;
  readonly appImage: string | undefined;
  /** Folder that contains a Windows user's installed programs. */
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

/** Returns this process's environment with `additions`. */
export function childEnv(additions: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...additions };
}
