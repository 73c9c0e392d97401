import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Simulator } from "./suppliers/simulator.ts";
import type { Supplier } from "./suppliers/supplier.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "./testing/test-gateway.ts";
import { approveRefused, OWNER_PIN, openTill, type TestTill } from "./testing/test-till.ts";
import { startReceiver } from "./testing/webhook-receiver.ts";

/** Two gateways on one database, each with connections of its own. */
let gateways: [TestGateway, TestGateway];

/** What the provider was sent, by the ids of transactions. */
let submitted: string[];

beforeEach(async () => {
  submitted = [];
  const suppliers = { test: createProvider() };
  const first = await startTestGateway({ suppliers });
  gateways = [first, await startGatewayBeside(first, { suppliers })];
});
afterEach(async () => {
  const [first, second] = gateways;
  await first.expectCleanBooks();
  await second.close();
  await first.close();
});

const OFFER = "TIGO_GT_TOPUP_25";
const LINE = { offerId: OFFER, recipientPhoneNumber: "+50251234567" };
const COST = 297;
const TEST = { accountId: "default", environment: "test" } as const;

/** A provider that delivers as the simulator does, and counts. */
function createProvider(): Supplier {
  let simulator: Simulator | undefined;
  const provider = () => {
    simulator ??= new Simulator(gateways[0].gateway.context);
    return simulator;
  };
  return {
    submit(order, signal) {
      submitted.push(order.transactionId);
      return provider().submit(order, signal);
    },
    enquire: (order) => provider().enquire(order),
    refund: (order) => provider().refund(order),
    readEsim: (esim) => provider().readEsim(esim),
    findBill: (query) => provider().findBill(query),
  };
}

/** Lets both do what is due, and what is delivered a second later. */
async function settle(): Promise<void> {
  for (const each of gateways) await each.settle();
  await gateways[0].advance(1_000);
  await gateways[1].settle();
}

function buy(gateway: TestGateway, transactionId: string) {
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber: "+50251234567" };
  return gateway.v1("POST", "/topups/purchases", body);
}

/** The same request at both, at once. */
function callBoth(till: TestTill, path: string, body?: unknown) {
  const init = { headers: { cookie: till.cookie }, ...(body !== undefined && { body }) };
  return Promise.all(gateways.map((gateway) => gateway.call("POST", `/pos${path}`, init)));
}

async function addClerks(owner: TestTill, count: number): Promise<TestTill[]> {
  const tills: TestTill[] = [];
  for (let number = 1; number <= count; number++) {
    const added = { name: `Clerk ${number}`, role: "clerk", pin: "1739" };
    const { staffId } = (await owner.pos("POST", "/staff", added)).body;
    tills.push(await owner.signIn(staffId, "1739"));
  }
  return tills;
}

describe("two gateways on one PostgreSQL", () => {
  it("sell what a wallet covers that is short by one for the next, to 64 buyers at once", async () => {
    const [first] = gateways;
    await first.gateway.context.recharges.setTestWallet(TEST, 10 * COST + COST - 1);
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => buy(gateways[n % 2]!, `race-${n}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await settle();
    const { body } = await first.v1("GET", "/topups/purchases?_limit=100&_offset=0");
    const outcomes = (body.list as { status: string; error?: { code: string } }[]).map(
      ({ status, error }) => error?.code ?? status,
    );
    expect(outcomes.filter((outcome) => outcome === "DONE")).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === "INSUFFICIENT_FUNDS")).toHaveLength(54);
    for (const { gateway } of gateways) {
      expect(await gateway.context.wallet.getBalances(TEST)).toMatchObject({
        available: COST - 1,
        held: 0,
      });
    }
  });

  it("accept a transaction id once, however often both get it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => buy(gateways[n % 2]!, "same")),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.errorCode))).toEqual(
      new Set(["DUPLICATE_TRANSACTION_ID"]),
    );
    await settle();
  });

  it("give sales and Z reports numbers without a gap", async () => {
    const [first] = gateways;
    const owner = await openTill(first);
    const tills = [owner, ...(await addClerks(owner, 3))];
    const sales = await Promise.all(
      Array.from({ length: 32 }, async (_, n) => ({
        cookie: tills[n % tills.length]!.cookie,
        body: await owner.prepareSale([LINE]),
      })),
    );
    const sold = await Promise.all(
      sales.map(({ cookie, body }, n) =>
        gateways[n % 2]!.call("POST", "/pos/sales", { headers: { cookie }, body }),
      ),
    );
    const numbers = sold.map(({ body }) => body.saleNumber).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 32 }, (_, n) => n + 1));
    await settle();

    const shifts = await Promise.all(
      tills.map(async (till) => (await till.pos("GET", "/shifts/current")).body.shift),
    );
    const closed = await Promise.all(
      tills.map(({ cookie }, n) => {
        const { shiftId } = shifts[n];
        return gateways[n % 2]!.call("POST", `/pos/shifts/${shiftId}/close`, {
          headers: { cookie },
          body: { counted: 0 },
        });
      }),
    );
    const zNumbers = closed.map(({ body }) => body.zNumber).toSorted((a, b) => a - b);
    expect(zNumbers).toEqual([1, 2, 3, 4]);
  });

  it("keep a clerk's limit for the day", async () => {
    const [first] = gateways;
    const owner = await openTill(first);
    const [clerk] = await addClerks(owner, 1);
    const limits = { perDay: 3 * 340 };
    await owner.pos("PATCH", `/staff/${clerk!.staffId}`, { limits });
    const bodies = await Promise.all(Array.from({ length: 24 }, () => clerk!.prepareSale([LINE])));
    const answers = await Promise.all(
      bodies.map((body, n) =>
        gateways[n % 2]!.call("POST", "/pos/sales", {
          headers: { cookie: clerk!.cookie },
          body,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.fields.right))).toEqual(new Set(["perDay"]));
    await settle();
  });

  it("use an approval once", async () => {
    const [first] = gateways;
    const owner = await openTill(first);
    const [clerk] = await addClerks(owner, 1);
    await owner.pos("PATCH", `/staff/${clerk!.staffId}`, { ownRights: { reprint: false } });
    const { saleId } = (await clerk!.sell([LINE])).body;
    const path = `/sales/${saleId}/prints`;
    expect((await clerk!.pos("POST", path)).status).toBe(200);
    for (let round = 0; round < 5; round++) {
      const refused = await clerk!.pos("POST", path);
      const by = { staffId: owner.staffId, pin: OWNER_PIN, subject: saleId };
      const approvalId = await approveRefused(clerk!, refused, by);
      const answers = await callBoth(clerk!, `${path}?approvalId=${approvalId}`);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]));
    }
  });

  it("open one shift for a person, whichever of them is asked", async () => {
    const [first] = gateways;
    const owner = await openTill(first);
    const { shiftId } = (await owner.pos("GET", "/shifts/current")).body.shift;
    await owner.pos("POST", `/shifts/${shiftId}/close`, { counted: 0 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        gateways[n % 2]!.call("POST", "/pos/shifts", {
          headers: { cookie: owner.cookie },
          body: { shiftId: randomUUID(), float: 0 },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.errorCode))).toEqual(new Set(["SHIFT_OPEN"]));
  });

  it("send each purchase to its provider once, and each webhook once", async () => {
    const [first] = gateways;
    const receiver = await startReceiver(first);
    for (const each of gateways.slice(1)) each.outside.add(receiver);
    const owner = { accountId: "default", staffId: undefined };
    const hook = { environment: "test", kind: "TOPUP", allowPrivate: true } as const;
    await first.gateway.context.webhooks.add(owner, { ...hook, url: `${receiver.url}/hook` });
    const ids = Array.from({ length: 60 }, (_, n) => `sent-${n}`);
    await Promise.all(ids.map((id, n) => buy(gateways[n % 2]!, id)));
    for (let second = 0; second < 5; second++) await settle();
    const sold = (body: string) => JSON.parse(body).transactionId as string;
    expect(submitted.toSorted()).toEqual(ids.toSorted());
    expect(receiver.received.map(({ body }) => sold(body)).toSorted()).toEqual(ids.toSorted());
    expect(new Set(receiver.ids).size).toBe(ids.length);
    await receiver.close();
  });
});
