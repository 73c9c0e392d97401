import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Icons, makeIcons } from "./desktop-package.ts";

const dir = mkdtempSync(join(tmpdir(), "tillgate-icons-"));
let icons: Icons;
beforeAll(async () => {
  icons = await makeIcons(dir);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function sizeOf(png: Buffer): [number, number] {
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

it("the Linux icons are one picture per size, named by the size", () => {
  const sizes = readdirSync(icons.linux).map((name) => {
    const [size = 0] = /^\d+/.exec(name)?.map(Number) ?? [];
    expect(sizeOf(readFileSync(join(icons.linux, name)))).toEqual([size, size]);
    return size;
  });
  expect(sizes.toSorted((a, b) => a - b)).toEqual([16, 24, 32, 48, 64, 96, 128, 256, 512, 1024]);
});

it("the Windows icon file contains each size at the offset in its directory", () => {
  const file = readFileSync(icons.windows);
  expect([file.readUInt16LE(0), file.readUInt16LE(2)]).toEqual([0, 1]);
  const sizes = Array.from({ length: file.readUInt16LE(4) }, (_, at) => {
    const entry = file.subarray(6 + 16 * at, 22 + 16 * at);
    const begins = entry.readUInt32LE(12);
    const [width, height] = sizeOf(file.subarray(begins, begins + entry.readUInt32LE(8)));
    expect([entry[0], entry[1]]).toEqual([width % 256, height % 256]);
    return width;
  });
  expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256]);
});

it("the macOS icon file contains each size, and its header has the right length", () => {
  const file = readFileSync(icons.mac);
  expect(file.subarray(0, 4).toString()).toBe("icns");
  expect(file.readUInt32BE(4)).toBe(file.length);
  const sizes: number[] = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
    sizes.push(sizeOf(file.subarray(at + 8))[0]);
  }
  expect(sizes).toEqual([32, 64, 128, 256, 512, 1024]);
});
