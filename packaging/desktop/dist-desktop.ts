/**
 * Makes the desktop program in `dist`:
 *
 *     node packaging/desktop/dist-desktop.ts                    for this machine
 *     node packaging/desktop/dist-desktop.ts --arch arm64       for another processor
 *     node packaging/desktop/dist-desktop.ts --folder           without installers
 *     node packaging/desktop/dist-desktop.ts --feed https://example.com/tillgate   update feed's URL
 *     node packaging/desktop/dist-desktop.ts --feed-key feed-key.public.pem   verifies the feed
 *     node packaging/desktop/dist-desktop.ts --stand-in         with a placeholder for Electron
 *     node packaging/desktop/dist-desktop.ts --release          for shops; requires the feed's key
 *
 * Signing is configured with electron-builder's environment variables (`CSC_LINK`, `WIN_CSC_LINK`,
 * `APPLE_ID`, …). Prints one line for each step that this machine cannot do.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../../electron/launch/ensure-built.ts";
import { findFeedKey } from "../feed-key.ts";
import { readVersion } from "../shipped-libraries.ts";
import {
  makeDesktopPackage,
  makeStandInRuntime,
  readSigning,
  sayWhatIsMissing,
  sayWhyNotMade,
  sayWrongSystem,
} from "./desktop-package.ts";
import type { DesktopPlatform } from "./packed-folder.ts";

const ROOT = join(import.meta.dirname, "../..");

const { values } = parseArgs({
  options: {
    platform: { type: "string", default: process.platform },
    arch: { type: "string", default: process.arch },
    out: { type: "string", default: join(ROOT, "dist") },
    feed: { type: "string" },
    "feed-key": { type: "string" },
    folder: { type: "boolean", default: false },
    "stand-in": { type: "boolean", default: false },
    release: { type: "boolean", default: false },
  },
});
const { platform, arch } = values;
// A public build without a feed passes an empty value.
const feed = values.feed || undefined;
if (!isPlatform(platform) || (arch !== "x64" && arch !== "arm64")) {
  console.error("--platform takes linux, win32 or darwin; --arch takes x64 or arm64.");
  process.exit(1);
}
if (platform !== process.platform) {
  console.error(sayWrongSystem(platform));
  process.exit(1);
}
const into = resolve(values.out);
const feedKey = await findFeedKey(values["feed-key"], process.env).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
if (values.release && feedKey === undefined) {
  console.error(
    "Not to be released: it needs the feed's public key, UPDATE_FEED_KEY or --feed-key FILE. Without it the program would believe any feed at an https address.",
  );
  process.exit(1);
}
await ensureBuilt(ROOT);
const signing = readSigning(process.env);
for (const line of sayWhatIsMissing({ platform, signing, feed, feedKey })) {
  console.log(line);
}
const runtime = values["stand-in"] ? join(into, "stand-in-runtime") : undefined;
if (runtime !== undefined) {
  await makeStandInRuntime(runtime, await readVersion(join(ROOT, "node_modules/electron")));
  console.log("Electron is a stand-in: what is made can be looked into, and not started.");
}
const made = await makeDesktopPackage(ROOT, into, {
  platform,
  arch,
  onlyFolder: values.folder,
  runtime,
  feed,
  feedKey,
  signing,
}).catch((error: unknown) => {
  console.error(sayWhyNotMade(error, platform));
  process.exit(1);
});
console.log([made.folder, ...made.installers].join("\n"));

function isPlatform(name: string): name is DesktopPlatform {
  return name === "linux" || name === "win32" || name === "darwin";
}
