import { afterEach, beforeEach, expect, it } from "vitest";
import type { Environment } from "../../../contract/common.ts";
import { HOUR, MINUTE } from "../../../lib/clock.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { createLiveSimulator } from "../../../testing/live-simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

const OFFER = "TIGO_GT_TOPUP_25";
/**
 * Simulator numbers. In this order: delivered; failing until the end; delivered, but reported only
 * on a status inquiry; without any response.
 */
const DELIVERED = "+50251234567";
const NEVER_RECOVERS = "+50251239004";
const SAYS_LATER = "+50251239005";
const SILENT = "+50251239006";

let till: TestGateway;
let owner: TestTill;

beforeEach(async () => {
  till = await startTestGateway({ providers: { live: createLiveSimulator(() => till) } });
  owner = await openTill(till);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function buy(recipientPhoneNumber: string, environment: Environment = "test") {
  const transactionId = recipientPhoneNumber.slice(1);
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber };
  expect((await till.v1("POST", "/topups/purchases", body, environment)).status).toBe(200);
}

async function underWay() {
  const { lines, purchases } = await till.gateway.listUnfinished();
  return { lines: lines.length, purchases };
}

it("a purchase of /v1 counts as unfinished until it ends, even if its outcome is unknown for hours", async () => {
  await owner.sell([{ offerId: OFFER, recipientPhoneNumber: NEVER_RECOVERS }]);
  expect(await underWay()).toEqual({ lines: 1, purchases: 0 });
  for (const number of [DELIVERED, SAYS_LATER, SILENT]) await buy(number);
  expect(await underWay()).toEqual({ lines: 1, purchases: 3 });
  await till.advance(MINUTE);
  expect(await underWay()).toEqual({ lines: 1, purchases: 2 });
  // The response omits purchases of other programs.
  const { body } = await owner.pos("GET", "/unfinished");
  expect(Object.keys(body).sort()).toEqual(["lines", "openShifts"]);
  await till.advance(3 * HOUR);
  expect(await underWay()).toEqual({ lines: 1, purchases: 1 });
});

it("unfinished purchases in the live environment count like those in the test environment", async () => {
  await giveLiveCatalog(till, [OFFER]);
  const live = { accountId: "default", environment: "live", staffId: undefined } as const;
  await till.gateway.context.recharges.recharge(live, 100_000);
  await buy(SILENT, "live");
  await buy(SILENT);
  expect(await underWay()).toEqual({ lines: 0, purchases: 2 });
});

it("an unfinished purchase is resumed after a restart, and still counts", async () => {
  await buy(SILENT);
  await till.settle();
  await till.restart();
  expect(await underWay()).toEqual({ lines: 0, purchases: 1 });
});
