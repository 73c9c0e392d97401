import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EsimProfile, normalizeEsim, toLpaCode } from "../../lib/esim-profile.ts";
import type { Order } from "../provider.ts";
import { readPlans, readRecord } from "./upstream-answers.ts";

const VOUCHER = {
  accountId: "default",
  environment: "live",
  transactionId: "t",
  offer: {
    productType: "VOUCHER",
    deliveryType: "EPIN",
    offerId: "O",
    send: { currency: "USD" },
    cost: { currency: "USD" },
  },
  extras: {},
  recipient: "",
  send: 2_500,
} as unknown as Order;

const ICCID = "8934071234567890123";
const ESIM = { ...VOUCHER, offer: { ...VOUCHER.offer, productType: "ESIM" } } as unknown as Order;

/** Printer command that opens a cash drawer. */
const PULSE = "\u001bp\u0000\u0019\u00fa";

function readDone(order: Order, parts: object) {
  const reading = readRecord(order, { transactionId: "t", status: "DONE", ...parts });
  expect(reading.decided).toBe("DONE");
  return { ...reading.details.fulfilment, deviations: reading.deviations };
}

describe("record reading", () => {
  it("removes characters that printers and terminals execute as commands", () => {
    const text = fc.string({
      unit: fc.constantFrom("A", "7", " ", "\n", "é", PULSE, "\u009b2J", "\r"),
    });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const receipt = { epin: `9${one}`, instructions: two, notes: one, terms: two };
        const { receipt: kept } = readDone(VOUCHER, { receipt, confirmation: { notes: two } });
        for (const value of Object.values(kept ?? {})) {
          expect(String(value)).not.toMatch(/(?![\t\n])\p{Cc}/u);
        }
      }),
    );
  });

  it("keeps line ends and letters of a receipt", () => {
    const receipt = { epin: "1234 5678", instructions: "Marque *999#\r\ny siga los pasos: ñ, é" };
    expect(readDone(VOUCHER, { receipt }).receipt).toMatchObject({
      epin: "1234 5678",
      instructions: "Marque *999#\ny siga los pasos: ñ, é",
    });
  });

  it("determines the state by the status, regardless of the details", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (confirmation, receipt) => {
        readDone(VOUCHER, { confirmation, receipt, cost: receipt, offerId: confirmation });
        readDone(ESIM, { confirmation, receipt, log: confirmation, updatedAt: receipt });
      }),
    );
  });

  it("notes removed control characters as a conversion, but not converted line ends", () => {
    const receipt = { epin: "1234\u0000", instructions: "One\r\ntwo" };
    const { receipt: read, deviations } = readDone(VOUCHER, { receipt });
    expect(read).toMatchObject({ epin: "1234", instructions: "One\ntwo" });
    const fields = deviations.filter(({ kind }) => kind === "CONVERTED").map(({ field }) => field);
    expect(fields).toEqual(["receipt.epin"]);
  });

  it.each([
    ["2026-01-15T12:30:00+02:00", "2026-01-15T10:30:00.000Z"],
    ["2026-01-15 10:30:00", "2026-01-15T10:30:00Z"],
    ["2026-01-15T10:30:00.123456Z", "2026-01-15T10:30:00.123456Z"],
    ["2026-01-15", "2026-01-15T00:00:00Z"],
    ["2026-02-30T25:61:00Z", ""],
    ["2026-13-45", ""],
  ])("reads the time %s as %s, in UTC", (transactionTime, expected) => {
    const { confirmation } = readDone(VOUCHER, { confirmation: { transactionTime } });
    expect(confirmation?.transactionTime).toBe(expected);
  });

  it("reads an expiry date without a time as the end of that day", () => {
    const { receipt, deviations } = readDone(VOUCHER, { receipt: { expiresAt: "2027-06-30" } });
    expect(receipt).toMatchObject({ expiresAt: "2027-06-30T23:59:59Z" });
    const field = "receipt.expiresAt";
    expect(deviations).toContainEqual({ field, kind: "CONVERTED", needed: false });
  });

  it("rejects a PIN sent as a number, because it may have lost leading zeros", () => {
    const { receipt, deviations } = readDone(VOUCHER, { receipt: { epin: 1234 } });
    expect(receipt?.epin).toBe("");
    expect(deviations).toContainEqual({ field: "receipt.epin", kind: "UNREADABLE", needed: true });
  });

  it.each([
    [{ transactionId: "other" }, undefined],
    [{ transactionId: "" }, "DONE"],
    [{ transactionId: null }, "DONE"],
    [{ transactionId: " T " }, "DONE"],
    [{ offerId: "Another", recipientPhoneNumber: "(502) 5123" }, "DONE"],
    [{ status: " done " }, "DONE"],
    [{ status: "" }, undefined],
    [{ status: 4 }, undefined],
    [{ status: "SOLD" }, "OPEN"],
  ])("reads %j as %s", (parts, decided) => {
    const body = { transactionId: "t", status: "DONE", ...parts };
    expect(readRecord(VOUCHER, body).decided).toBe(decided);
  });
});

describe("the reading of eSIM profiles", () => {
  const profile: EsimProfile = {
    iccid: ICCID,
    smdpAddress: "rsp.example.com",
    activationCode: "K2-ABC-DEF",
  };
  const LPA = "LPA:1$rsp.example.com$K2-ABC-DEF";

  it.each<Partial<EsimProfile>>([
    {},
    { activationCode: LPA },
    { activationCode: "lpa:1$RSP.example.com$k2-abc-def", smdpAddress: "" },
    { activationCode: "1$rsp.example.com$K2-ABC-DEF" },
    { activationCode: " K2-ABC -DEF " },
    { smdpAddress: LPA, activationCode: "" },
    { smdpAddress: "HTTPS://RSP.Example.COM/" },
    { iccid: `${ICCID}F` },
    { iccid: "8934 0712 3456 7890 123f" },
  ])("normalizes %j", (written) => {
    expect(normalizeEsim({ ...profile, ...written })).toEqual(profile);
    expect(toLpaCode({ ...profile, ...written })).toBe(LPA);
  });

  it.each<Partial<EsimProfile>>([
    { activationCode: "" },
    { activationCode: "not a code!" },
    { activationCode: "LPA:1$LPA:1$rsp.example.com$K2" },
    { smdpAddress: "" },
    { smdpAddress: "nowhere" },
  ])("derives no QR code from %j", (written) => {
    expect(toLpaCode({ ...profile, ...written })).toBeUndefined();
  });
});

describe("the reading of eSIM plans", () => {
  const plan = { initialDataGB: 1, remainingDataGB: 1, reamainingDataGB: 1, status: "ACTIVE" };
  it.each([
    [{ firstInstalledAt: "0001-01-01T00:00:00Z", list: [plan] }],
    [{ firstInstalledAt: null, list: [{ ...plan, remainingDataGB: null, reamainingDataGB: 0 }] }],
    [{ firstInstalledAt: "", list: [{ ...plan, startAt: "0001-01-01T00:00:00Z" }] }],
    [{ list: [{ status: "ACTIVE" }] }],
    [{}],
  ])("does not treat the eSIM as used for %j", (body) => {
    expect(readPlans(ICCID, body).decided).toEqual({
      firstInstalledAt: undefined,
      isPlanUsed: false,
    });
  });

  it("recognizes a used plan by its remaining amounts", () => {
    const used = { list: [{ ...plan, remainingDataGB: "0.5" }] };
    expect(readPlans(ICCID, used).decided?.isPlanUsed).toBe(true);
  });
});
