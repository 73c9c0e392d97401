import { execFileSync, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FEED_KEY_FILE } from "../../server/index.ts";
import { VERSION } from "../../server/version.ts";
import { readReleaseNotes } from "./changelog.ts";

const dir = mkdtempSync(join(tmpdir(), "tillgate-release-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function check(args: readonly string[] = [], key?: string) {
  const script = join(import.meta.dirname, "check-release.ts");
  const env = { ...process.env, ...(key !== undefined && { UPDATE_FEED_KEY: key }) };
  return spawnSync(process.execPath, [script, "--out", dir, ...args], { encoding: "utf8", env });
}

describe("a release", () => {
  it("contains packages for both processors, with checksums and bills of materials", () => {
    const { stdout, stderr, status } = check();
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("No key of the feed");
    expect(stdout).toContain(VERSION);
    const names = readFileSync(join(dir, "SHA256SUMS"), "utf8");
    // Only the `.deb` contains Node.
    for (const arch of stdout.includes("No .deb was made") ? [] : ["amd64", "arm64"]) {
      const file = `tillgate_${VERSION}_${arch}.cdx.json`;
      expect(names).toContain(file);
      const { components } = JSON.parse(readFileSync(join(dir, file), "utf8"));
      const version = process.versions.node;
      expect(components).toContainEqual(expect.objectContaining({ name: "node", version }));
    }
    execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: dir });
    for (const arch of ["x64", "arm64"]) {
      const name = `tillgate-${VERSION}-linux-${arch}`;
      expect(readFileSync(join(dir, "SHA256SUMS"), "utf8")).toContain(`${name}.tar.gz`);
      expect(statSync(join(dir, `${name}.tar.gz`)).size).toBeLessThan(15 * 1024 ** 2);
      const bill = JSON.parse(readFileSync(join(dir, `${name}.cdx.json`), "utf8"));
      expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
      expect(bill.metadata.component).toMatchObject({ name: "tillgate", version: VERSION });
      const named = new Map(
        bill.components.map((one: { "bom-ref": string }) => [one["bom-ref"], one]),
      );
      // One bundled library, one copied library, and one library of the pages.
      for (const library of ["fastify", "better-sqlite3", "react"]) {
        const { version } = JSON.parse(
          readFileSync(
            join(import.meta.dirname, `../../node_modules/${library}/package.json`),
            "utf8",
          ),
        );
        expect(named.get(`${library}@${version}`)).toMatchObject({
          purl: `pkg:npm/${library}@${version}`,
          licenses: [{ license: { id: "MIT" } }],
        });
      }
    }
  });

  it("requires a changelog section with the version and a date if there is a tag", () => {
    const { publicKey } = generateKeyPairSync("ed25519");
    const key = publicKey.export({ type: "spki", format: "pem" }).toString();
    const { stderr, status } = check(["--tag", "v99.0.0"], key);
    expect([status, stderr]).toEqual([1, expect.stringContaining("v99.0.0 needs version 99.0.0")]);
  });

  it("requires the feed's public key if there is a tag", () => {
    const { stderr, status } = check(["--tag", `v${VERSION}`]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`v${VERSION} needs the feed's public key: UPDATE_FEED_KEY`),
    ]);
    const wrong = check([], "hello");
    expect([wrong.status, wrong.stderr]).toEqual([
      1,
      "Not to be released: UPDATE_FEED_KEY is no public Ed25519 key in PEM.\n",
    ]);
  });
});

it("a release built with a feed key contains the key in its packages", () => {
  const { publicKey } = generateKeyPairSync("ed25519");
  const key = publicKey.export({ type: "spki", format: "pem" }).toString();
  const { status, stderr } = check([], key);
  expect(status, stderr).toBe(0);
  const name = `tillgate-${VERSION}-linux-x64`;
  const file = `${name}/resources/${FEED_KEY_FILE}`;
  const inside = execFileSync("tar", ["-xzOf", join(dir, `${name}.tar.gz`), file]).toString();
  expect(inside).toBe(key);
});

describe("the notes of a version", () => {
  const of = (heading: string, text = "- Something for shops.\n") =>
    `# Changelog\n\n${heading}\n\n${text}\n## 0.9.0 (2026-01-02)\n\n- Old.\n`;

  it("contain only the section of the version", () => {
    expect(readReleaseNotes(of("## 1.0.0 (2026-11-23)"), "1.0.0")).toEqual({
      date: "2026-11-23",
      text: "- Something for shops.",
    });
    expect(readReleaseNotes(of("## 1.0.0 (unreleased)"), "1.0.0").date).toBeUndefined();
  });

  it("cause an error if they are missing, empty or not dated", () => {
    expect(() => readReleaseNotes(of("## 1.0.1 (unreleased)"), "1.0.0")).toThrow("no heading");
    expect(() => readReleaseNotes(of("## 1.0.0 (unreleased)", ""), "1.0.0")).toThrow("nothing");
    expect(() => readReleaseNotes(of("## 1.0.0 (soon)"), "1.0.0")).toThrow('dates 1.0.0 as "soon"');
  });
});
