import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EsimPlan } from "../../../contract/v1/esims.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { Order, Provider, RefundAnswer } from "../../../providers/provider.ts";
import { Simulator } from "../../../providers/simulator/simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

/** The provider's next answers to refund requests, instead of the sandbox's answers. */
let nextAnswers: (RefundAnswer | Error)[] = [];
let refundsAsked = 0;
/** Remaining fraction of each plan's data. The provider reports no time of installation. */
let partLeft = 1;
let hasRefunds = true;
let till: TestGateway;

beforeAll(async () => {
  const scripted: Provider = {
    submit: (order, signal) => simulator().submit(order, signal),
    inquire: (order) => simulator().inquire(order),
    async readEsim(esim) {
      const { details, decided, ...usage } = await simulator().readEsim(esim);
      const left = (plan: EsimPlan) => ({
        ...plan,
        remainingDataGB: plan.remainingDataGB * partLeft,
        reamainingDataGB: plan.reamainingDataGB * partLeft,
      });
      const isPlanUsed = partLeft < 1 && details.some(({ unlimited }) => !unlimited);
      const use = { firstInstalledAt: decided?.firstInstalledAt, isPlanUsed };
      return { ...usage, decided: use, details: details.map(left) };
    },
    findBill: (query) => simulator().findBill(query),
  };
  Object.defineProperty(scripted, "refund", { get: () => (hasRefunds ? answerRefund : undefined) });
  async function answerRefund(order: Order): Promise<RefundAnswer> {
    refundsAsked += 1;
    const answer = nextAnswers.shift();
    if (answer instanceof Error) throw answer;
    return answer ?? simulator().refund(order);
  }
  function simulator(): Simulator {
    const { db, transactor, clock } = till.gateway.context;
    return new Simulator({ db, transactor, clock });
  }
  till = await startTestGateway({ providers: { test: scripted } });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});
beforeEach(() => {
  nextAnswers = [];
  refundsAsked = 0;
  partLeft = 1;
  hasRefunds = true;
});

const OFFER = "AIRALO_ES_1GB_7D";
const COST = 328;

async function bought(transactionId: string) {
  await till.v1("POST", "/esim/purchases", { offerId: OFFER, transactionId });
  await till.advance(2 * SECOND);
  return (await till.v1("GET", `/esim/purchases/${transactionId}`)).body;
}
function refund(method: "GET" | "POST", transactionId: string) {
  return till.v1(method, `/esim/purchases/${transactionId}/refund`);
}
async function balance() {
  return (await till.v1("GET", "/balance")).body.availableBalance;
}

describe("the refund of an eSIM", () => {
  it("returns the cost exactly once, as a separate CREDIT transaction", async () => {
    await bought("refund-1");
    const before = await balance();
    const asked = await refund("POST", "refund-1");
    expect(asked.status).toBe(200);
    expect(asked.body).toMatchObject({
      amount: COST,
      currency: "USD",
      currencyDivisor: 100,
      type: "CREDIT",
      productType: "REFUND",
      status: "ACCEPTED",
      refundedTransactionId: "refund-1",
    });
    expect(asked.body.transactionId).not.toBe("refund-1");
    await till.settle();
    const done = (await refund("GET", "refund-1")).body;
    expect(done).toMatchObject({ status: "DONE", transactionId: asked.body.transactionId });
    expect(done.log.map((item: { status: string }) => item.status)).toEqual([
      "ACCEPTED",
      "IN_PROGRESS",
      "DONE",
    ]);
    expect(await balance()).toBe(before + COST);
    const purchase = (await till.v1("GET", "/esim/purchases/refund-1")).body;
    expect(purchase).toMatchObject({ status: "DONE", refund: { status: "DONE" } });
    expect((await till.v1("GET", `/esim/${purchase.confirmation.iccid}/plans`)).body.total).toBe(0);
    const found = await till.v1(
      "GET",
      "/transactions?_limit=10&_offset=0&productType=REFUND&type=CREDIT",
    );
    expect(found.body.list[0]).toMatchObject({ transactionId: asked.body.transactionId });

    for (const _again of [1, 2]) {
      const refused = await refund("POST", "refund-1");
      expect(refused).toMatchObject({ status: 400, body: { errorCode: "REFUND_NOT_ALLOWED" } });
    }
    await till.settle();
    expect(await balance()).toBe(before + COST);
  });

  it("withdraws the eSIM: no plan can be added to the eSIM, and its QR code is not served", async () => {
    const { confirmation } = await bought("refund-gone");
    const more = (transactionId: string) =>
      till.v1("POST", "/esim/purchases", {
        offerId: OFFER,
        transactionId,
        iccid: confirmation.iccid,
      });
    const qrCode = (id: string) => till.v1("GET", `/esim/purchases/${id}/qrcode`);
    nextAnswers = [{ kind: "refused", reason: "the plan has begun" }];
    await refund("POST", "refund-gone");
    await till.settle();
    expect((await qrCode("refund-gone")).status).toBe(200);

    await more("refund-gone-more");
    await till.advance(2 * SECOND);
    await refund("POST", "refund-gone");
    await till.settle();
    // The eSIM still has the second plan.
    expect((await qrCode("refund-gone")).status).toBe(200);
    await refund("POST", "refund-gone-more");
    await till.settle();
    expect((await refund("GET", "refund-gone-more")).body.status).toBe("DONE");

    const before = await balance();
    for (const id of ["refund-gone", "refund-gone-more"]) {
      expect(await qrCode(id)).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    }
    await more("refund-gone-late");
    await till.advance(2 * SECOND);
    const late = (await till.v1("GET", "/esim/purchases/refund-gone-late")).body;
    expect(late).toMatchObject({ status: "FAILED", error: { code: "ICCID_NOT_FOUND" } });
    expect(JSON.stringify(late.error)).toContain("was refunded");
    expect(await balance()).toBe(before);
  });

  it("takes place only once if it is requested 20 times simultaneously", async () => {
    await bought("refund-race");
    const before = await balance();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refund("POST", "refund-race")),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await till.settle();
    expect(await balance()).toBe(before + COST);
  });

  it.each([
    ["that is not done", "refund-open-9004", 0],
    ["that failed", "refund-failed-9002", 0],
    ["that is installed", "refund-used-9008", 0],
    ["that is older than 30 days", "refund-old", 31 * DAY],
  ])("fails with the reason for a purchase %s, and leaves no trace", async (_w, id, wait) => {
    await bought(id);
    till.clock.set(till.clock.now() + wait);
    const answer = await refund("POST", id);
    expect(answer).toMatchObject({ status: 400, body: { errorCode: "REFUND_NOT_ALLOWED" } });
    expect(answer.body.message).toMatch(/: .+\.$/);
    expect((await refund("GET", id)).status).toBe(404);
    expect((await till.v1("GET", `/esim/purchases/${id}`)).body).not.toHaveProperty("refund");
  });

  it("fails for a used plan, even if the provider reports no time of installation", async () => {
    const { confirmation } = await bought("refund-plan");
    partLeft = 0.9;
    const usage = (await till.v1("GET", `/esim/${confirmation.iccid}/plans`)).body;
    expect(usage).toMatchObject({ firstInstalledAt: "", list: [{ initialDataGB: 1 }] });
    expect(await refund("POST", "refund-plan")).toMatchObject({
      status: 400,
      body: {
        errorCode: "REFUND_NOT_ALLOWED",
        message: "The purchase cannot be refunded: a plan of the eSIM has been used.",
      },
    });
    expect((await refund("GET", "refund-plan")).status).toBe(404);
    partLeft = 1;
    expect((await refund("POST", "refund-plan")).status).toBe(200);
    await till.settle();
  });

  it("exists only for eSIMs of the same environment", async () => {
    await bought("refund-mine");
    const path = "/esim/purchases/refund-mine/refund";
    expect((await till.v1("POST", path, undefined, "live")).status).toBe(404);
    expect((await refund("POST", "no-such")).status).toBe(404);
  });

  it("causes further requests if the provider answers late or not at all", async () => {
    await bought("refund-late");
    const before = await balance();
    nextAnswers = [
      new Error("reset"),
      { kind: "recoverable", message: "busy" },
      { kind: "working", checkAgainAt: 0 },
    ];
    await refund("POST", "refund-late");
    await till.settle();
    expect((await refund("GET", "refund-late")).body.status).toBe("IN_PROGRESS");
    await till.advance(30 * MINUTE + 2 * SECOND);
    expect((await refund("GET", "refund-late")).body.status).toBe("DONE");
    expect(refundsAsked).toBe(4);
    expect(await balance()).toBe(before + COST);
  });

  it("fails if the provider refuses it, books nothing, and may be requested again", async () => {
    await bought("refund-no");
    const before = await balance();
    nextAnswers = [{ kind: "refused", reason: "the plan has begun" }];
    await refund("POST", "refund-no");
    await till.settle();
    const failed = (await refund("GET", "refund-no")).body;
    expect(failed).toMatchObject({ status: "FAILED", error: { code: "REFUND_NOT_ALLOWED" } });
    expect(await balance()).toBe(before);
    expect((await refund("POST", "refund-no")).status).toBe(200);
    await till.settle();
    expect((await refund("GET", "refund-no")).body.status).toBe("DONE");
    expect(await balance()).toBe(before + COST);
  });

  it("fails with the reason if the provider has no refunds", async () => {
    await bought("refund-none");
    const before = await balance();
    hasRefunds = false;
    await refund("POST", "refund-none");
    await till.settle();
    const { status, error } = (await refund("GET", "refund-none")).body;
    expect([status, error.code]).toEqual(["FAILED", "REFUND_NOT_ALLOWED"]);
    expect(error.message).toContain("the provider has no refunds");
    expect(await balance()).toBe(before);
  });

  it("causes another request if the provider refuses it after a request without an answer", async () => {
    await bought("refund-silent");
    const refused: RefundAnswer = { kind: "refused", reason: "the plan has begun" };
    nextAnswers = [new Error("reset"), refused, refused];
    await refund("POST", "refund-silent");
    await till.advance(15 * MINUTE + SECOND);
    expect((await refund("GET", "refund-silent")).body.status).toBe("IN_PROGRESS");
    await till.advance(15 * MINUTE + SECOND);
    expect((await refund("GET", "refund-silent")).body).toMatchObject({
      status: "FAILED",
      error: { code: "REFUND_NOT_ALLOWED" },
    });
    expect(refundsAsked).toBe(3);
  });

  it("fails after 24 hours if the provider never confirms it", async () => {
    await bought("refund-never");
    const before = await balance();
    nextAnswers = Array.from({ length: 200 }, () => ({ kind: "recoverable", message: "busy" }));
    await refund("POST", "refund-never");
    await till.advance(DAY + MINUTE);
    const failed = (await refund("GET", "refund-never")).body;
    expect(failed).toMatchObject({ status: "FAILED", error: { code: "RETRY_WINDOW_EXPIRED" } });
    expect(await balance()).toBe(before);
  });

  it.each<[string, RefundAnswer | Error]>([
    ["cannot be reached", new Error("cannot be reached")],
    ["does not let it in", { kind: "recoverable", message: "too many requests" }],
    ["says that it is under way", { kind: "working", checkAgainAt: 0 }],
  ])(
    "causes queries for a day of running time after a downtime if the provider %s",
    async (what, answer) => {
      const id = `refund-off-${what.length}`;
      await bought(id);
      const before = await balance();
      nextAnswers = Array.from({ length: 500 }, () => answer);
      await refund("POST", id);
      await till.settle();
      await till.gateway.close();
      till.clock.jump(25 * HOUR);
      await till.restart();
      await till.advance(22 * HOUR);
      expect((await refund("GET", id)).body.status).toBe("IN_PROGRESS");
      await till.advance(3 * HOUR);
      const failed = (await refund("GET", id)).body;
      expect(failed).toMatchObject({ status: "FAILED", error: { code: "RETRY_WINDOW_EXPIRED" } });
      expect(await balance()).toBe(before);
    },
  );

  it("resumes after a restart of the gateway", async () => {
    await bought("refund-restart");
    const before = await balance();
    nextAnswers = [{ kind: "recoverable", message: "busy" }];
    await refund("POST", "refund-restart");
    await till.settle();
    await till.restart();
    await till.advance(15 * MINUTE + SECOND);
    expect((await refund("GET", "refund-restart")).body.status).toBe("DONE");
    expect(await balance()).toBe(before + COST);
  });
});
