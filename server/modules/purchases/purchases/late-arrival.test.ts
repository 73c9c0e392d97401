import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import type { Provider, ProviderAnswer } from "../../../providers/provider.ts";
import { fulfilmentOf } from "../../../providers/simulator/simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

const SHOP = { accountId: "default" } as const;

let till: TestGateway;
let arrived: boolean;
let submissions: number;
/** The answer to inquiries until the first submission has arrived. */
let earlier: ProviderAnswer;
/** Runs while the second submission waits for its answer. */
let meanwhile: () => Promise<unknown>;

/** Delays the first submission and never answers it. Asks for a retry of the second submission. */
const slowRoad: Provider = {
  async submit(_order, signal) {
    submissions += 1;
    if (submissions > 1) {
      await meanwhile();
      return { kind: "recoverable", message: "the provider is busy" };
    }
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("no answer")), { once: true });
    });
  },
  async inquire(order) {
    if (!arrived) return earlier;
    return { kind: "fulfilled", fulfilment: fulfilmentOf(order, till.clock.now()) };
  },
  refund: () => Promise.reject(new Error("nobody asks for a refund here")),
  readEsim: () => Promise.reject(new Error("nobody asks for a plan here")),
  findBill: () => Promise.reject(new Error("nobody asks for a bill here")),
};

beforeEach(async () => {
  arrived = false;
  submissions = 0;
  earlier = { kind: "not-received" };
  meanwhile = async () => {};
  till = await startTestGateway({ providers: { test: slowRoad } });
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function buyAndRestart(): Promise<void> {
  await till.v1("POST", "/topups/purchases", {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId: "late",
    recipientPhoneNumber: "+50251234567",
  });
  await till.settle();
  await till.restart();
  await till.settle();
}

async function outcome() {
  const { status, error } = (await till.v1("GET", "/topups/purchases/late")).body;
  return error?.code ?? status;
}

describe("a submission that arrives after an inquiry and a second submission", () => {
  it("completes the purchase even if the clock jumped forward by days", async () => {
    await buyAndRestart();
    till.clock.jump(2 * DAY);
    await till.advance(MINUTE);
    arrived = true;
    await till.advance(30 * MINUTE);
    expect(await outcome()).toBe("DONE");
    expect(submissions).toBe(2);
  });

  it("completes the purchase even if the queue was switched off", async () => {
    meanwhile = () => till.gateway.context.settings.change(SHOP, { test: { queueEnabled: false } });
    await buyAndRestart();
    expect(await outcome()).toBe("IN_PROGRESS");
    arrived = true;
    await till.advance(15 * MINUTE);
    expect(await outcome()).toBe("DONE");
    expect(submissions).toBe(2);
  });

  it("completes the purchase after the provider reported a failure, with the queue switched off", async () => {
    await till.gateway.context.settings.change(SHOP, { test: { queueEnabled: false } });
    earlier = { kind: "recoverable", message: "the provider is busy" };
    await buyAndRestart();
    expect(await outcome()).toBe("IN_PROGRESS");
    arrived = true;
    await till.advance(15 * MINUTE);
    expect(await outcome()).toBe("DONE");
  });

  it("fails the purchase at the end of the window if the submission never arrives", async () => {
    await buyAndRestart();
    till.clock.jump(2 * DAY);
    await till.advance(31 * MINUTE);
    expect(await outcome()).toBe("RETRY_WINDOW_EXPIRED");
    expect(submissions).toBe(2);
  });
});
