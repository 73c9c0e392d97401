import { afterEach, beforeEach, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { Provider } from "../../../providers/provider.ts";
import { fulfilmentOf } from "../../../providers/simulator/simulator.ts";
import { setWritable } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

/** rules#purchase-unwritten-answer */
let till: TestGateway;
let submitted: string[];
let inquired: string[];
let refundsAsked: number;
/** Runs while the provider handles a request. */
let meanwhile: () => Promise<void>;

const provider: Provider = {
  async submit(order) {
    submitted.push(order.transactionId);
    await meanwhile();
    return { kind: "fulfilled", fulfilment: fulfilmentOf(order, till.clock.now()) };
  },
  async inquire(order) {
    inquired.push(order.transactionId);
    return { kind: "fulfilled", fulfilment: fulfilmentOf(order, till.clock.now()) };
  },
  async refund() {
    refundsAsked += 1;
    await meanwhile();
    return { kind: "refunded" };
  },
  readEsim: async () => ({
    decided: { firstInstalledAt: undefined, isPlanUsed: false },
    details: [],
    deviations: [],
  }),
  findBill: () => Promise.reject(new Error("nobody asks for a bill here")),
};

beforeEach(async () => {
  submitted = [];
  inquired = [];
  refundsAsked = 0;
  meanwhile = async () => {};
  till = await startTestGateway({ providers: { test: provider } });
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function writable(yes: boolean): Promise<void> {
  await setWritable(till.gateway.context.db, yes);
}

async function buy(transactionId: string): Promise<void> {
  const recipientPhoneNumber = "+50251234567";
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber };
  expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
  await till.settle();
}

async function statusOf(transactionId: string): Promise<string> {
  return (await till.v1("GET", `/topups/purchases/${transactionId}`)).body.status;
}

it("a sale whose answer could not be written is queried as soon as writing works again", async () => {
  meanwhile = () => writable(false);
  await buy("lost");
  await till.advance(2 * MINUTE);
  expect(await statusOf("lost")).toBe("IN_PROGRESS");
  expect(inquired).toEqual([]);

  await writable(true);
  await till.advance(10 * SECOND);
  expect(await statusOf("lost")).toBe("DONE");
  expect(submitted).toEqual(["lost"]);
  // With several writing connections, the job at the deadline may also query.
  expect(new Set(inquired)).toEqual(new Set(["lost"]));
  const asked = inquired.length;
  await till.advance(HOUR);
  expect(inquired).toHaveLength(asked);
});

it("a sale whose answer could not be written is queried at once after a short failure", async () => {
  meanwhile = async () => {
    meanwhile = async () => {};
    await writable(false);
    setImmediate(() => void writable(true));
  };
  await buy("moment");
  await till.advance(10 * SECOND);
  expect(await statusOf("moment")).toBe("DONE");
  expect(submitted).toEqual(["moment"]);
});

it("each of many sales with unwritten answers is sent once and then queried, even if the disk fails again", async () => {
  meanwhile = () => writable(false);
  const ids = Array.from({ length: 12 }, (_, n) => `many-${n}`);
  for (const id of ids) {
    await writable(true);
    await buy(id);
  }
  await writable(true);
  meanwhile = async () => {};
  await till.advance(10 * SECOND);
  for (const id of ids) expect(await statusOf(id)).toBe("DONE");
  expect(submitted).toEqual(ids);
  // An inquiry that meets the second disk failure is repeated.
  expect(new Set(inquired)).toEqual(new Set(ids));
  const asked = inquired.length;
  await till.advance(HOUR);
  expect(inquired).toHaveLength(asked);
});

it("a refund whose answer could not be written is requested again as soon as writing works", async () => {
  await till.v1("POST", "/esim/purchases", { offerId: "AIRALO_ES_1GB_7D", transactionId: "esim" });
  await till.advance(SECOND);
  meanwhile = () => writable(false);
  expect((await till.v1("POST", "/esim/purchases/esim/refund")).status).toBe(200);
  await till.advance(HOUR);
  meanwhile = async () => {};
  await writable(true);
  await till.advance(30 * SECOND);
  expect((await till.v1("GET", "/esim/purchases/esim/refund")).body.status).toBe("DONE");
  expect(refundsAsked).toBeGreaterThan(1);
});
