import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import {
  approveRefused,
  OWNER_PIN,
  openTill,
  type TestLine,
  type TestSale,
  type TestTill,
} from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let ana: TestTill;
let ben: TestTill;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  ana = await addClerk("Ana");
  ben = await addClerk("Ben");
});
afterAll(() => till.close());

async function addClerk(name: string, ownRights = {}): Promise<TestTill> {
  const person = { name, role: "clerk", pin: "1739" };
  const { staffId } = (await owner.pos("POST", "/staff", person)).body;
  await owner.pos("PATCH", `/staff/${staffId}`, { ownRights });
  return owner.signIn(staffId, "1739");
}

const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const ESIM: TestLine = { productType: "ESIM", offerId: "AIRALO_ES_1GB_7D" };
const TOPUP: TestLine = {
  productType: "TOPUP",
  offerId: "TIGO_GT_TOPUP_25",
  recipientPhoneNumber: "+50251234567",
};
const SELLER_SEES = 10 * MINUTE;

async function sellWithDetails(seller: TestTill): Promise<TestSale> {
  const sale = await seller.prepareSale([CARD, ESIM]);
  expect((await seller.pos("POST", "/sales", sale)).status).toBe(200);
  await till.settle();
  await till.advance(1_000);
  return sale;
}

async function readSecrets({ saleId }: TestSale): Promise<string[]> {
  const { context } = till.gateway;
  const scope = {
    accountId: context.accountId,
    environment: "test" as const,
    training: false,
  };
  const { lines } = await context.sales.getForPrint(scope, saleId, "en");
  const secrets = lines.flatMap(({ voucher, esim }) => [
    ...(voucher ? [voucher.epin] : []),
    ...(esim ? [esim.activationCode] : []),
  ]);
  expect(secrets.filter((secret) => secret.length > 5)).toHaveLength(2);
  return secrets;
}

async function readDetails(reader: TestTill, { saleId }: TestSale): Promise<string[]> {
  const { lines } = (await reader.pos("GET", `/sales/${saleId}`)).body;
  for (const line of lines) {
    expect(line.outcome).toBe("DELIVERED");
    expect((line.voucher ?? line.esim) !== undefined).toBe(line.details === "SHOWN");
  }
  return lines.map(({ details }: { details: string }) => details);
}

async function readTrail({ saleId }: TestSale): Promise<{ action: string; name: string }[]> {
  const { list } = (await owner.pos("GET", "/audit-trail?limit=200")).body;
  return list
    .filter(({ subject }: { subject: string }) => subject === saleId)
    .map(({ action, staff }: { action: string; staff: { name: string } }) => {
      return { action, name: staff.name };
    });
}

const SHOWN = ["SHOWN", "SHOWN"];
const HIDDEN = ["HIDDEN", "HIDDEN"];

describe("PINs and activation codes", () => {
  it("stay visible to their seller until ten minutes after the delivery, and hidden from all others", async () => {
    const ofAna = await sellWithDetails(ana);
    expect(await readDetails(ana, ofAna)).toEqual(SHOWN);
    expect(await readDetails(ben, ofAna)).toEqual(HIDDEN);
    expect(await readDetails(owner, ofAna)).toEqual(HIDDEN);
    await till.advance(SELLER_SEES - 2_000);
    expect(await readDetails(ana, ofAna)).toEqual(SHOWN);
    await till.advance(2_000);
    expect(await readDetails(ana, ofAna)).toEqual(HIDDEN);
  });

  it("stay hidden if the same sale request is repeated later or by another person", async () => {
    const sale = await sellWithDetails(ana);
    const again = async (who: TestTill) =>
      (await who.pos("POST", "/sales", sale)).body.lines.map(
        (line: { details: string }) => line.details,
      );
    expect(await again(ana)).toEqual(SHOWN);
    expect(await again(ben)).toEqual(HIDDEN);
    await till.advance(SELLER_SEES);
    expect(await again(ana)).toEqual(HIDDEN);
  });

  it("stay hidden from colleagues and owners, even in events", async () => {
    const sale = await sellWithDetails(ana);
    await ana.pos("PUT", "/held-sales/h1", { name: "x", lines: [] });
    const secrets = await readSecrets(sale);
    const iccid = (await ana.pos("GET", `/sales/${sale.saleId}`)).body.lines[1].esim.iccid;
    const { shift } = (await ana.pos("GET", "/shifts/current")).body;
    const paths = [
      `/sales/${sale.saleId}`,
      "/sales?limit=50&offset=0",
      "/sales?limit=50&offset=0&search=1",
      "/recents",
      "/favourites",
      "/held-sales",
      "/unfinished",
      "/shifts",
      `/shifts/${shift.shiftId}/x`,
      `/shifts/${shift.shiftId}/movements`,
      "/z-reports?limit=10&offset=0",
      "/audit-trail?limit=200",
      "/webhooks",
      "/reconciliation",
      "/printers",
      "/search-index",
      "/status",
      `/esims/${iccid}`,
      "/phone?number=%2B50251234567",
    ];
    const read: string[] = [];
    for (const reader of [ben, owner]) {
      for (const path of paths) {
        read.push(JSON.stringify((await reader.pos("GET", path)).body ?? ""));
      }
      read.push(await readStream(reader));
    }
    for (const path of ["/metrics", "/readyz", "/v1/openapi.json"]) {
      read.push(JSON.stringify((await till.call("GET", path)).body ?? ""));
    }
    for (const secret of secrets) {
      expect(read.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
});

async function readStream({ cookie }: TestTill): Promise<string> {
  const headers = { cookie, accept: "text/event-stream", "last-event-id": "0" };
  const abort = new AbortController();
  const response = await fetch(`${till.url}/pos/events`, { headers, signal: abort.signal });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("event: wallet")) break;
  }
  abort.abort();
  return text;
}

describe("a print of a sale", () => {
  it("needs the reveal permission for a colleague, even for the first print, and is recorded", async () => {
    const sale = await sellWithDetails(ana);
    const path = `/sales/${sale.saleId}/prints`;
    const refused = await ben.pos("POST", path);
    expect([refused.status, refused.body.errorCode]).toEqual([403, "APPROVAL_REQUIRED"]);
    expect(refused.body.fields.needs).toContain("reveal");
    expect(await readTrail(sale)).toEqual([]);
    const by = { staffId: owner.staffId, pin: OWNER_PIN, subject: sale.saleId };
    const approvalId = await approveRefused(ben, refused, by);
    const printed = await ben.pos("POST", `${path}?approvalId=${approvalId}`);
    expect(printed.body).toMatchObject({
      copyNumber: 0,
      sale: { lines: [{ details: "SHOWN" }, {}] },
    });
    const dan = await addClerk("Dan", { reveal: true });
    expect((await dan.pos("POST", path)).body.copyNumber).toBe(1);
    expect(await readTrail(sale)).toEqual([
      { action: "receipt.reprint", name: "Dan" },
      { action: "receipt.print", name: "Ben" },
      { action: "approval.use", name: "Ben" },
      { action: "approval.give", name: "Olga" },
    ]);
  });

  it("needs only the reprint permission if the sale has no redeemable details", async () => {
    const sale = await ana.prepareSale([{ ...TOPUP }]);
    expect((await ana.pos("POST", "/sales", sale)).status).toBe(200);
    await till.settle();
    await till.advance(1_000);
    expect((await ben.pos("POST", `/sales/${sale.saleId}/prints`)).status).toBe(200);
    expect(await readTrail(sale)).toEqual([{ action: "receipt.print", name: "Ben" }]);
  });

  it("needs the reprint and the reveal permission for the seller after the time limit, and is recorded", async () => {
    const cleo = await addClerk("Cleo", { reprint: false });
    const [inTime, late] = [await sellWithDetails(cleo), await sellWithDetails(cleo)];
    expect((await cleo.pos("POST", `/sales/${inTime.saleId}/prints`)).status).toBe(200);
    expect(await readTrail(inTime)).toEqual([]);
    await till.advance(SELLER_SEES);
    const refused = await cleo.pos("POST", `/sales/${late.saleId}/prints`);
    expect(refused.body.errorCode).toBe("APPROVAL_REQUIRED");
    expect(refused.body.fields.needs).toBe("reprint reveal");
    const by = { staffId: owner.staffId, pin: OWNER_PIN, subject: late.saleId };
    const approvalId = await approveRefused(cleo, refused, by);
    const path = `/sales/${late.saleId}/prints?approvalId=${approvalId}`;
    expect((await cleo.pos("POST", path)).body.sale.lines[0].voucher.epin).not.toBe("");
    expect((await readTrail(late)).map(({ action }) => action)).toEqual([
      "receipt.print",
      "approval.use",
      "approval.give",
    ]);
    // A print does not reveal the details on the screen.
    expect(await readDetails(cleo, late)).toEqual(HIDDEN);
  });
});

describe("a reveal", () => {
  it("needs a permission that clerks do not have, or an approval, and is recorded", async () => {
    const sale = await sellWithDetails(ana);
    const path = `/sales/${sale.saleId}/reveal`;
    const refused = await ben.pos("POST", path, {});
    expect([refused.status, refused.body.errorCode, refused.body.fields.right]).toEqual([
      403,
      "APPROVAL_REQUIRED",
      "reveal",
    ]);
    expect(await readTrail(sale)).toEqual([]);
    const by = { staffId: owner.staffId, pin: OWNER_PIN, subject: sale.saleId };
    const approvalId = await approveRefused(ben, refused, by);
    const shown = (await ben.pos("POST", path, { approvalId })).body;
    expect(shown.lines.map((line: { details: string }) => line.details)).toEqual(SHOWN);
    expect([shown.lines[0].voucher.epin, shown.lines[1].esim.activationCode]).toEqual(
      await readSecrets(sale),
    );
    expect((await owner.pos("POST", path, {})).body.lines[0].details).toBe("SHOWN");
    expect(await readTrail(sale)).toEqual([
      { action: "sale.reveal", name: "Olga" },
      { action: "sale.reveal", name: "Ben" },
      { action: "approval.use", name: "Ben" },
      { action: "approval.give", name: "Olga" },
    ]);
  });

  it("leaves no record if the seller still sees the details", async () => {
    const sale = await sellWithDetails(ana);
    const { status, body } = await ana.pos("POST", `/sales/${sale.saleId}/reveal`, {});
    expect([status, body.lines[0].details]).toEqual([200, "SHOWN"]);
    expect(await readTrail(sale)).toEqual([]);
  });
});

describe("a sale that names its environment", () => {
  it("fails in any other environment, and leaves no trace there", async () => {
    const sale = await owner.prepareSale([CARD]);
    const elsewhere = await owner.pos("POST", "/sales", { ...sale, environment: "live" });
    expect([elsewhere.status, elsewhere.body.fields]).toEqual([
      409,
      { environment: "must be test" },
    ]);
    expect((await owner.pos("GET", `/sales/${sale.saleId}`)).status).toBe(404);
    const here = await owner.pos("POST", "/sales", { ...sale, environment: "test" });
    expect([here.status, here.body.environment]).toEqual([200, "test"]);
  });
});
