import { execFileSync } from "node:child_process";
import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { requireSigned } from "../../server/index.ts";
import { VERSION } from "../../server/version.ts";
import { requireWhatIsNew } from "./changelog.ts";
import { makeFeed } from "./feed.ts";

const ROOT = join(import.meta.dirname, "../..");
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-make-feed-"));
});
afterEach(() => rmSync(dir, { recursive: true }));
const read = (name: string) => readFileSync(join(dir, name), "utf8");

describe("a folder of installers", () => {
  const YML = "version: 0.2.0\nfiles:\n  - url: Tillgate-0.2.0.AppImage\n";
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const expires = new Date("2026-04-15T09:30:00.000Z");
  const of = (percent?: number) => ({ version: "0.2.0", percent, privateKey, expires });
  const UNTIL = 'expires: "2026-04-15T09:30:00.000Z"\n';
  beforeEach(() => {
    writeFileSync(join(dir, "latest-linux.yml"), YML);
    writeFileSync(join(dir, "tillgate_0.2.0_amd64.deb"), "");
    writeFileSync(join(dir, "tillgate-0.2.0-linux-x64.tar.gz"), "");
  });

  it("becomes a signed feed that offers the version to more tills with each stage", async () => {
    await makeFeed(dir, of(20));
    expect(read("latest-linux.yml")).toBe(`${YML}${UNTIL}stagingPercentage: 20\n`);
    await makeFeed(dir, of(50));
    expect(read("latest-linux.yml")).toBe(`${YML}${UNTIL}stagingPercentage: 50\n`);
    await makeFeed(dir, of());
    expect(read("latest-linux.yml")).toBe(YML + UNTIL);
    execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: dir });
    expect(read("SHA256SUMS").trim().split("\n")).toHaveLength(6);
    const empty = createHash("sha256").digest("hex");
    const [deb, archive] = ["tillgate_0.2.0_amd64.deb", "tillgate-0.2.0-linux-x64.tar.gz"];
    const sha256 = { [deb]: empty, [archive]: empty };
    const server = {
      version: "0.2.0",
      expires: expires.toISOString(),
      debs: { amd64: deb },
      archives: { x64: archive },
      sha256,
    };
    expect(JSON.parse(read("latest-server.json"))).toEqual(server);
    const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
    for (const name of ["latest-linux.yml", "latest-server.json"]) {
      requireSigned(Buffer.from(read(name)), read(`${name}.sig`), key);
    }
  });

  it("becomes an unsigned feed without a key: an earlier signature is removed, and the missing key is reported", async () => {
    await makeFeed(dir, of());
    const lines = await makeFeed(dir, { ...of(), privateKey: undefined });
    expect(lines.at(-1)).toBe("Not signed: it must be at an https address. It needs --key.");
    expect(() => read("latest-linux.yml.sig")).toThrow("ENOENT");
  });

  it("must not contain installers of another version", async () => {
    await expect(makeFeed(dir, { ...of(), version: "0.3.0" })).rejects.toThrow("is not of 0.3.0");
  });
});

it("requireWhatIsNew finds this version's news in every language, and fails without news", async () => {
  await requireWhatIsNew(ROOT, VERSION);
  await expect(requireWhatIsNew(ROOT, "99.0.0")).rejects.toThrow("says nothing of 99.0.0");
});
