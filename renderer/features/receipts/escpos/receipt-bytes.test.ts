import { expect, it } from "vitest";
import { blockBytes, drawerBytes } from "./receipt-bytes.ts";

/** ESC p m: m is 0 for pin 2 of the connector, and 1 for pin 5. */
function pulsesOf(bytes: Uint8Array): number[] {
  return [...bytes].flatMap((byte, at) =>
    byte === 0x1b && bytes[at + 1] === 0x70 ? [bytes[at + 2] ?? -1] : [],
  );
}

it("a drawer is opened on the pin that its printer's settings name", () => {
  const head = { lineLetters: 48, headDots: 576, drawer: true };
  for (const [pin, m] of [
    [2, 0],
    [5, 1],
  ] as const) {
    expect(pulsesOf(drawerBytes(pin))).toEqual([m]);
    expect(pulsesOf(blockBytes([], "ltr", { ...head, drawerPin: pin }))).toEqual([m]);
  }
  expect(pulsesOf(blockBytes([], "ltr", head))).toEqual([0]);
});
