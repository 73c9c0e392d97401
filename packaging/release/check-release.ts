/**
 * `npm run release:check`: checks whether this version can be released, and makes its packages in
 * `dist`. All version numbers must be equal, and all licences allowed. `--tag v1.2.3` requires that
 * the changelog contains this version with a date, and that the feed's key is given
 * (`UPDATE_FEED_KEY`, `--feed-key`).
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../../electron/launch/ensure-built.ts";
import { VERSION } from "../../server/version.ts";
import { findFeedKey, requireKeyInside, sayFeedKey } from "../feed-key.ts";
import { makeDeb } from "../server/deb.ts";
import { makeServerPackage } from "../server/server-package.ts";
import { readVersion } from "../shipped-libraries.ts";
import { writeBillOfMaterials } from "./bill-of-materials.ts";
import { readReleaseNotes, requireWhatIsNew } from "./changelog.ts";
import { writeChecksums } from "./checksums.ts";
import { makeClientPackage } from "./client-package.ts";

const ROOT = join(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: {
    tag: { type: "string" },
    "feed-key": { type: "string" },
    out: { type: "string", default: join(ROOT, "dist") },
  },
});

try {
  await checkRelease(resolve(values.out), values.tag);
} catch (error) {
  console.error(`Not to be released: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function checkRelease(into: string, tag: string | undefined): Promise<void> {
  const feedKey = await findFeedKey(values["feed-key"], process.env);
  if (tag !== undefined && feedKey === undefined) {
    throw new Error(
      `${tag} needs the feed's public key: UPDATE_FEED_KEY, or --feed-key FILE. Without it no later version could bring one by a feed of the shop's network.`,
    );
  }
  const version = await readVersion(ROOT);
  if (version !== VERSION) {
    throw new Error(`package.json says ${version}, server/version.ts ${VERSION}.`);
  }
  const notes = readReleaseNotes(await readFile(join(ROOT, "CHANGELOG.md"), "utf8"), version);
  if (tag !== undefined && (tag !== `v${version}` || notes.date === undefined)) {
    throw new Error(
      `${tag} needs version ${tag.slice(1)} in package.json, with a date in CHANGELOG.md.`,
    );
  }
  await requireWhatIsNew(ROOT, version);
  console.log(`${version}, ${notes.date ?? "not dated yet"}`);
  console.log(sayFeedKey(feedKey));
  await ensureBuilt(ROOT);
  await mkdir(into, { recursive: true });
  for (const arch of ["x64", "arm64"] as const) {
    const made = await makeServerPackage(ROOT, into, { platform: "linux", arch }, feedKey);
    const deb = await makeDeb(ROOT, made, arch, into);
    if (feedKey !== undefined) requireKeyInside(made.archive, feedKey);
    const bill = writeBillOfMaterials(version, made.libraries);
    await writeFile(join(into, `tillgate-${version}-linux-${arch}.cdx.json`), bill);
    if ("missing" in deb) console.log(`No .deb was made: ${deb.missing}`);
    else {
      if (feedKey !== undefined) requireKeyInside(deb.file, feedKey);
      const withNode = writeBillOfMaterials(version, [...made.libraries, deb.node]);
      await writeFile(deb.file.replace(/\.deb$/, ".cdx.json"), withNode);
    }
    console.log(`${arch}: ${made.libraries.length} libraries, each with a licence that allows it`);
  }
  console.log(`client: ${basename(await makeClientPackage(ROOT, into, version))}`);
  const names = await writeChecksums(into);
  console.log(`SHA256SUMS: ${names.join(", ")}`);
}
