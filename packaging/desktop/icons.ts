import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";

const LINUX_SIZES = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024] as const;
/** Sizes in an `.ico` file, in pixels. */
const WINDOWS_SIZES = [16, 24, 32, 48, 64, 128, 256] as const;
/** Types of the PNG pictures in an `.icns` file, with their sizes. */
const MAC_TYPES = { ic11: 32, ic12: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1024 } as const;

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const ICNS_HEADER_BYTES = 8;

export interface Icons {
  /** Path of a folder with PNGs, each named by its size. */
  readonly linux: string;
  readonly windows: string;
  readonly mac: string;
}

export async function makeIcons(into: string): Promise<Icons> {
  const drawing = await readFile(join(import.meta.dirname, "icon.svg"));
  const draw = (size: number) =>
    new Resvg(drawing, { fitTo: { mode: "width", value: size } }).render().asPng();
  const icons = {
    linux: join(into, "linux"),
    windows: join(into, "icon.ico"),
    mac: join(into, "icon.icns"),
  };
  await mkdir(icons.linux, { recursive: true });
  for (const size of LINUX_SIZES) {
    await writeFile(join(icons.linux, `${size}x${size}.png`), draw(size));
  }
  await writeFile(icons.windows, toIco(WINDOWS_SIZES.map((size) => ({ size, png: draw(size) }))));
  await writeFile(
    icons.mac,
    toIcns(Object.entries(MAC_TYPES).map(([type, size]) => ({ type, png: draw(size) }))),
  );
  return icons;
}

function toIco(pictures: readonly { size: number; png: Buffer }[]): Buffer {
  const header = Buffer.alloc(ICO_HEADER_BYTES);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * pictures.length;
  const entries = pictures.map(({ size, png }) => {
    const entry = Buffer.alloc(ICO_ENTRY_BYTES);
    // A size of 256 does not fit into a byte and is written as 0.
    entry.writeUInt8(size % 256, 0);
    entry.writeUInt8(size % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...pictures.map(({ png }) => png)]);
}

function toIcns(pictures: readonly { type: string; png: Buffer }[]): Buffer {
  const parts = pictures.map(({ type, png }) => Buffer.concat([headed(type, png.length), png]));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([headed("icns", length), ...parts]);
}

function headed(type: string, length: number): Buffer {
  const header = Buffer.alloc(ICNS_HEADER_BYTES);
  header.write(type, "latin1");
  header.writeUInt32BE(ICNS_HEADER_BYTES + length, 4);
  return header;
}
