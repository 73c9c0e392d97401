/** No other file in `electron/` reads the environment. An empty variable counts as unset. */

export interface LaunchEnv {
  readonly hasDisplay: boolean;
  /** Folder of an Electron runtime outside node_modules, from Electron's own variable. */
  readonly runtimeDir: string | undefined;
}

export function readDevServerUrl(): string | undefined {
  return process.env.ELECTRON_RENDERER_URL || undefined;
}

export function readUpdateFeed(): string | undefined {
  return process.env.TILLGATE_UPDATES || undefined;
}

export function isPortNamed(): boolean {
  return Boolean(process.env.TILLGATE_PORT);
}

/**
 * Returns the program file that the system starts. For an AppImage this is not the running
 * executable.
 */
export function readProgramFile(): string {
  return process.env.APPIMAGE || process.execPath;
}

export interface InstallEnv {
  readonly platform: NodeJS.Platform;
  /** Folder beside the app's archive. In development it is a folder of Electron's runtime. */
  readonly resourcesPath: string;
  readonly appImage: string | undefined;
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

export function childEnv(additions: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...additions };
}
