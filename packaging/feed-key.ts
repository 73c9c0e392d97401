import { spawnSync } from "node:child_process";
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { extractFile, listPackage, uncache } from "@electron/asar";
import { FEED_KEY_FILE } from "../server/index.ts";

/** Where a public build has the two halves, as PEM. */
const PUBLIC_HALF = "UPDATE_FEED_KEY";
const PRIVATE_HALF = "UPDATE_FEED_PRIVATE_KEY";

/**
 * The public key that a build believes a feed of updates by, as PEM: of the file, or else of the environment.
 * Where the private half is there too, the two have to belong together.
 * @returns undefined where there is none
 * @throws Error naming what holds no such key
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

/** @throws Error naming where it is from; never the text itself, which may be a secret */
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

/** Brings the public key along that a build believes a feed of updates by; none where there is none. */
export async function takeFeedKey(folder: string, pem: string | undefined): Promise<void> {
  if (pem === undefined) return;
  await writeFile(join(folder, "resources", FEED_KEY_FILE), pem);
}

/**
 * Opens what a release made (a `tar.gz`, a `.deb` of the server, a desktop program's `app.asar`), and looks for the key
 * where the program will.
 * @throws Error when it has none, or another one
 */
export function requireKeyInside(archive: string, pem: string): void {
  if (readKeyInside(archive) === pem) return;
  throw new Error(
    `${basename(archive)} does not have the feed's public key: it would believe another feed, or none.`,
  );
}

/** @returns undefined, or nothing, where there is none */
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
  // What a list of it said before is kept, and it may have been made anew.
  uncache(archive);
  if (!listPackage(archive, { isPack: false }).includes(`${sep}${file}`)) return undefined;
  return extractFile(archive, file).toString("utf8");
}

/** What a build says of it. */
export function sayFeedKey(pem: string | undefined): string {
  return pem === undefined
    ? "No key of the feed: it believes one at an https address alone. It needs --feed-key."
    : "It believes the feed that is signed with the key.";
}
