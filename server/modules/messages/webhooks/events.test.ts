import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WebhookKind } from "../../../contract/pos/webhooks.ts";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";
import { readCatalogFile } from "../../catalog/catalog/index.ts";

let till: TestGateway;
let receiver: Receiver;
beforeEach(async () => {
  till = await startTestGateway();
  receiver = await startReceiver(till);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
  await receiver.close();
});

const OWNER = { accountId: "default", staffId: undefined };
const TEST = { accountId: "default", environment: "test" } as const;

function add(kind: WebhookKind) {
  const url = `${receiver.url}/hook`;
  const input = { environment: "test", kind, url, allowPrivate: true } as const;
  return till.gateway.context.webhooks.add(OWNER, input);
}

async function buy(transactionId: string): Promise<void> {
  const recipientPhoneNumber = "+50251234567";
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber };
  expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
}

describe("an event", () => {
  /** Compares bytes, not only fields. */
  async function expectBytesOf(path: string): Promise<void> {
    const { body } = await till.v1("GET", path);
    expect(receiver.received.map((one) => one.body)).toEqual([JSON.stringify(body)]);
  }

  it("equals the response of GET for a refund, which it follows once", async () => {
    await add("REFUND");
    const esim = { offerId: "AIRALO_ES_1GB_7D", transactionId: "roaming" };
    await till.v1("POST", "/esim/purchases", esim);
    await till.advance(2 * SECOND);
    expect((await till.v1("POST", "/esim/purchases/roaming/refund")).status).toBe(200);
    await till.advance(MINUTE);
    await expectBytesOf("/esim/purchases/roaming/refund");
    expect(JSON.parse(receiver.received[0]!.body).status).toBe("DONE");
    expect(receiver.received[0]!.headers["webhook-kind"]).toBe("REFUND");
  });

  it("equals the response of GET for a report at the address of its request", async () => {
    await add("REPORT");
    const period = { startGte: "2026-01-01T00:00:00Z", endLt: "2026-01-15T00:00:00Z" };
    const { reportId } = (await till.v1("POST", "/reports/transactions", period)).body;
    await till.settle();
    await expectBytesOf(`/reports/transactions/${reportId}`);
    expect(JSON.parse(receiver.received[0]!.body).status).toBe("Ready");
  });

  it("equals the response of GET for the balance, once for each time it becomes low", async () => {
    await openTill(till);
    await add("BALANCE");
    const { alertRounds, walletOffice } = till.gateway.context;
    const author = { ...OWNER, environment: "test" } as const;
    await alertRounds.look();
    await walletOffice.setAlert(author, { lowAmount: 200_000 });
    await alertRounds.look();
    await till.settle();
    await expectBytesOf("/balance");
    await buy("still-low");
    await till.advance(MINUTE);
    await alertRounds.look();
    await till.settle();
    expect(receiver.received).toHaveLength(1);
  });
});

describe("the balance where no till sells", () => {
  it("sends a message without a set-up shop, once until it has risen above the limit", async () => {
    await add("BALANCE");
    const { alertRounds, recharges, walletOffice } = till.gateway.context;
    const look = async () => {
      await alertRounds.look();
      await till.settle();
    };
    const author = { ...OWNER, environment: "test" } as const;
    await walletOffice.setAlert(author, { lowAmount: 1_000 });
    await look();
    expect(receiver.received).toEqual([]);
    for (const [amount, messages] of [
      [1_000, 1],
      [1_100, 1],
      [900, 1],
      [1_200, 1],
      [0, 2],
    ] as const) {
      await recharges.setTestWallet(TEST, amount);
      await look();
      await look();
      expect(receiver.received).toHaveLength(messages);
    }
    const { body } = await till.v1("GET", "/balance");
    expect(receiver.received.at(-1)?.body).toBe(JSON.stringify(body));
  });
});

describe("a balance that recovers while no webhook takes it", () => {
  it("reaches a later webhook when it becomes low again", async () => {
    const { alertRounds, recharges, walletOffice, webhooks } = till.gateway.context;
    const set = async (amount: number) => {
      await recharges.setTestWallet(TEST, amount);
      await alertRounds.look();
      await till.settle();
    };
    await walletOffice.setAlert({ ...OWNER, environment: "test" }, { lowAmount: 1_000 });
    const { webhook } = await add("BALANCE");
    await set(900);
    expect(receiver.received).toHaveLength(1);
    await webhooks.remove(OWNER, webhook.webhookId);
    await set(5_000);
    await add("BALANCE");
    await set(900);
    expect(receiver.received).toHaveLength(2);
  });
});

describe("a change of the catalog", () => {
  it("sends one message with the numbers of changed offers, and none if no offer changed", async () => {
    await add("CATALOG");
    const { catalogUpdates } = till.gateway.context;
    const content = await catalogUpdates.read(TEST);
    const origin = { source: "shop.json", action: "catalog.import" } as const;
    const replace = () => {
      const { input } = readCatalogFile(Buffer.from(JSON.stringify(content)));
      return catalogUpdates.replace(TEST, input, origin);
    };
    const [first, second] = content.topups;
    first!.notes = "Changed";
    second!.notes = "Changed";
    content.esim.pop();
    const { version } = await replace();
    await till.settle();
    expect(receiver.received.map((one) => JSON.parse(one.body))).toEqual([
      {
        version,
        updatedAt: expect.any(String),
        offers: { added: 0, changed: 2, removed: 1 },
      },
    ]);
    expect(receiver.received[0]!.headers["webhook-kind"]).toBe("CATALOG");
    await replace();
    content.promos[0]!.endAt = "2026-12-31T00:00:00.000Z";
    expect(await replace()).toMatchObject({ changed: true });
    await till.settle();
    expect(receiver.received).toHaveLength(1);
  });

  it("sends each changed promotion as GET returns it, once", async () => {
    await add("PROMOTION");
    const { catalogUpdates } = till.gateway.context;
    const content = await catalogUpdates.read(TEST);
    const promo = content.promos[0]!;
    promo.endAt = "2026-12-31T00:00:00.000Z";
    const { input } = readCatalogFile(Buffer.from(JSON.stringify(content)));
    const origin = { source: "shop.json", action: "catalog.import" } as const;
    expect(await catalogUpdates.replace(TEST, input, origin)).toMatchObject({ changed: true });
    await till.settle();
    const { body } = await till.v1("GET", `/promos/${promo.id}`);
    expect(receiver.received.map((one) => one.body)).toEqual([JSON.stringify(body)]);
    expect(body.endAt).toBe(promo.endAt);
    expect(await catalogUpdates.replace(TEST, input, origin)).toMatchObject({ changed: false });
    await till.settle();
    expect(receiver.received).toHaveLength(1);
  });
});
