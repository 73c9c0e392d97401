import { spawnSync } from "node:child_process";
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { extractFile, listPackage, uncache } from "@electron/asar";
import { FEED_KEY_FILE } from "../server/index.ts";

const PUBLIC_HALF = "UPDATE_FEED_KEY";
const PRIVATE_HALF = "UPDATE_FEED_PRIVATE_KEY";

/**
 * Reads the public key (PEM) that verifies the update feed, from the file or the environment. If
 * the environment also contains a private key, the two must match.
 * @returns undefined if neither file nor variable is set
 * @throws Error that names the file or variable without a valid key
 */
export async function findFeedKey(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const text = file ? await readFile(file, "utf8") : env[PUBLIC_HALF]?.trim();
  if (!text) {
    if (!env[PRIVATE_HALF]?.trim()) return undefined;
    throw new Error(`${PRIVATE_HALF} is set, and ${PUBLIC_HALF} is not: a build needs that one.`);
  }
  const key = readPublicKey(text, file || PUBLIC_HALF);
  const secret = env[PRIVATE_HALF]?.trim();
  if (secret && !key.equals(createPublicKey(readPrivateKey(secret, PRIVATE_HALF)))) {
    throw new Error(`${file || PUBLIC_HALF} is not the public half of ${PRIVATE_HALF}.`);
  }
  return key.export({ type: "spki", format: "pem" }).toString();
}

/** @throws Error that names the source of the text, without the text, which may be secret */
export function readPrivateKey(text: string, from: string): KeyObject {
  const key = readKey(() => createPrivateKey(text));
  if (key?.asymmetricKeyType === "ed25519") return key;
  throw new Error(`${from} is no private Ed25519 key in PEM.`);
}

function readPublicKey(text: string, from: string): KeyObject {
  if (text.includes("PRIVATE KEY")) {
    throw new Error(`${from} is a private key: a build takes the public half alone.`);
  }
  const key = readKey(() => createPublicKey(text));
  if (key?.asymmetricKeyType === "ed25519") return key;
  throw new Error(`${from} is no public Ed25519 key in PEM.`);
}

function readKey(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export async function takeFeedKey(folder: string, pem: string | undefined): Promise<void> {
  if (pem === undefined) return;
  await writeFile(join(folder, "resources", FEED_KEY_FILE), pem);
}

/**
 * Checks that a release's archive (`tar.gz`, `.deb` or `app.asar`) contains the key at the path
 * where the program reads it.
 * @throws Error if the key is missing or differs
 */
export function requireKeyInside(archive: string, pem: string): void {
  if (readKeyInside(archive) === pem) return;
  throw new Error(
    `${basename(archive)} does not have the feed's public key: it would believe another feed, or none.`,
  );
}

function readKeyInside(archive: string): string | undefined {
  const file = `resources/${FEED_KEY_FILE}`;
  if (archive.endsWith(".asar")) return readFromAsar(archive, join(file));
  const [command, ...args] = archive.endsWith(".deb")
    ? ["sh", "-c", FROM_DEB, "sh", archive, `./usr/lib/tillgate/${file}`]
    : ["tar", "-xzOf", archive, `${basename(archive, ".tar.gz")}/${file}`];
  return spawnSync(command, args, { encoding: "utf8" }).stdout;
}

const FROM_DEB = 'dpkg-deb --fsys-tarfile "$1" | tar -xOf - "$2"';

function readFromAsar(archive: string, file: string): string | undefined {
  // Clears the library's cached file list, because a build may have changed the archive.
  uncache(archive);
  if (!listPackage(archive, { isPack: false }).includes(`${sep}${file}`)) return undefined;
  return extractFile(archive, file).toString("utf8");
}

export function sayFeedKey(pem: string | undefined): string {
  return pem === undefined
    ? "No key of the feed: it believes one at an https address alone. It needs --feed-key."
    : "It believes the feed that is signed with the key.";
}
