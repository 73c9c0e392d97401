import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SaleLine } from "../../../contract/pos/sale-lines.ts";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import {
  approveRefused,
  OWNER_PIN,
  openTill,
  type TestLine,
  type TestTill,
} from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75", language: "es" });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const TOPUP: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const GIFT: TestLine = {
  productType: "VOUCHER",
  offerId: "MAKEMYTRIP_AE_GIFT_50",
  fields: [
    { key: "recipient.firstName", value: "Ana" },
    { key: "recipient.email", value: "ana@example.com" },
    { key: "recipient.msisdn", value: "+971501234567" },
  ],
};
const ESIM: TestLine = { productType: "ESIM", offerId: "AIRALO_ES_1GB_7D" };
const BILL: TestLine = {
  productType: "BILL_PAY",
  offerId: "BLPC_BB_BILL_ELECTRICITY",
  fields: [{ key: "accountNumber", value: "30001234567" }],
};

async function bill(): Promise<TestLine> {
  const { offerId, fields } = BILL;
  const { body } = await owner.pos("POST", "/bills", { offerId, fields });
  return { ...BILL, value: body.value };
}

async function sold(saleId: string): Promise<{ lines: SaleLine[]; total: number }> {
  return (await owner.pos("GET", `/sales/${saleId}`)).body;
}

it("a sale with the same transaction id in two lines is refused, and the error names the second line", async () => {
  const line = { ...TOPUP, transactionId: "same" };
  const before = await digestDatabase(till.gateway.context.db);
  const { status, body } = await owner.sell([line, line]);
  expect([status, body.errorCode]).toEqual([400, "DUPLICATE_TRANSACTION_ID"]);
  expect(Object.keys(body.fields)).toEqual(["lines.1.transactionId"]);
  expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
});

it("the sale of a regional eSIM lists the plan's countries on screen and on paper", async () => {
  const { list } = (await owner.pos("GET", "/offers?productType=ESIM&region=Caribbean")).body;
  const [plan] = list;
  expect(plan.roaming.length).toBeGreaterThan(3);
  const { saleId } = (await owner.sell([{ productType: "ESIM", offerId: plan.offerId }])).body;
  await till.advance(2 * SECOND);
  const [line] = (await sold(saleId)).lines;
  expect(line?.area).toEqual({ regions: plan.regions, countries: plan.roaming });
  const { lines } = (await owner.pos("POST", `/sales/${saleId}/prints`)).body.sale;
  expect(lines[0].area).toEqual(line?.area);
});

describe("a sale with lines of every family", () => {
  it("becomes one sale, in which each line has all data for its receipt", async () => {
    const lines = [TOPUP, CARD, GIFT, ESIM, await bill()];
    const { saleId, total } = (await owner.sell(lines)).body;
    await till.advance(2 * SECOND);
    const sale = await sold(saleId);
    expect(sale.lines.map(({ productType, outcome }) => [productType, outcome])).toEqual([
      ["TOPUP", "DELIVERED"],
      ["VOUCHER", "DELIVERED"],
      ["VOUCHER", "DELIVERED"],
      ["ESIM", "DELIVERED"],
      ["BILL_PAY", "DELIVERED"],
    ]);
    expect(total).toBe(sale.lines.reduce((sum, { price }) => sum + price, 0));
    const [topup, card, gift, esim, paid] = sale.lines;
    expect(topup).toMatchObject({ recipientFormatted: "+502 5123 4567" });
    expect(topup).not.toHaveProperty("voucher");
    expect(card?.voucher).toMatchObject({
      deliveryType: "EPIN",
      epin: expect.stringMatching(/^\d{16}$/),
      serialNumber: expect.stringMatching(/^V/),
      language: "es",
      instructions: expect.stringContaining("Entre en amazon.com"),
      customerService: "+18005550100",
    });
    expect(card).toMatchObject({ recipientFormatted: "", fields: [] });
    // The instructions are in the receipt's language, although the voucher is from the Emirates.
    expect(gift?.voucher).toMatchObject({ deliveryType: "EMAIL", epin: "", language: "es" });
    expect(gift).toMatchObject({ recipientFormatted: "+971 50 123 4567", fields: GIFT.fields });
    const { iccid, smdpAddress, activationCode, qrContent } = esim?.esim ?? {};
    expect(iccid).toMatch(/^89\d{18}$/);
    expect(qrContent).toBe(`LPA:1$${smdpAddress}$${activationCode}`);
    expect(paid).toMatchObject({
      service: "Electricity",
      recipientFormatted: "30001234567",
      confirmationNumber: expect.stringMatching(/^\d{15}$/),
      referenceNumber: expect.stringMatching(/^SIM-/),
    });
    const [listed] = (await owner.pos("GET", "/sales?limit=1&offset=0")).body.list;
    expect(listed.saleId).toBe(saleId);
    for (const line of listed.lines) {
      expect(line).not.toHaveProperty("voucher");
      expect(line).not.toHaveProperty("esim");
    }
    // A printed receipt has no time limit for the details.
    const onPaper = sale.lines.map(({ detailsUntil: _until, ...line }: SaleLine) => line);
    expect((await owner.pos("POST", `/sales/${saleId}/prints`)).body.sale.lines).toEqual(onPaper);
    const print = (language: string) =>
      owner.pos("POST", `/sales/${saleId}/prints?language=${language}`);
    const customers = (await print("en")).body;
    expect(customers).toMatchObject({ language: "en", copyNumber: 1 });
    expect(customers.sale.lines[1].voucher).toMatchObject({
      language: "en",
      instructions: expect.stringContaining("amazon.com"),
    });
    expect(customers.sale.lines[1].voucher.instructions).not.toContain("Entre");
    expect((await owner.pos("POST", `/sales/${saleId}/prints`)).body.language).toBe("es");
    expect((await print("de")).body.fields).toHaveProperty("language");
    expect((await sold(saleId)).lines).toEqual(sale.lines);
  });

  it("becomes one sale for simultaneous and repeated requests, with any lines", async () => {
    const sale = await owner.prepareSale([TOPUP, CARD, ESIM, await bill()]);
    const before = (await owner.pos("GET", "/wallet")).body.figures.available;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.pos("POST", "/sales", sale)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.saleNumber)).size).toBe(1);
    await till.advance(2 * SECOND);
    const spent = before - (await owner.pos("GET", "/wallet")).body.figures.available;
    const again = (await owner.pos("POST", "/sales", sale)).body;
    expect(again.lines.map(({ outcome }: SaleLine) => outcome)).toEqual(
      sale.lines.map(() => "DELIVERED"),
    );
    expect(before - (await owner.pos("GET", "/wallet")).body.figures.available).toBe(spent);
    const changed = { ...sale, lines: sale.lines.toReversed() };
    expect((await owner.pos("POST", "/sales", changed)).body.errorCode).toBe("SALE_ID_TAKEN");
  });

  it.each<[string, TestLine, string, string[]]>([
    [
      "a top-up for nobody",
      { offerId: "TIGO_GT_TOPUP_25" },
      "INVALID_REQUEST",
      ["recipientPhoneNumber"],
    ],
    [
      "a top-up of an eSIM",
      { ...TOPUP, iccid: "8900000000000000001" },
      "INVALID_REQUEST",
      ["iccid"],
    ],
    [
      "a value of an eSIM",
      { ...ESIM, value: { type: "PRICE", value: 5 } },
      "INVALID_REQUEST",
      ["value"],
    ],
    [
      "a card for a number",
      { ...CARD, recipientPhoneNumber: "+50251234567" },
      "INVALID_REQUEST",
      ["recipientPhoneNumber"],
    ],
    ["a card of another family", { ...CARD, productType: "ESIM" }, "OFFER_NOT_FOUND", ["offerId"]],
    [
      "a gift without its fields",
      { ...GIFT, fields: GIFT.fields?.slice(0, 1) ?? [] },
      "REQUIRED_FIELD_MISSING",
      ["fields.recipient.email", "fields.recipient.msisdn"],
    ],
    [
      "a field twice",
      {
        ...CARD,
        fields: [
          { key: "a", value: "1" },
          { key: "a", value: "2" },
        ],
      },
      "INVALID_REQUEST",
      ["fields.1.key"],
    ],
    ["a bill of no value", BILL, "VALUE_REQUIRED", ["value"]],
    [
      "a bill of a penny",
      { ...BILL, value: { type: "ZEND", value: 1 } },
      "VALUE_OUT_OF_RANGE",
      ["value.value"],
    ],
  ])(
    "sells nothing with %s, and the error names the line's field",
    async (_name, line, code, names) => {
      const before = await digestDatabase(till.gateway.context.db);
      const sale = await owner.prepareSale([TOPUP, { ...line, price: 1 }], 1_000_000);
      const answer = await owner.pos("POST", "/sales", sale);
      expect([answer.status, answer.body.errorCode]).toEqual([400, code]);
      expect(Object.keys(answer.body.fields)).toEqual(names.map((name) => `lines.1.${name}`));
      expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    },
  );

  it("causes an error that names every line whose price has changed", async () => {
    const stale = [TOPUP, CARD, { ...ESIM, price: 1 }, { ...TOPUP, price: 2 }];
    const answer = await owner.sell(stale, 1_000_000);
    expect([answer.status, answer.body.errorCode]).toEqual([409, "PRICE_CHANGED"]);
    expect(Object.keys(answer.body.fields)).toEqual([
      "lines.2.price",
      "lines.3.price",
      "lines.2.priceNow",
      "lines.3.priceNow",
      "price",
    ]);
  });

  it("can add a plan to an eSIM that was sold earlier, and the till then shows the eSIM's plans", async () => {
    const first = (await owner.sell([ESIM])).body;
    await till.advance(2 * SECOND);
    const iccid = (await sold(first.saleId)).lines[0]?.esim?.iccid ?? "";
    const second = (await owner.sell([{ ...ESIM, iccid }])).body;
    expect(second.lines[0]).toMatchObject({ iccid, recipientFormatted: iccid });
    await till.advance(2 * SECOND);
    const { body } = await owner.pos("GET", `/esims/${iccid}`);
    expect(body).toMatchObject({
      iccid,
      brand: "AIRALO",
      offerId: ESIM.offerId,
      country: "ES",
      sale: { saleId: first.saleId, saleNumber: first.saleNumber, clerk: "Olga" },
    });
    expect(body.plans).toHaveLength(2);
    const none = await owner.pos("GET", "/esims/8900000000000000000");
    expect([none.status, none.body.errorCode]).toEqual([404, "ICCID_NOT_FOUND"]);
  });
});

describe("a discount", () => {
  it("reduces its line's price, and is recorded", async () => {
    const lines = [{ ...TOPUP, discount: 35 }, CARD];
    const { body } = await owner.sell(lines);
    const priced = body.lines as SaleLine[];
    expect(body).toMatchObject({ discount: 35, total: priced[0]!.price + priced[1]!.price - 35 });
    expect(priced.map(({ discount }) => discount)).toEqual([35, 0]);
    const { context } = till.gateway;
    const trail = context.db
      .selectFrom("audit_trail")
      .selectAll()
      .where("subject", "=", body.saleId);
    const [entry, ...others] = await trail.execute();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ action: "sale.discount", staff_id: owner.staffId });
    expect(JSON.parse(entry?.detail_json ?? "")).toMatchObject({
      product: "Tigo 25 GTQ",
      price: 2635,
      discount: 35,
      currency: "GTQ",
      environment: "test",
    });
    await till.advance(SECOND);
  });

  it("cannot exceed the price", async () => {
    const price = 2_635;
    const free = (await owner.sell([{ ...TOPUP, price, discount: price }])).body;
    expect(free).toMatchObject({ total: 0, discount: price, change: 0 });
    const sale = await owner.prepareSale([{ ...TOPUP, price, discount: price }]);
    expect((await owner.pos("POST", "/sales", { ...sale, tenders: [] })).body.tenders).toEqual([]);
    const more = await owner.sell([{ ...TOPUP, price, discount: price + 1 }], 5_000);
    expect(more.body.fields).toEqual({ "lines.0.discount": `must not be more than ${price}` });
    await till.advance(SECOND);
  });

  it("needs an owner's approval for a clerk, and the sale stores both names", async () => {
    const added = { name: "Carla", role: "clerk", pin: "1739" };
    const { staffId } = (await owner.pos("POST", "/staff", added)).body;
    const clerk = await owner.signIn(staffId, "1739");
    const sale = await clerk.prepareSale([{ ...TOPUP, discount: 100 }]);
    const refused = await clerk.pos("POST", "/sales", sale);
    expect([refused.status, refused.body.errorCode]).toEqual([403, "APPROVAL_REQUIRED"]);
    expect(refused.body.fields).toMatchObject({ right: "discountPct", asked: "4" });
    const by = { staffId: owner.staffId, pin: OWNER_PIN, subject: sale.saleId };
    const approvalId = await approveRefused(clerk, refused, by);
    const approved = { ...sale, approvalId };
    const answers = await Promise.all([1, 2].map(() => clerk.pos("POST", "/sales", approved)));
    for (const { body } of answers) {
      expect(body).toMatchObject({
        staff: { name: "Carla" },
        approvedBy: { staffId: owner.staffId, name: "Olga" },
        discount: 100,
      });
    }
    await till.advance(SECOND);
  });
});

describe("a person without an approval", () => {
  it("sells up to the limits per sale, product and day, counted in customer prices", async () => {
    const added = { name: "Carlos", role: "clerk", pin: "4926" };
    const { staffId } = (await owner.pos("POST", "/staff", added)).body;
    const clerk = await owner.signIn(staffId, "4926");
    const price = 2_635;
    const limits = { perSale: 2 * price, perDay: 3 * price, perProduct: { ESIM: 1 } };
    await owner.pos("PATCH", `/staff/${staffId}`, { limits });
    const refusal = async (lines: TestLine[]) => {
      const { status, body } = await clerk.sell(lines);
      return status === 200 ? undefined : [body.fields.right, body.fields.asked];
    };
    expect(await refusal([TOPUP, TOPUP, TOPUP])).toEqual(["perSale", String(3 * price)]);
    expect(await refusal([ESIM])).toEqual(["perProduct.ESIM", expect.any(String)]);
    expect(await refusal([TOPUP, TOPUP])).toBeUndefined();
    expect(await refusal([TOPUP, TOPUP])).toEqual(["perDay", String(4 * price)]);
    expect(await refusal([TOPUP])).toBeUndefined();
    expect(await refusal([TOPUP])).toEqual(["perDay", String(4 * price)]);
    await till.advance(SECOND);
  });
});

describe("a check before payment", () => {
  async function check(lines: TestLine[]) {
    const input = { lines: lines.map((line) => ({ productType: "TOPUP", ...line })) };
    const { status, body } = await owner.pos("POST", "/sales/check", input);
    expect(status).toBe(200);
    return body.lines;
  }

  it("returns today's price of each line or the reason for a refusal, and writes nothing", async () => {
    const before = await digestDatabase(till.gateway.context.db);
    const [topup, gone, gift] = await check([TOPUP, { ...CARD, offerId: "GONE" }, GIFT]);
    expect(topup).toMatchObject({ price: 2_635, priceCurrency: "GTQ", send: 2_500 });
    expect(gone.problem).toMatchObject({ errorCode: "OFFER_NOT_FOUND", fields: expect.anything() });
    expect(gift.price).toBeGreaterThan(0);
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });

  it("finds the same product sold to the same recipient within ten minutes, in every family", async () => {
    await till.advance(11 * MINUTE);
    const lines = [
      { ...TOPUP, recipientPhoneNumber: "+50251119999" },
      GIFT,
      ESIM,
      await bill(),
      { ...TOPUP, recipientPhoneNumber: "+50251119001" },
    ];
    const earlierOf = async (wanted: TestLine[]) =>
      (await check(wanted)).map(({ earlier }: { earlier?: object }) => earlier);
    const none = (wanted: TestLine[]) => wanted.map(() => undefined);
    expect(await earlierOf(lines)).toEqual(none(lines));
    const { saleId, saleNumber } = (await owner.sell(lines)).body;
    await till.advance(3 * MINUTE);
    const sale = { saleId, saleNumber, clerk: "Olga", same: true };
    const delivered = { ...sale, outcome: "DELIVERED" };
    expect(await earlierOf(lines)).toMatchObject([
      ...Array.from({ length: 4 }, () => delivered),
      { ...sale, outcome: "NOT_DELIVERED" },
    ]);
    // A different amount for the same number is a different sale.
    const others = [
      { ...TOPUP, recipientPhoneNumber: "+50251118888" },
      { ...TOPUP, recipientPhoneNumber: "+50251119999", offerId: "TIGO_GT_TOPUP_50" },
    ];
    expect(await earlierOf(others)).toMatchObject([undefined, { ...delivered, same: false }]);
    await till.advance(8 * MINUTE);
    expect(await earlierOf(lines)).toEqual(none(lines));
  });

  it("reports an unfinished sale of any age before other sales to the number", async () => {
    const recipientPhoneNumber = "+50251119004";
    const { saleId } = (await owner.sell([{ ...TOPUP, recipientPhoneNumber }])).body;
    await till.advance(60 * MINUTE);
    const [line] = await check([{ offerId: "TIGO_GT_TOPUP_50", recipientPhoneNumber }]);
    expect(line.earlier).toMatchObject({ saleId, outcome: "STILL_SENDING", same: false });
  });

  it("lists promotions that apply, in the shop's language", async () => {
    const recipientPhoneNumber = "+50230000000";
    const [claro, tigo] = await check([
      { offerId: "CLARO_GT_TOPUP_25", recipientPhoneNumber },
      TOPUP,
    ]);
    expect(claro.promos).toMatchObject([
      { promoId: "CLARO_GT_BONUS_DATA_2026_01", currency: "GTQ", language: "es" },
    ]);
    expect(tigo.promos).toEqual([]);
    const [small] = await check([{ offerId: "CLARO_GT_TOPUP_5", recipientPhoneNumber }]);
    expect(small.promos).toEqual([]);
    const { list, promos } = (await owner.pos("GET", "/offers?country=GT&brand=CLARO&language=en"))
      .body;
    expect(promos).toMatchObject([
      { description: "Top up with 10 GTQ to 200 GTQ and receive 2 GB of data on top." },
    ]);
    const on = (offerId: string) => promos[0].offerIds.includes(offerId);
    expect([on("CLARO_GT_TOPUP_25"), on("CLARO_GT_TOPUP_5")]).toEqual([true, false]);
    expect(list.length).toBeGreaterThan(promos[0].offerIds.length);
    expect(promos[0].mayOfferIds).toContain("CLARO_GT_TOPUP_RANGE");
    const bills = "/offers?productType=BILL_PAY&country=GT&brand=CLARO";
    expect((await owner.pos("GET", bills)).body.promos).toEqual([]);
  });
});
