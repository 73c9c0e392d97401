import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Order } from "../supplier.ts";
import { readFulfilment } from "./upstream-fulfilment.ts";

const VOUCHER = {
  accountId: "default",
  environment: "live",
  transactionId: "t",
  offer: { productType: "VOUCHER", deliveryType: "EPIN", send: { currency: "USD" } },
  extras: {},
  send: 2_500,
} as unknown as Order;

const ICCID = "8934071234567890123";
const ESIM = { ...VOUCHER, offer: { productType: "ESIM" } } as unknown as Order;

/** ESC p 0: a pulse to the drawer, among other things that a text may begin with. */
const PULSE = "\u001bp\u0000\u0019\u00fa";

describe("what a provider hands over", () => {
  it("has nothing in it that a printer or a terminal takes as a command", () => {
    const text = fc.string({
      unit: fc.constantFrom("A", "7", " ", "\n", "é", PULSE, "\u009b2J", "\r"),
    });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const receipt = { epin: `9${one}`, instructions: two, notes: one, terms: two };
        const confirmation = { confirmationNumber: two };
        const record = { transactionId: "t", status: "DONE", confirmation, receipt };
        const said = JSON.stringify(Object.values(readFulfilment(VOUCHER, record)));
        const texts = JSON.parse(said) as Record<string, unknown>[];
        for (const value of texts.flatMap((part) => Object.values(part))) {
          expect(String(value)).not.toMatch(/(?![\t\n])\p{Cc}/u);
        }
      }),
    );
  });

  it("keeps its lines and letters", () => {
    const receipt = { epin: "1234 5678", instructions: "Marque *999#\r\ny siga los pasos: ñ, é" };
    const confirmation = { confirmationNumber: "c" };
    const record = { transactionId: "t", status: "DONE", confirmation, receipt };
    expect(readFulfilment(VOUCHER, record).receipt).toMatchObject({
      epin: "1234 5678",
      instructions: "Marque *999#\ny siga los pasos: ñ, é",
    });
  });

  it("is cleaned for eSIMs too", () => {
    const given = { activationCode: `LPA:1${PULSE}`, iccid: ICCID, smdpAddress: "smdp\u001b[2J" };
    const record = { transactionId: "t", status: "DONE", confirmation: given };
    const { esim } = readFulfilment(ESIM, record);
    expect(esim).toMatchObject({ activationCode: "LPA:1p\u00fa", smdpAddress: "smdp[2J" });
  });
});
