import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Offer } from "../../../contract/v1/offers.ts";
import { systemClock } from "../../../lib/clock.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { until } from "../../../testing/until.ts";

/**
 * Two gateways on the real clock. The shop's live environment sells through the test environment of
 * the head office.
 */
const OWNER = { accountId: "default", environment: "live", staffId: undefined } as const;
const FUNDS = 100_000;

let office: TestGateway;
let shop: TestGateway;

beforeEach(async () => {
  office = await startTestGateway({ clock: systemClock });
  shop = await startTestGateway({ clock: systemClock });
});
afterEach(async () => {
  await Promise.all([shop.expectCleanBooks(), office.expectCleanBooks()]);
  await shop.close();
  await office.close();
});

const WHO = {
  firstName: "Ana",
  lastName: "Paz",
  homeAddress: { line1: "12 Calle 1-25", city: "Guatemala", country: "GT" },
};

async function chooseOffers() {
  const scope = { accountId: "default", environment: "test" } as const;
  const { offers } = await shop.gateway.context.catalog.getSnapshot(scope);
  const find = (family: string, priceType: string, fits?: (offer: Offer) => boolean) => {
    const found = offers.find(
      (offer) =>
        offer.productType === family && offer.priceType === priceType && (fits?.(offer) ?? true),
    );
    if (!found) throw new Error(`no ${priceType} ${family} in the sandbox`);
    return found;
  };
  const isOfGuatemala = (offer: Offer) => offer.country === "GT";
  const needsNothing = (offer: Offer) =>
    "deliveryType" in offer && offer.requiredFields.length === 0 && offer.deliveryType === "EPIN";
  return {
    fixed: find("TOPUP", "FIXED", isOfGuatemala),
    range: find("TOPUP", "RANGE", isOfGuatemala),
    voucher: find("VOUCHER", "FIXED", needsNothing),
    esim: find("ESIM", "FIXED"),
    bill: find("BILL_PAY", "RANGE"),
  };
}

async function connect(): Promise<void> {
  const { context } = shop.gateway;
  await context.recharges.recharge(OWNER, FUNDS);
  const there = { baseUrl: office.url, key: office.key("test"), allowPrivate: true };
  await context.upstream.connect(OWNER, there);
}

function live(method: string, path: string, body?: unknown) {
  return shop.v1(method, path, body, "live");
}

async function finished(path: string) {
  await until(async () => {
    const { status } = (await live("GET", path)).body;
    return status === "DONE" || status === "FAILED";
  });
  return (await live("GET", path)).body;
}

async function buy(family: string, body: { transactionId: string; [field: string]: unknown }) {
  expect((await live("POST", `/${family}/purchases`, body)).status).toBe(200);
  return finished(`/${family}/purchases/${body.transactionId}`);
}

describe("two gateways in a chain", () => {
  it("sell every family at the same cost, and refund an eSIM", async () => {
    const { fixed, range, voucher, esim, bill } = await chooseOffers();
    const all = [fixed, range, voucher, esim, bill].map(({ offerId }) => offerId);
    await giveLiveCatalog(shop, all);
    await connect();
    const recipientPhoneNumber = "+50251234567";
    const rangeMin = "send" in range ? range.send.min : 0;
    const fields = ("requiredFields" in bill ? bill.requiredFields : []).map((key) => ({
      key,
      value: "1234567",
    }));
    const due = (
      await live(
        "GET",
        `/billpay/offers/${bill.offerId}/bill?accountNumber=1234567&billIdentifier=1234567`,
      )
    ).body;
    const value = { type: "ZEND", value: due.send };
    const bought = await Promise.all([
      buy("topups", { offerId: fixed.offerId, transactionId: "a-1", recipientPhoneNumber }),
      buy("topups", {
        offerId: range.offerId,
        transactionId: "a-2",
        recipientPhoneNumber,
        value: { type: "ZEND", value: rangeMin },
      }),
      buy("vouchers", { offerId: voucher.offerId, transactionId: "a-3", fields: [] }),
      buy("esim", { offerId: esim.offerId, transactionId: "a-4" }),
      buy("billpay", {
        offerId: bill.offerId,
        transactionId: "a-5",
        fields,
        value,
        sender: WHO,
        recipient: WHO,
      }),
      buy("topups", {
        offerId: fixed.offerId,
        transactionId: "a-6",
        recipientPhoneNumber: "+50251239001",
      }),
    ]);
    expect(bought.map(({ status }) => status)).toEqual([
      "DONE",
      "DONE",
      "DONE",
      "DONE",
      "DONE",
      "FAILED",
    ]);
    expect(bought[5].error.code).toBe("RECIPIENT_INVALID");
    const families = ["topups", "topups", "vouchers", "esim", "billpay", "topups"];
    for (const [n, ours] of bought.entries()) {
      const path = `/${families[n]}/purchases/${ours.transactionId}`;
      const theirs = (await office.v1("GET", path)).body;
      expect([ours.cost, ours.send, ours.confirmation, ours.receipt]).toEqual([
        theirs.cost,
        theirs.send,
        theirs.confirmation,
        theirs.receipt,
      ]);
    }
    expect(bought[2].receipt.epin).toMatch(/^\d{16}$/);

    const { iccid } = bought[3].confirmation;
    const plans = (await live("GET", `/esim/${iccid}/plans`)).body;
    expect(plans).toEqual((await office.v1("GET", `/esim/${iccid}/plans`)).body);
    await buy("esim", { offerId: esim.offerId, transactionId: "a-7", iccid });
    expect((await live("GET", `/esim/${iccid}/plans`)).body.total).toBe(2);
    expect((await live("POST", "/esim/purchases/a-7/refund")).status).toBe(200);
    expect((await finished("/esim/purchases/a-7/refund")).status).toBe("DONE");
    expect((await office.v1("GET", "/esim/purchases/a-7/refund")).body.status).toBe("DONE");

    const balance = await shop.gateway.context.upstream.test(OWNER);
    expect(balance).toMatchObject({ difference: 0, held: 0 });
    expect(balance.available).toBeLessThan(FUNDS);
  });

  it("finish purchases that were interrupted by a stop of either gateway", async () => {
    const { fixed } = await chooseOffers();
    await giveLiveCatalog(shop, [fixed.offerId]);
    await connect();
    const body = { offerId: fixed.offerId, recipientPhoneNumber: "+50251234567" };
    for (const transactionId of ["b-1", "b-2", "b-3"]) {
      await live("POST", "/topups/purchases", { ...body, transactionId });
    }
    await shop.restart();
    const submitted = async () =>
      (await office.v1("GET", "/topups/purchases?_limit=10&_offset=0")).body.total === 3;
    await until(submitted);
    await shop.restart();
    for (const transactionId of ["b-1", "b-2", "b-3"]) {
      expect((await finished(`/topups/purchases/${transactionId}`)).status).toBe("DONE");
    }
    expect((await office.v1("GET", "/balance")).body).toEqual((await live("GET", "/balance")).body);
  });
});
