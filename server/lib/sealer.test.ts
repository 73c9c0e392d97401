import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileSealer, SealError, type Sealer, sealKeyFile } from "./sealer.ts";

let dir: string;
let file: string;
let sealer: Sealer;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-sealer-"));
  file = sealKeyFile(dir);
  sealer = createFileSealer(dir);
});
afterEach(() => rmSync(dir, { recursive: true }));

function sealErrorOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(SealError);
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}

describe("sealed secret", () => {
  it("can be decrypted, does not contain its text, and differs each time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        const sealed = sealer.seal(text);
        expect(createFileSealer(dir).open(sealed)).toBe(text);
        expect(sealed).not.toBe(sealer.seal(text));
        expect(sealed).toMatch(/^1\.[0-9a-f]{16}\.[\w-]+$/);
      }),
      { numRuns: 50 },
    );
    expect(sealer.seal("Bearer abc")).not.toContain("Bearer");
  });

  it("cannot be opened after any character was changed", () => {
    const sealed = sealer.seal("whsec_secret");
    const [version, keyId, packed = ""] = sealed.split(".");
    const bytes = Buffer.from(packed, "base64url");
    for (let n = 0; n < bytes.length; n++) {
      const changed = Buffer.from(bytes);
      changed[n] = (changed[n] ?? 0) ^ 1;
      const text = `${version}.${keyId}.${changed.toString("base64url")}`;
      expect(sealErrorOf(() => sealer.open(text))).toMatch(/Enter it again/);
    }
    for (const text of ["", "1", "1.x", `2.${keyId}.${packed}`, `1.${keyId}.`]) {
      sealErrorOf(() => sealer.open(text));
    }
  });
});

describe("key file of a sealer", () => {
  it("appears at the first use, is readable only by its owner, and never changes", () => {
    expect(readdirSync(dir)).toEqual([]);
    sealer.seal("a");
    const key = readFileSync(file);
    expect(key).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    createFileSealer(dir).seal("b");
    expect(readFileSync(file)).toEqual(key);
    expect(readdirSync(dir)).toEqual(["secrets.key"]);
  });

  it.skipIf(process.platform === "win32")(
    "causes an error with the remedy if other users can read it",
    () => {
      const sealed = sealer.seal("a");
      for (const mode of [0o640, 0o604, 0o660]) {
        chmodSync(file, mode);
        expect(sealErrorOf(() => sealer.open(sealed))).toContain(`chmod 600 '${file}'`);
        sealErrorOf(() => sealer.seal("b"));
      }
      chmodSync(file, 0o600);
      expect(sealer.open(sealed)).toBe("a");
    },
  );

  it("causes an error that names the file and the secrets to enter again if the file is missing or replaced", () => {
    const sealed = sealer.seal("a");
    rmSync(file);
    expect(sealErrorOf(() => sealer.open(sealed))).toMatch(
      /secrets\.key is missing: its secrets \(of webhooks and providers\) .*enter the secrets again/,
    );
    expect(sealer.open(sealer.seal("b"))).toBe("b");
    expect(sealErrorOf(() => sealer.open(sealed))).toMatch(/is not the one it was sealed with/);
  });

  it("stays unchanged if it is unusable, and causes an error", () => {
    writeFileSync(file, "short", { mode: 0o600 });
    expect(sealErrorOf(() => sealer.seal("a"))).toMatch(/is damaged/);
    expect(readFileSync(file, "utf8")).toBe("short");
    rmSync(file);
    mkdirSync(file, { mode: 0o700 });
    expect(sealErrorOf(() => sealer.seal("a"))).toMatch(/cannot be read \(EISDIR\)/);
    const nowhere = createFileSealer(join(dir, "nowhere"));
    expect(sealErrorOf(() => nowhere.seal("a"))).toMatch(/cannot be written \(ENOENT\)/);
  });
});
