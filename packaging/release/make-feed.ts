/**
 * Makes an update feed from a folder of installers. Any web server can serve the folder unchanged.
 *
 *     node packaging/release/make-feed.ts                      the packages in dist
 *     node packaging/release/make-feed.ts --staging 20         for a fifth of the tills at first
 *     node packaging/release/make-feed.ts --key feed-key.pem   signed with the private key
 *     node packaging/release/make-feed.ts --days 30            signature valid for 30 days, not 90
 *     node packaging/release/make-feed.ts --new-key DIR        only creates a pair of keys
 */
import { generateKeyPairSync } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readPrivateKey } from "../feed-key.ts";
import { readVersion } from "../shipped-libraries.ts";
import { makeFeed } from "./feed.ts";

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

/** Only the people who make releases have the private key. Builds contain the public key. */
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
