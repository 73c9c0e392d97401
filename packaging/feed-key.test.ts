import { execFileSync, spawnSync } from "node:child_process";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { findFeedKey, requireKeyInside, takeFeedKey } from "./feed-key.ts";

const dir = mkdtempSync(join(tmpdir(), "tillgate-feed-key-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const pemOf = (key: KeyObject) =>
  key.export({ type: key.type === "private" ? "pkcs8" : "spki", format: "pem" }).toString();
const ours = pemOf(publicKey);

it("a build takes the feed's public key from a file or from the environment", async () => {
  const file = join(dir, "feed-key.public.pem");
  writeFileSync(file, ours);
  expect(await findFeedKey(file, {})).toBe(ours);
  expect(await findFeedKey(undefined, { UPDATE_FEED_KEY: `${ours}\n` })).toBe(ours);
  const both = { UPDATE_FEED_KEY: ours, UPDATE_FEED_PRIVATE_KEY: pemOf(privateKey) };
  expect(await findFeedKey(undefined, both)).toBe(ours);
  // A workflow without the variable passes an empty one.
  expect(await findFeedKey("", { UPDATE_FEED_KEY: "" })).toBeUndefined();
});

it.each([
  ["no key at all", { UPDATE_FEED_KEY: "hello" }, "UPDATE_FEED_KEY is no public Ed25519 key"],
  [
    "another kind of key",
    { UPDATE_FEED_KEY: pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey) },
    "UPDATE_FEED_KEY is no public Ed25519 key",
  ],
  ["the private half", { UPDATE_FEED_KEY: pemOf(privateKey) }, "the public half alone"],
  [
    "the half of another pair",
    {
      UPDATE_FEED_KEY: ours,
      UPDATE_FEED_PRIVATE_KEY: pemOf(generateKeyPairSync("ed25519").privateKey),
    },
    "UPDATE_FEED_KEY is not the public half of UPDATE_FEED_PRIVATE_KEY",
  ],
  ["the private half alone", { UPDATE_FEED_PRIVATE_KEY: pemOf(privateKey) }, "is not: a build"],
])("%s is refused, and not said", async (_name, env, message) => {
  const refused = await findFeedKey(undefined, env).catch((error: Error) => error.message);
  expect(refused).toContain(message);
  expect(refused).not.toContain("BEGIN");
});

it("a finished package is opened, and refused without the key or with another", async () => {
  const name = "tillgate-1.0.0-linux-x64";
  const archive = join(dir, `${name}.tar.gz`);
  mkdirSync(join(dir, name, "resources"), { recursive: true });
  const pack = () => execFileSync("tar", ["-czf", archive, "-C", dir, name]);
  pack();
  expect(() => requireKeyInside(archive, ours)).toThrow("does not have the feed's public key");
  await takeFeedKey(join(dir, name), pemOf(generateKeyPairSync("ed25519").publicKey));
  pack();
  expect(() => requireKeyInside(archive, ours)).toThrow("does not have the feed's public key");
  await takeFeedKey(join(dir, name), ours);
  pack();
  expect(() => requireKeyInside(archive, ours)).not.toThrow();
});

it("a build whose key is wrong makes nothing", () => {
  const script = join(import.meta.dirname, "server/dist-server.ts");
  const env = { ...process.env, UPDATE_FEED_KEY: "hello" };
  const out = join(dir, "out");
  const { status, stderr } = spawnSync(process.execPath, [script, "--out", out], {
    env,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([1, "UPDATE_FEED_KEY is no public Ed25519 key in PEM.\n"]);
});
