import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { opensDrawer } from "./drawer-guard.ts";

const BEGINNING = [0x1b, 0x40, 0x1c, 0x2e, 0x1b, 0x4d, 0];
const PULSE = [0x1b, 0x70, 0, 50, 250];
/** Image with one row of 40 dots, whose bytes are a pulse. */
const PICTURE = [0x1d, 0x76, 0x30, 0, 5, 0, 1, 0, ...PULSE];
const A = 0x41;
const STYLED = [0x1b, 0x74, 19, 0x1b, 0x61, 1, 0x1b, 0x45, 1, 0x1d, 0x21, 0x11, A, 0xa4, 10, 13];
const PLAIN = [0x1b, 0x61, 0, 0x1b, 0x45, 0, 0x1d, 0x21, 0, 0x1b, 0x74, 0, 0xcd, 10, 13];

describe("bytes that open a drawer", () => {
  it.each<[string, number[], boolean]>([
    ["nothing", [], false],
    ["text, bold, centred, large, of either code page", [...STYLED, ...PLAIN], false],
    ["a cut", [0x1d, 0x56, 1], false],
    ["a picture whose dots look like one", PICTURE, false],
    ["a picture in a line of its own", [A, 10, 13, ...PICTURE, 10, 13, A, 10], false],
    ["a pulse", PULSE, true],
    ["a pulse after text", [A, ...PULSE], true],
    ["a pulse at once", [0x10, 0x14, 1, 0, 1], true],
    ["a pulse after a picture", [...PICTURE, ...PULSE], true],
    ["a pulse at once in a picture", [0x1d, 0x76, 0x30, 0, 5, 0, 1, 0, 0x10, 0x14, 1, 0, 1], true],
    [
      "a buffer that is emptied in a picture",
      [0x1d, 0x76, 0x30, 0, 10, 0, 1, 0, 0x10, 0x14, 8, 1, 3, 20, 1, 6, 2, 8],
      true,
    ],
    ["an argument that is taken for a picture", [0x1b, 0x21, ...PICTURE], true],
    ["a picture of an unknown mode", [0x1d, 0x76, 0x30, 99, ...PICTURE.slice(4)], true],
    ["a picture of no height", [0x1d, 0x76, 0x30, 0, 5, 0, 0, 0, ...PULSE], true],
    ["a picture wider than paper", [0x1d, 0x76, 0x30, 0, 73, 0, 1, 0, ...Array(73).fill(0)], true],
    [
      "a picture of more rows than a byte counts",
      [0x1d, 0x76, 0x30, 0, 1, 0, 0, 1, ...Array(256).fill(0)],
      true,
    ],
    ["a picture in the middle of a line", [A, ...PICTURE], true],
    ["a picture after a return without a new line", [A, 13, ...PICTURE], true],
    ["a picture that breaks off", PICTURE.slice(0, -1), true],
    ["a head of a picture that breaks off", PICTURE.slice(0, 6), true],
    ["a command that breaks off", [A, 10, 0x1b], true],
    ["a command without its argument", [0x1b, 0x45], true],
    ["an argument that the till never gives", [0x1b, 0x74, 255], true],
    ["letters of two bytes", [0x1c, 0x26], true],
    ["a question for the status", [0x10, 0x04, 1], true],
  ])("can be distinguished from other bytes: %s", (_what, bytes, opens) => {
    expect(opensDrawer(Uint8Array.from([...BEGINNING, ...bytes]))).toBe(opens);
  });

  it("include all prints that do not start like the till's prints, such as the end of a pulse", () => {
    for (const bytes of [[], [A, 10], [0x70, 0, 50, 250], BEGINNING.slice(0, -1)]) {
      expect(opensDrawer(Uint8Array.from(bytes))).toBe(true);
    }
  });

  it("include a pulse in any position outside of an image", () => {
    const understood = fc.oneof(
      fc.constantFrom([0x1b, 0x45, 1], [0x1d, 0x21, 0], [A, 10], [10], [13], [10, ...PICTURE]),
      fc.array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 8 }),
    );
    const anything = fc.array(fc.integer({ min: 0, max: 0xff }), { maxLength: 40 });
    const before = fc.array(understood, { maxLength: 8 }).map((parts) => parts.flat());
    const pulse = fc.oneof(fc.constant(PULSE), fc.constant([0x10, 0x14, 1, 0, 1]));
    fc.assert(
      fc.property(before, pulse, anything, (start, one, end) => {
        expect(opensDrawer(Uint8Array.from([...BEGINNING, ...start]))).toBe(false);
        expect(opensDrawer(Uint8Array.from([...BEGINNING, ...start, ...one, ...end]))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(anything, anything, pulse, (start, end, one) => {
        // Without 0x76, the pulse cannot be part of an image.
        const bytes = [...BEGINNING, ...start.filter((byte) => byte !== 0x76), ...one, ...end];
        expect(opensDrawer(Uint8Array.from(bytes))).toBe(true);
      }),
    );
  });
});
