/**
 * Makes a folder of installers ready to be a feed of updates: what is in it is put on any web server as it is.
 *
 *     node packaging/release/make-feed.ts                          the packages in dist
 *     node packaging/release/make-feed.ts --staging 20             to a fifth of the tills at first
 *     node packaging/release/make-feed.ts --key feed-key.pem       signed, for builds that have the public half
 *     node packaging/release/make-feed.ts --days 30                counts for 30 days, not for 90
 *     node packaging/release/make-feed.ts --new-key DIR            a pair of keys, and nothing else
 */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type NewerVersion, SIGNATURE_SUFFIX, signFeed } from "../../server/index.ts";
import { readPrivateKey } from "../feed-key.ts";
import { readVersion } from "../shipped-libraries.ts";
import { digestOf, writeChecksums } from "./checksums.ts";

/** The installers of one version for updates, as electron-builder lists them: each entry's lines. */
const FILES = /^files:\n(?<entries>(?:[ \t].*\n)+)/m;

/** What a folder of a build has, and a program that was only unpacked has not. */
const INSTALLERS = /^latest.*\.yml$|\.deb$|\.tar\.gz$/;

/** What a desktop program reads: one for each system and processor. */
const DESKTOP_FILE = /^latest.*\.yml$/;
const SERVER_FILE = "latest-server.json";

const ROOT = join(import.meta.dirname, "../..");
const DAY_MS = 86_400_000;
const { values } = parseArgs({
  options: {
    from: { type: "string", default: join(ROOT, "dist") },
    staging: { type: "string" },
    days: { type: "string", default: "90" },
    key: { type: "string" },
    "new-key": { type: "string" },
  },
});

try {
  const dir = values["new-key"];
  if (dir !== undefined) await makeKeys(resolve(dir));
  else await make();
} catch (error) {
  console.error(`No feed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function make(): Promise<void> {
  const { staging, key, from } = values;
  const percent = staging === undefined ? undefined : Number(staging);
  if (percent !== undefined && !(Number.isInteger(percent) && percent >= 1 && percent <= 100)) {
    throw new Error("--staging takes a number from 1 to 100.");
  }
  const days = Number(values.days);
  if (!(Number.isInteger(days) && days >= 1 && days <= 400)) {
    throw new Error("--days takes a number from 1 to 400.");
  }
  const expires = new Date(Date.now() + days * DAY_MS);
  const privateKey =
    key === undefined ? undefined : readPrivateKey(await readFile(key, "utf8"), key);
  const version = await readVersion(ROOT);
  for (const line of await makeFeed(resolve(from), { version, percent, privateKey, expires })) {
    console.log(line);
  }
}

/** The private half signs, and is nowhere but with who makes releases; builds bring the public one. */
async function makeKeys(dir: string): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  await mkdir(dir, { recursive: true });
  const secret = privateKey.export({ type: "pkcs8", format: "pem" });
  const files = { private: join(dir, "feed-key.pem"), public: join(dir, "feed-key.public.pem") };
  await writeFile(files.private, secret, { mode: 0o600, flag: "wx" });
  await writeFile(files.public, publicKey.export({ type: "spki", format: "pem" }));
  console.log(
    `${files.private}: keep it secret, and a copy of it safe\n${files.public}: --feed-key`,
  );
}

interface FeedOptions {
  readonly version: string;
  /** To how many of a hundred tills it goes at first; all of them where it is left out. */
  readonly percent: number | undefined;
  readonly privateKey: KeyObject | undefined;
  /** Until when what is signed counts: it has to be signed again before that. */
  readonly expires: Date;
}

/**
 * Brings the builds in a folder together, and writes into it what says that they are the newest, and signs it. The
 * checksums beside it are then of every file there.
 * @returns a line for each file, and for what is missing
 */
export async function makeFeed(dir: string, options: FeedOptions): Promise<string[]> {
  const { version, percent, privateKey } = options;
  const expires = options.expires.toISOString();
  await gatherBuilds(dir);
  const names = await readdir(dir);
  const written: string[] = [];
  for (const name of names.filter((one) => DESKTOP_FILE.test(one)).toSorted()) {
    const text = await readFile(join(dir, name), "utf8");
    if (!text.includes(`version: ${version}\n`)) throw new Error(`${name} is not of ${version}.`);
    await writeFile(join(dir, name), stage(text, percent, expires));
    written.push(name);
  }
  const debs = Object.fromEntries(
    ["amd64", "arm64"].flatMap((arch) => {
      const deb = `tillgate_${version}_${arch}.deb`;
      return names.includes(deb) ? [[arch, deb]] : [];
    }),
  );
  const archives = Object.fromEntries(
    ["x64", "arm64"].flatMap((arch) => {
      const archive = `tillgate-${version}-linux-${arch}.tar.gz`;
      return names.includes(archive) ? [[arch, archive]] : [];
    }),
  );
  const files = [...Object.values(debs), ...Object.values(archives)];
  if (files.length > 0) {
    const sha256: Record<string, string> = {};
    for (const name of files) sha256[name] = await digestOf(join(dir, name));
    const newest: NewerVersion = { version, expires, debs, archives, sha256 };
    await writeFile(join(dir, SERVER_FILE), `${JSON.stringify(newest, null, 2)}\n`);
    written.push(SERVER_FILE);
  }
  if (written.length === 0) throw new Error(`${dir} has neither installers nor server packages.`);
  for (const name of written) {
    const signature = join(dir, `${name}${SIGNATURE_SUFFIX}`);
    if (!privateKey) await rm(signature, { force: true });
    else await writeFile(signature, signFeed(await readFile(join(dir, name)), privateKey));
  }
  await writeChecksums(dir);
  return [
    ...written,
    `It counts until ${expires}: sign it again before that.`,
    ...(percent === undefined || percent === 100 ? [] : [`To ${percent} of 100 tills.`]),
    ...(privateKey ? [] : ["Not signed: it must be at an https address. It needs --key."]),
  ];
}

function stage(text: string, percent: number | undefined, expires: string): string {
  const plain = text.replaceAll(/^(?:stagingPercentage|expires):.*\n/gm, "").trimEnd();
  const share = percent === undefined || percent === 100 ? "" : `stagingPercentage: ${percent}\n`;
  return `${plain}\nexpires: "${expires}"\n${share}`;
}

/**
 * Brings the builds of several machines together: what lies in folders of its own, one for each build, is
 * moved into the one above. Two builds for one system, one for each processor, write a list of the same
 * name each: they become one with the installers of both.
 * @throws where two builds have different files of one name
 */
export async function gatherBuilds(dir: string): Promise<void> {
  const folders = (await readdir(dir, { withFileTypes: true })).filter((one) => one.isDirectory());
  for (const { name: folder } of folders.toSorted((a, b) => a.name.localeCompare(b.name))) {
    const inside = await readdir(join(dir, folder), { withFileTypes: true });
    if (!inside.some(({ name }) => INSTALLERS.test(name))) continue;
    for (const entry of inside) {
      if (entry.isFile()) await bring(join(dir, folder, entry.name), join(dir, entry.name));
    }
    if ((await readdir(join(dir, folder))).length === 0) {
      await rm(join(dir, folder), { recursive: true });
    }
  }
}

async function bring(from: string, to: string): Promise<void> {
  const there = await readFile(to).catch(() => undefined);
  if (there === undefined) return rename(from, to);
  const other = await readFile(from);
  if (!there.equals(other)) {
    if (!/latest.*\.yml$/.test(to)) {
      throw new Error(`There are two builds of ${to}, and they differ.`);
    }
    await writeFile(to, joinLists(there.toString(), other.toString()));
  }
  await rm(from);
}

/** The first list with the installers that only the second has. */
function joinLists(first: string, second: string): string {
  const known = entriesOf(first);
  const more = entriesOf(second).filter((entry) => !known.includes(entry));
  return first.replace(FILES, () => `files:\n${[...known, ...more].join("")}`);
}

function entriesOf(list: string): string[] {
  const { entries = "" } = FILES.exec(list)?.groups ?? {};
  return entries.split(/^(?= *- )/m).filter((entry) => entry !== "");
}
