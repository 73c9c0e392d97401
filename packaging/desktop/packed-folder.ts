import type { Target } from "../shipped-libraries.ts";

export type DesktopPlatform = "linux" | "win32" | "darwin";

export function packedFolder(platform: DesktopPlatform, arch: Target["arch"]): string {
  const suffix = arch === "x64" ? "" : `-${arch}`;
  if (platform === "darwin") return `mac${suffix}`;
  return `${platform === "win32" ? "win" : platform}${suffix}-unpacked`;
}

export function fusedProgram(platform: DesktopPlatform): string {
  return { linux: "tillgate", win32: "Tillgate.exe", darwin: "Tillgate.app" }[platform];
}
