import jsqr from "jsqr";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { EsimUsage } from "../../../providers/provider.ts";
import { countedSimulator } from "../../../testing/counted-simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

let till: TestGateway;
/** Replaces parts of the provider's readings. */
let misread: Partial<EsimUsage> = {};
beforeAll(async () => {
  const { provider } = countedSimulator(() => till);
  const readEsim: typeof provider.readEsim = async (esim, signal) => ({
    ...(await provider.readEsim!(esim, signal)),
    ...misread,
  });
  till = await startTestGateway({ providers: { test: { ...provider, readEsim } } });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const OFFER = "AIRALO_ES_1GB_7D";
const COST = 328;

async function buy(transactionId: string, more: object = {}) {
  return till.v1("POST", "/esim/purchases", { offerId: OFFER, transactionId, ...more });
}
async function bought(transactionId: string, more: object = {}) {
  expect((await buy(transactionId, more)).body).toEqual({ status: "ACCEPTED", transactionId });
  await till.advance(2 * SECOND);
  return (await till.v1("GET", `/esim/purchases/${transactionId}`)).body;
}
async function plansOf(iccid: string) {
  return (await till.v1("GET", `/esim/${iccid}/plans`)).body;
}
async function balance() {
  return (await till.v1("GET", "/balance")).body.availableBalance;
}
function scan(png: Buffer): string | undefined {
  const { data, width, height } = PNG.sync.read(png);
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(500);
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
}
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

describe("an eSIM", () => {
  it("can be bought like any other product, and has the data that a phone needs for the download", async () => {
    const before = await balance();
    const purchase = await bought("esim-new");
    expect(purchase).toMatchObject({
      status: "DONE",
      productType: "ESIM",
      country: "ES",
      cost: COST,
      dataGB: 1,
      dataSpeeds: ["4G", "5G"],
      dataUnlimited: false,
      durationDays: 7,
      roaming: [],
    });
    expect(purchase).not.toHaveProperty("send");
    expect(Object.keys(purchase.confirmation)).toEqual([
      "activationCode",
      "externalReferenceId",
      "iccid",
      "redemptionInstructions",
      "smdpAddress",
    ]);
    expect(purchase.confirmation.iccid).toMatch(/^89\d{18}$/);
    expect(passesLuhn(purchase.confirmation.iccid)).toBe(true);
    expect(before - (await balance())).toBe(COST);
  });

  it("has a QR code, as an image and in JSON, that a scanner reads as its LPA string", async () => {
    const { confirmation } = await bought("esim-qr");
    const lpa = `LPA:1$${confirmation.smdpAddress}$${confirmation.activationCode}`;
    const path = "/v1/esim/purchases/esim-qr/qrcode";
    const authorization = `Bearer ${till.key("test")}`;
    const picture = await fetch(till.url + path, { headers: { authorization } });
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect(scan(Buffer.from(await picture.arrayBuffer()))).toBe(lpa);
    const accept = "application/json";
    const json = await till.call("GET", path, { headers: { authorization, accept } });
    expect(Object.keys(json.body)).toEqual(["imageBase64"]);
    expect(scan(Buffer.from(json.body.imageBase64, "base64"))).toBe(lpa);
  });

  it("has a QR code image with modules of equal width and a white border of four modules", async () => {
    for (const name of ["esim-dots-1", "esim-dots-22", "esim-dots-333"]) {
      await bought(name);
      const path = `${till.url}/v1/esim/purchases/${name}/qrcode`;
      const picture = await fetch(path, {
        headers: { authorization: `Bearer ${till.key("test")}` },
      });
      const { data, width, height } = PNG.sync.read(Buffer.from(await picture.arrayBuffer()));
      const rows = Array.from({ length: height }, (_, y) =>
        Array.from({ length: width }, (_pixel, x) => data[(y * width + x) * 4]! < 128),
      );
      const edge = rows.findIndex((row) => row.includes(true));
      const unit = edge / 4;
      expect(Number.isInteger(unit)).toBe(true);
      const starts = rows.flatMap((row) =>
        row.flatMap((isBlack, x) => (isBlack === row[x - 1] || x === 0 ? [] : [x])),
      );
      expect(starts.filter((x) => x % unit !== 0)).toEqual([]);
    }
  });

  it.each([
    ["image/png;q=0.2, application/json", "application/json"],
    ["application/json;q=0.2, image/png;q=0.9", "image/png"],
    ["application/json;q=0, */*", "image/png"],
  ])("has a QR code that is served for Accept %s as %s", async (accept, expected) => {
    await bought(`esim-${expected.length}-${accept.length}`);
    const path = `/v1/esim/purchases/esim-${expected.length}-${accept.length}/qrcode`;
    const headers = { authorization: `Bearer ${till.key("test")}`, accept };
    const answer = await fetch(till.url + path, { headers });
    expect(answer.headers.get("content-type")).toContain(expected);
    expect(answer.headers.get("vary")).toContain("Accept");
  });

  it.each(["esim-waiting-9004", "esim-refused-9002"])(
    "has no QR code before its purchase is done (%s)",
    async (transactionId) => {
      await bought(transactionId);
      const answer = await till.v1("GET", `/esim/purchases/${transactionId}/qrcode`);
      expect(answer).toMatchObject({ status: 400, body: { errorCode: "QRCODE_NOT_READY" } });
    },
  );

  it("takes further plans: the first plan is active, the others are queued in order", async () => {
    const { confirmation } = await bought("esim-first");
    const { iccid } = confirmation;
    const added = await bought("esim-second", { iccid, offerId: "AIRALO_ASIA_1GB_7D" });
    expect(added).toMatchObject({ status: "DONE", country: "", confirmation: { iccid } });
    await bought("esim-third", { iccid });
    const { list, total, firstInstalledAt } = await plansOf(iccid);
    expect([total, firstInstalledAt]).toEqual([3, ""]);
    expect(list.map((plan: { status: string }) => plan.status)).toEqual([
      "ACTIVE",
      "QUEUED",
      "QUEUED",
    ]);
    expect(list[1]).toEqual({
      description: "Airalo 1 GB, 7 days",
      endAt: "",
      iccid,
      initialDataGB: 1,
      offerId: "AIRALO_ASIA_1GB_7D",
      reamainingDataGB: 1,
      remainingDataGB: 1,
      startAt: "",
      status: "QUEUED",
      unlimited: false,
    });
  });

  it("uses its plans one after another, starting at the installation", async () => {
    const { confirmation } = await bought("esim-used-9008");
    const { iccid } = confirmation;
    await bought("esim-used-next", { iccid });
    const { list, firstInstalledAt } = await plansOf(iccid);
    expect(firstInstalledAt).not.toBe("");
    expect(list[0]).toMatchObject({
      status: "ACTIVE",
      startAt: firstInstalledAt,
      endAt: new Date(Date.parse(firstInstalledAt) + 7 * DAY).toISOString(),
      remainingDataGB: 0.5,
      reamainingDataGB: 0.5,
    });
    till.clock.set(Date.parse(firstInstalledAt) + 7 * DAY);
    const later = await plansOf(iccid);
    expect(later.list).toMatchObject([{ status: "ACTIVE", startAt: list[0].endAt }]);
    till.clock.set(Date.parse(firstInstalledAt) + 14 * DAY);
    expect(await plansOf(iccid)).toMatchObject({ total: 0, list: [] });
  });

  it("has no plans while the provider's answer cannot be read, and counts the deviation once", async () => {
    const { iccid } = (await bought("esim-misread")).confirmation;
    const field = "firstInstalledAt";
    misread = { decided: undefined, deviations: [{ field, kind: "UNREADABLE", needed: true }] };
    for (const _ of [1, 2]) {
      expect(await till.v1("GET", `/esim/${iccid}/plans`)).toMatchObject({
        status: 503,
        body: { errorCode: "SYSTEM_UNAVAILABLE" },
      });
    }
    misread = {};
    expect((await plansOf(iccid)).total).toBe(1);
    const scope = { accountId: "default", environment: "test" } as const;
    expect((await till.gateway.context.upstream.getStatus(scope)).deviations).toMatchObject([
      { operation: "PLANS", field, count: 1, lastReference: iccid },
    ]);
  });

  it("takes no plan if the shop did not sell it: the purchase fails and nothing is charged", async () => {
    const before = await balance();
    const purchase = await bought("esim-unknown", { iccid: "89000000000000000008" });
    expect(purchase).toMatchObject({ status: "FAILED", error: { code: "ICCID_NOT_FOUND" } });
    expect(purchase.log.map((item: { status: string }) => item.status)).toEqual([
      "ACCEPTED",
      "FAILED",
    ]);
    expect(await balance()).toBe(before);
    const plans = await till.v1("GET", "/esim/89000000000000000008/plans");
    expect(plans.status).toBe(404);
  });

  it.each([
    ["a value", { value: { type: "PRICE", value: 400 } }, "value"],
    ["an ICCID that is none", { iccid: "123" }, "iccid"],
    ["a phone number", { recipientPhoneNumber: "+50251234567" }, "recipientPhoneNumber"],
  ])("cannot be bought with %s, and the error names the field", async (_what, more, field) => {
    const answer = await buy("esim-bad", more);
    expect(answer.body.errorCode).toBe("INVALID_REQUEST");
    expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect((await till.v1("GET", "/esim/purchases/esim-bad")).status).toBe(404);
  });

  it.each([
    ["9001", "FAILED", "RECIPIENT_INVALID"],
    ["9002", "FAILED", "PROVIDER_REJECTED"],
    ["9005", "DONE", undefined],
    ["9007", "DONE", undefined],
  ])(
    "has a simulated outcome that depends on the end of the transaction id: -%s",
    async (ending, status, code) => {
      const transactionId = `esim-practice-${ending}`;
      await buy(transactionId);
      await till.advance(HOUR);
      const { body } = await till.v1("GET", `/esim/purchases/${transactionId}`);
      expect([body.status, body.error?.code]).toEqual([status, code]);
    },
  );

  it("reaches the customer exactly once if the provider delivered but the answer was lost", async () => {
    await buy("esim-lost-9005");
    await till.advance(15 * MINUTE + SECOND);
    const { body } = await till.v1("GET", "/esim/purchases/esim-lost-9005");
    expect(body.status).toBe("DONE");
    expect((await plansOf(body.confirmation.iccid)).total).toBe(1);
  });
});
