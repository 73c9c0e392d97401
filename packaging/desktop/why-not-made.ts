import type { DesktopPlatform } from "./packed-folder.ts";

const FETCHED: Record<DesktopPlatform, string> = {
  linux: "Electron's runtime and what makes AppImage and .deb (fpm)",
  win32: "Electron's runtime and what makes a setup program (NSIS)",
  darwin: "Electron's runtime and what makes a disk image",
};
const SYSTEMS: Record<DesktopPlatform, string> = {
  linux: "Linux",
  win32: "Windows",
  darwin: "macOS",
};

export function sayWhyNotMade(error: unknown, platform: DesktopPlatform): string {
  const message = error instanceof Error ? error.message : String(error);
  const [reason = ""] = message.split("\n");
  if (!isOfNetwork(error)) return `Not made: ${reason}`;
  return `Not made: ${reason}. It needs the network once: ${FETCHED[platform]} come from github.com, or from ELECTRON_MIRROR and ELECTRON_BUILDER_BINARIES_MIRROR. --stand-in --folder checks all else without.`;
}

export function sayWrongSystem(platform: DesktopPlatform): string {
  const system = SYSTEMS[platform];
  return `Not made: a program for ${system} needs a machine with ${system}, such as the workflow's (.github/workflows/release.yml): its packer takes that system's own tools.`;
}

function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EPROTO|CERT_\w+|ERR_NON_2XX_3XX_RESPONSE)$/.test(
      code,
    ) || /^(RequestError|TimeoutError|HTTPError)$/.test(error.name)
  );
}
