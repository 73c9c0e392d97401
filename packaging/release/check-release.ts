/**
 * `npm run release:check`: whether this version can be given to shops, and what goes with it. The
 * version is one and has its notes; nothing ships whose licence forbids it; then it makes the server's
 * packages in `dist`, with a bill of materials and checksums beside them. `--tag v1.2.3` asks for a
 * version that is dated, bears this name, and brings the key of its feed (`UPDATE_FEED_KEY`, `--feed-key`).
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../../electron/launch/ensure-built.ts";
import { LANGUAGES } from "../../server/contract/pos/setup.ts";
import { VERSION } from "../../server/version.ts";
import { findFeedKey, requireKeyInside, sayFeedKey } from "../feed-key.ts";
import { makeDeb } from "../server/deb.ts";
import { makeServerPackage } from "../server/server-package.ts";
import { readVersion } from "../shipped-libraries.ts";
import { writeBillOfMaterials } from "./bill-of-materials.ts";
import { writeChecksums } from "./checksums.ts";

/** Read at a till: more than this is not. */
const MOST_SENTENCES = 6;

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
  const names = await writeChecksums(into);
  console.log(`SHA256SUMS: ${names.join(", ")}`);
}

/** What users read of a version. */
interface ReleaseNotes {
  /** `YYYY-MM-DD`; undefined while it is not released. */
  readonly date: string | undefined;
  readonly text: string;
}

/** @throws Error where the version has no heading of its own, or nothing below it */
export function readReleaseNotes(changelog: string, version: string): ReleaseNotes {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((one) => one.startsWith(`${version} (`));
  if (part === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version} (…)".`);
  const [heading = "", ...lines] = part.split("\n");
  const text = lines.join("\n").trim();
  if (text === "") throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  const inBrackets = /\((.*)\)$/.exec(heading)?.[1] ?? "";
  if (inBrackets === "unreleased") return { date: undefined, text };
  if (!/^\d{4}-\d{2}-\d{2}$/.test(inBrackets)) {
    throw new Error(`CHANGELOG.md dates ${version} as "${inBrackets}": YYYY-MM-DD or unreleased.`);
  }
  return { date: inBrackets, text };
}

/** @throws Error where what people are told of a version after its update is not there in a language */
export async function requireWhatIsNew(root: string, version: string): Promise<void> {
  const counts = new Set<number>();
  for (const language of LANGUAGES) {
    const name = `resources/whats-new/${language}.json`;
    const news = JSON.parse(await readFile(join(root, name), "utf8")) as Record<string, string[]>;
    const sentences = news[version] ?? [];
    if (sentences.length === 0) throw new Error(`${name} says nothing of ${version}.`);
    if (sentences.length > MOST_SENTENCES) {
      throw new Error(`${name} has more than ${MOST_SENTENCES} sentences of ${version}.`);
    }
    counts.add(sentences.length);
  }
  if (counts.size > 1) throw new Error(`resources/whats-new says ${version} by languages apart.`);
}
