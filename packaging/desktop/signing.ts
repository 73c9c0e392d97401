import { sayFeedKey } from "../feed-key.ts";
import type { Signing } from "./builder-config.ts";
import type { DesktopPlatform } from "./packed-folder.ts";

export function readSigning(env: Readonly<Record<string, string | undefined>>): Signing {
  return {
    windows: Boolean(env.WIN_CSC_LINK || env.CSC_LINK),
    mac: Boolean(env.CSC_LINK || env.CSC_NAME),
    notarised: Boolean(env.APPLE_API_KEY || (env.APPLE_ID && env.APPLE_APP_SPECIFIC_PASSWORD)),
  };
}

interface Order {
  readonly platform: DesktopPlatform;
  readonly signing: Signing;
  readonly feed: string | undefined;
  readonly feedKey: string | undefined;
}

/** Returns a line for each skipped step, with the missing variable. */
export function sayWhatIsMissing({ platform, signing, feed, feedKey }: Order): string[] {
  const lines: string[] = [];
  if (platform === "win32" && !signing.windows) {
    lines.push("Not signed: Windows warns who installs it. It needs WIN_CSC_LINK.");
  }
  if (platform === "darwin" && !signing.mac) {
    lines.push("Not signed: macOS does not start it. It needs CSC_LINK, on a Mac.");
  }
  if (platform === "darwin" && !signing.notarised) {
    lines.push("Not notarised: macOS warns who opens it. It needs APPLE_API_KEY, on a Mac.");
  }
  if (feed === undefined) lines.push("No feed: it finds no updates. It needs --feed.");
  else if (feedKey === undefined) {
    lines.push(sayFeedKey(feedKey));
  }
  return lines;
}

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
