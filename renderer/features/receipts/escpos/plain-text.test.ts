import { expect, it } from "vitest";
import { blockBytes, plainText } from "./receipt-bytes.ts";

it("a text with a control character is drawn, not sent as characters", () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => code).filter(
    (code) => code < 0x20 || code >= 0x7f,
  );
  for (const code of controls) {
    const control = String.fromCharCode(code);
    for (const text of [control, `PIN 12${control}34`, `${control}p0`, `last${control}`]) {
      expect([code, plainText(text)]).toEqual([code, undefined]);
    }
  }
});

it("western European letters and similar characters are sent as characters", () => {
  expect(plainText("Saldo: 25,00 € – «José»")).toBe("Saldo: 25,00 € - «José»");
  expect(plainText("رقم")).toBeUndefined();
});

/** Returns the width of each printed line in letters; letters of double width count twice. */
function lineWidths(bytes: Uint8Array): number[] {
  const text = Buffer.from(bytes).toString("latin1");
  return text.split("\n\r").map((line) => {
    let scale = 1;
    let width = 0;
    for (let at = 0; at < line.length; at++) {
      const [lead = "", command = "", value = ""] = line.slice(at, at + 3);
      if (lead >= " ") {
        width += scale;
        continue;
      }
      if (lead + command === "\x1d!") scale = value === "\x11" ? 2 : 1;
      at += "@.".includes(command) ? 1 : 2;
    }
    return width;
  });
}

it.each([
  [48, 576],
  [44, 528],
  [42, 576],
  [42, 512],
  [64, 576],
  [42, 384],
  [36, 416],
  [35, 416],
  [32, 384],
  [30, 360],
  [24, 288],
])(
  "no line is wider than a head of %i letters and %i dots, and no code is split",
  (lineLetters, headDots) => {
    const pins = ["LT5R-V8WN", "LT5RV8WNLT5RV8WN", "LT5R-V8WN-ABCD-EFGH-2345"];
    const bytes = blockBytes(
      [
        { kind: "text", text: "Abarrotes y Recargas La Esperanza", size: "shop", center: true },
        { kind: "rule", heavy: true },
        ...pins.map((value) => ({ kind: "secret", label: "PIN", value }) as const),
        { kind: "pair", label: "Total", value: "Q 52.00", size: "total", bold: true },
        { kind: "pair", label: "Recarga de saldo de un operador", value: "Q 1,252.08" },
        { kind: "text", text: "The money is given back if the provider does not deliver." },
      ],
      "ltr",
      { lineLetters, headDots, drawer: false },
    );
    const widths = lineWidths(bytes);
    expect(Math.max(...widths)).toBe(Math.min(lineLetters, 48));
    const text = Buffer.from(bytes).toString("latin1");
    for (const whole of [...pins, "Q 52.00", "Q 1,252.08"]) expect(text).toContain(whole);
  },
);
