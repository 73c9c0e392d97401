/**
 * Makes the packages of the gateway without the desktop app, in `dist`:
 *
 *     node packaging/server/dist-server.ts                 for this machine's processor
 *     node packaging/server/dist-server.ts --arch arm64    for another processor: x64, arm64
 *     node packaging/server/dist-server.ts --out DIR       in a folder other than dist
 *     node packaging/server/dist-server.ts --feed-key feed-key.public.pem   key that verifies
 *                                                          updates; or set UPDATE_FEED_KEY
 *
 * Makes a `tar.gz` for any Linux with Node 24. If `dpkg-deb` is installed, also makes a `.deb` that
 * contains Node.
 */
import { mkdir, stat } from "node:fs/promises";
import { arch } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../../electron/launch/ensure-built.ts";
import { findFeedKey, sayFeedKey } from "../feed-key.ts";
import { makeDeb } from "./deb.ts";
import { makeServerPackage } from "./server-package.ts";

const ROOT = join(import.meta.dirname, "../..");

const { values } = parseArgs({
  options: {
    arch: { type: "string" },
    out: { type: "string" },
    "feed-key": { type: "string" },
  },
});
const wanted = values.arch ?? arch();
if (wanted !== "x64" && wanted !== "arm64") {
  console.error(`There is no package for ${wanted}: --arch takes x64 or arm64.`);
  process.exit(1);
}
const feedKey = await findFeedKey(values["feed-key"], process.env).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
console.log(sayFeedKey(feedKey));
const into = resolve(values.out ?? join(ROOT, "dist"));
await ensureBuilt(ROOT);
await mkdir(into, { recursive: true });
const target = { platform: "linux", arch: wanted } as const;
const made = await makeServerPackage(ROOT, into, target, feedKey);
console.log(await describe(made.archive));
const deb = await makeDeb(ROOT, made, wanted, into);
console.log("file" in deb ? await describe(deb.file) : `No .deb was made: ${deb.missing}`);

async function describe(file: string): Promise<string> {
  const { size } = await stat(file);
  return `${basename(file)}  ${(size / 1024 ** 2).toFixed(1)} MB`;
}
