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
