import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join, posix } from "node:path";
import { type Static, Type } from "typebox";
import { findJson } from "../../../lib/checked-json.ts";
import { writeFileWhole } from "../../../lib/write-file.ts";

/** Suffix of signature files, which contain the feed key's signature of a list in base64. */
export const SIGNATURE_SUFFIX = ".sig";
/** File with the feed's public key, in builds that require a signed feed. */
export const FEED_KEY_FILE = "update-feed-key.pem";

/** @returns undefined if this build accepts an unsigned feed */
export async function readFeedKey(resourcesDir: string): Promise<KeyObject | undefined> {
  const pem = await readFile(join(resourcesDir, FEED_KEY_FILE), "utf8").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );
  return pem === undefined ? undefined : createPublicKey(pem);
}

/** @returns content of the signature file for a feed's file */
export function signFeed(bytes: Buffer, privateKey: KeyObject): string {
  return `${sign(null, bytes, privateKey).toString("base64")}\n`;
}

/** @throws Error if the signature does not match the bytes and the key */
export function requireSigned(bytes: Buffer, signature: string, key: KeyObject): void {
  if (verify(null, bytes, key, Buffer.from(signature.trim(), "base64"))) return;
  throw new Error("the feed of updates is not signed with the key that this program knows");
}

/**
 * Requires an unexpired list, because an old copy of a list would hide newer versions.
 * @param expires undefined is allowed only for unsigned feeds
 * @throws Error if the list has expired
 */
export function requireFresh(
  expires: string | undefined,
  { now, isSigned }: { now: number; isSigned: boolean },
): void {
  if (expires === undefined && !isSigned) return;
  const until = Date.parse(expires ?? "");
  if (Number.isNaN(until)) throw new Error("the feed of updates does not say when it expires");
  if (now <= until) return;
  throw new Error(
    `the feed of updates expired on ${expires}: it may hide newer versions until it is signed again`,
  );
}

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Content of the feed's file `latest-server.json` about the newest server. */
export const NewerVersion = Type.Object({
  version: Type.String({ pattern: VERSION.source }),
  /** Expiry in ISO 8601; required in a signed list. */
  expires: Type.Optional(Type.String()),
  /** Debian packages by Debian's names of architectures. */
  debs: Type.Object({
    amd64: Type.Optional(Type.String()),
    arm64: Type.Optional(Type.String()),
  }),
  /** Archives for other systems, by architecture. */
  archives: Type.Optional(
    Type.Object({ x64: Type.Optional(Type.String()), arm64: Type.Optional(Type.String()) }),
  ),
  /** SHA-256 of each file by name, so that the feed's signature also covers the files. */
  sha256: Type.Optional(Type.Record(Type.String(), Type.String({ pattern: "^[0-9a-f]{64}$" }))),
});
export type NewerVersion = Static<typeof NewerVersion>;

/** Returns whether a version is newer. A malformed version is older than every other. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) =>
    (VERSION.exec(text) ?? []).slice(1).map(Number),
  );
  if (one?.length !== 3 || other?.length !== 3) return false;
  for (const [place, number] of one.entries()) {
    const difference = number - (other[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Returns the path of the stored newer version, which an owner's command also reads. */
function noteOf(dataDir: string): string {
  return join(dataDir, "newer-version.json");
}

export async function readNewer(dataDir: string): Promise<NewerVersion | undefined> {
  const text = await readFile(noteOf(dataDir), "utf8").catch(() => undefined);
  return text === undefined ? undefined : findJson(NewerVersion, text);
}

export async function writeNewer(dataDir: string, newest: NewerVersion): Promise<void> {
  await writeFileWhole(noteOf(dataDir), JSON.stringify(newest));
}

export async function forgetNewer(dataDir: string): Promise<void> {
  await rm(noteOf(dataDir), { force: true });
}

export type Installation = "DEBIAN" | "ARCHIVE" | "CONTAINER" | "SOURCES";

interface Here {
  installation: Installation;
  arch: string;
  /** Address of the feed: a folder on a web server, a disk or the network. */
  feed: string;
}

/**
 * Returns the command that downloads a version, compares it with the checksum in the signed feed,
 * and installs it as this program was installed (rules#update-feed).
 */
export function commandFor(newest: NewerVersion, { installation, arch, feed }: Here): string {
  const { version, debs, archives } = newest;
  if (installation === "SOURCES") return `git fetch --tags && git checkout v${version} && npm ci`;
  const name =
    installation === "DEBIAN"
      ? debs[arch === "arm64" ? "arm64" : "amd64"]
      : archives?.[arch === "arm64" ? "arm64" : "x64"];
  // Omits a name that a shell could interpret.
  const isPlain = name !== undefined && /^[A-Za-z0-9][A-Za-z0-9._+-]*\.(deb|tar\.gz)$/.test(name);
  const digest = name === undefined ? undefined : newest.sha256?.[name];
  if (!isPlain || digest === undefined) return `tillgate ${version}`;
  const folder = name.replace(/\.tar\.gz$/, "");
  const steps: Record<Exclude<Installation, "SOURCES">, string[]> = {
    DEBIAN: [`sudo apt install ./${name}`],
    ARCHIVE: [`tar -xzf ${name}`],
    CONTAINER: [
      `tar -xzf ${name}`,
      `docker compose -f ${folder}/container/compose.yaml up -d --build`,
    ],
  };
  return [
    fetch(name, feed),
    `echo "${digest}  ${name}" | sha256sum --check`,
    ...steps[installation],
  ].join(" && ");
}

function fetch(name: string, feed: string): string {
  if (!/^https?:/i.test(feed)) return `cp ${quote(posix.join(feed, name))} .`;
  const url = new URL(name, feed.endsWith("/") ? feed : `${feed}/`);
  // Removes credentials, because the gateway stores the command and shows it to owners.
  url.username = "";
  url.password = "";
  return `wget ${quote(url.href)}`;
}

function quote(word: string): string {
  return /^[\w./:@%+~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
