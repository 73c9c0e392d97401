import { execFileSync, spawnSync } from "node:child_process";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createPackage } from "@electron/asar";
import { afterAll, describe, expect, it } from "vitest";
import { findFeedKey, requireKeyInside, takeFeedKey } from "./feed-key.ts";

const dir = mkdtempSync(join(tmpdir(), "tillgate-feed-key-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const pemOf = (key: KeyObject) =>
  key.export({ type: key.type === "private" ? "pkcs8" : "spki", format: "pem" }).toString();
const ours = pemOf(publicKey);

it("a build reads the feed's public key from a file or from the environment", async () => {
  const file = join(dir, "feed-key.public.pem");
  writeFileSync(file, ours);
  expect(await findFeedKey(file, {})).toBe(ours);
  expect(await findFeedKey(undefined, { UPDATE_FEED_KEY: `${ours}\n` })).toBe(ours);
  const both = { UPDATE_FEED_KEY: ours, UPDATE_FEED_PRIVATE_KEY: pemOf(privateKey) };
  expect(await findFeedKey(undefined, both)).toBe(ours);
  // A workflow passes an empty value if the variable is not set.
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
])("findFeedKey refuses %s without printing the key", async (_name, env, message) => {
  const refused = await findFeedKey(undefined, env).catch((error: Error) => error.message);
  expect(refused).toContain(message);
  expect(refused).not.toContain("BEGIN");
});

it("requireKeyInside accepts a server archive only with the right key", async () => {
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

describe("requireKeyInside", () => {
  const cases: [string, string | undefined, boolean][] = [
    ["none", undefined, false],
    ["another", pemOf(generateKeyPairSync("ed25519").publicKey), false],
    ["the key", ours, true],
  ];

  function expectKey(archive: string, isInside: boolean): void {
    const check = () => requireKeyInside(archive, ours);
    if (isInside) expect(check).not.toThrow();
    else expect(check).toThrow(`${basename(archive)} does not have the feed's public key`);
  }

  it.each(cases)("checks a desktop program with %s", async (_which, key, isInside) => {
    const program = join(dir, "program");
    rmSync(program, { recursive: true, force: true });
    mkdirSync(join(program, "resources"), { recursive: true });
    writeFileSync(join(program, "resources/other"), "");
    await takeFeedKey(program, key);
    const archive = join(dir, "app.asar");
    await createPackage(program, archive);
    expectKey(archive, isInside);
  });

  it.runIf(existsSync("/usr/bin/dpkg-deb")).each(cases)(
    "checks a .deb of the server with %s",
    async (_which, key, isInside) => {
      const tree = join(dir, "deb");
      rmSync(tree, { recursive: true, force: true });
      for (const folder of ["DEBIAN", "usr/lib/tillgate/resources"]) {
        mkdirSync(join(tree, folder), { recursive: true });
      }
      const control = "Package: tillgate\nVersion: 1\nArchitecture: all\nMaintainer: T\n";
      writeFileSync(join(tree, "DEBIAN/control"), `${control}Description: T\n`);
      await takeFeedKey(join(tree, "usr/lib/tillgate"), key);
      const archive = join(dir, "tillgate_1_all.deb");
      execFileSync("dpkg-deb", ["--build", tree, archive]);
      expectKey(archive, isInside);
    },
  );
});

it("building a desktop program for shops fails without the feed's key", {
  tags: ["thorough"],
}, () => {
  const script = join(import.meta.dirname, "desktop/dist-desktop.ts");
  const out = join(dir, "desktop-out");
  const { status, stderr } = spawnSync(process.execPath, [script, "--release", "--out", out], {
    encoding: "utf8",
    env: { ...process.env, UPDATE_FEED_KEY: "", UPDATE_FEED_PRIVATE_KEY: "" },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Not to be released: it needs the feed's public key, UPDATE_FEED_KEY/);
  expect(existsSync(out)).toBe(false);
});

it("a build with an invalid feed key produces no files", () => {
  const script = join(import.meta.dirname, "server/dist-server.ts");
  const env = { ...process.env, UPDATE_FEED_KEY: "hello" };
  const out = join(dir, "out");
  const { status, stderr } = spawnSync(process.execPath, [script, "--out", out], {
    env,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([1, "UPDATE_FEED_KEY is no public Ed25519 key in PEM.\n"]);
});
