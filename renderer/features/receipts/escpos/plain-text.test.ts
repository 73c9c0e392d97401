import { expect, it } from "vitest";
import { plainText } from "./receipt-bytes.ts";

it("sends no printer a control character as a letter: a text with one is drawn", () => {
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

it("has the letters of western Europe, and others that look the same", () => {
  expect(plainText("Saldo: 25,00 € – «José»")).toBe("Saldo: 25,00 € - «José»");
  expect(plainText("رقم")).toBeUndefined();
});
