import type { KeyObject } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type NewerVersion, SIGNATURE_SUFFIX, signFeed } from "../../server/index.ts";
import { digestOf, writeChecksums } from "./checksums.ts";

/** The lines about installers in electron-builder's list. */
const FILES = /^files:\n(?<entries>(?:[ \t].*\n)+)/m;

/** Files that a folder contains only if it is a build, not an unpacked program. */
const INSTALLERS = /^latest.*\.yml$|\.deb$|\.tar\.gz$/;

/**
 * Merges the builds of several machines: moves the files of each build into the parent folder, and
 * merges the lists of two builds for one system.
 * @throws Error if two builds have different files of one name
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

function joinLists(first: string, second: string): string {
  const known = entriesOf(first);
  const more = entriesOf(second).filter((entry) => !known.includes(entry));
  return first.replace(FILES, () => `files:\n${[...known, ...more].join("")}`);
}

function entriesOf(list: string): string[] {
  const { entries = "" } = FILES.exec(list)?.groups ?? {};
  return entries.split(/^(?= *- )/m).filter((entry) => entry !== "");
}

export interface FeedOptions {
  readonly version: string;
  /** Percentage of tills to which the version is offered first; undefined for all tills. */
  readonly percent: number | undefined;
  readonly privateKey: KeyObject | undefined;
  /** The feed must be signed again before its signature expires. */
  readonly expires: Date;
}

/**
 * Names of the lists that the desktop program reads: the newest version for one system and
 * processor.
 */
const DESKTOP_FILE = /^latest.*\.yml$/;
const SERVER_FILE = "latest-server.json";

/**
 * Merges the builds in a folder, lists them as the newest version, and signs the lists.
 * @returns a line for each file, and for each missing file
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
