import { beforeEach, expect, it, vi } from "vitest";
import { readPicture } from "./read-picture.ts";

const LIMITS = { largestBytes: 2_000, accepted: ["image/png", "image/jpeg"] };
/** Size of the loaded picture; undefined for a file that no browser can draw. */
let size: { width: number; height: number } | undefined;
let drawn: string[];

beforeEach(() => {
  size = { width: 300, height: 120 };
  drawn = [];
  vi.stubGlobal(
    "Image",
    class {
      readonly naturalWidth = size?.width ?? 0;
      readonly naturalHeight = size?.height ?? 0;
      async decode(): Promise<void> {
        if (!size) throw new Error("not a picture");
      }
    },
  );
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      readonly width: number;
      readonly height: number;
      constructor(width: number, height: number) {
        this.width = width;
        this.height = height;
      }
      getContext() {
        return { drawImage: () => drawn.push(`${this.width}x${this.height}`) };
      }
      /** A PNG of four bytes per pixel of its longer side. */
      async convertToBlob({ type }: { type: string }): Promise<Blob> {
        return new Blob(["x".repeat(4 * Math.max(this.width, this.height))], { type });
      }
    },
  );
});

const read = (type: string, content = "picture") =>
  readPicture(new File([content], "logo", { type }), LIMITS);

it("an accepted picture within the limits stays unchanged", async () => {
  expect(await read("image/png")).toBe(btoa("picture"));
  expect(drawn).toEqual([]);
});

it.each<[string, string, string, { width: number; height: number }, string[]]>([
  [
    "an SVG at the largest size that fits",
    "image/svg+xml",
    "<svg/>",
    { width: 30, height: 15 },
    ["1024x512", "512x256", "256x128"],
  ],
  [
    "a picture with too many bytes, never enlarged",
    "image/png",
    "x".repeat(3_000),
    { width: 400, height: 100 },
    ["400x100"],
  ],
  [
    "a picture with too many pixels",
    "image/jpeg",
    "picture",
    { width: 4_000, height: 1_000 },
    ["1024x256", "512x128", "256x64"],
  ],
])("the logo form draws %s", async (_what, type, content, given, attempts) => {
  size = given;
  const longest = Number(attempts.at(-1)?.split("x")[0]);
  expect(await read(type, content)).toBe(btoa("x".repeat(4 * longest)));
  expect(drawn).toEqual(attempts);
});

it.each<[string, string, string, typeof size]>([
  ["is too small", "image/png", "picture", { width: 300, height: 15 }],
  ["would be too small when drawn", "image/svg+xml", "<svg/>", { width: 1_000, height: 1 }],
  ["has no size", "image/svg+xml", "<svg/>", { width: 0, height: 0 }],
  ["is no picture", "image/png", "text", undefined],
  ["is empty", "image/png", "", { width: 300, height: 120 }],
  [
    "is larger than any logo",
    "image/png",
    "x".repeat(10 * 1024 * 1024 + 1),
    { width: 300, height: 120 },
  ],
])("the logo form refuses a file that %s", async (_what, type, content, given) => {
  size = given;
  expect(await read(type, content)).toBeUndefined();
});
