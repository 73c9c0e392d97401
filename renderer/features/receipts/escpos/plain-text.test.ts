import { expect, it } from "vitest";
import { plainText } from "./receipt-bytes.ts";

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
