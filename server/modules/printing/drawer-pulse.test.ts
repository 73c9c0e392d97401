import { describe, expect, it } from "vitest";
import { opensDrawer } from "./drawer-pulse.ts";

describe("bytes that open a drawer", () => {
  it.each<[string, number[], boolean]>([
    ["a pulse", [0x1b, 0x70, 0, 50, 250], true],
    ["a pulse after text", [0x41, 0x42, 0x1b, 0x70, 0], true],
    ["a pulse at once", [0x10, 0x14, 1, 0, 1], true],
    ["a picture whose dots look like one", [0x1d, 0x76, 0x30, 0, 2, 0, 1, 0, 0x1b, 0x70], false],
    ["a pulse after a picture", [0x1d, 0x76, 0x30, 0, 1, 0, 1, 0, 0xff, 0x1b, 0x70], true],
    ["a picture that breaks off", [0x1d, 0x76, 0x30, 0, 9, 0], false],
    ["a question for the status", [0x10, 0x04, 1], false],
    ["a cut", [0x1d, 0x56, 0], false],
  ])("are known: %s", (_what, bytes, opens) => {
    expect(opensDrawer(Uint8Array.from(bytes))).toBe(opens);
  });
});
