import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY, SECOND } from "../../../lib/clock.ts";
import { type FakeUpstream, startFakeUpstream } from "../../../testing/fake-upstream.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";
import { TransactionReader } from "../../office/sales-office/index.ts";

const TOPUP = "TIGO_GT_TOPUP_25";
const OWNER = { accountId: "default", environment: "live", staffId: undefined } as const;
const LIVE = { accountId: "default", environment: "live" } as const;

let till: TestGateway;
let upstream: FakeUpstream;

beforeEach(async () => {
  till = await startTestGateway();
  upstream = await startFakeUpstream(till.clock);
  await giveLiveCatalog(till, [TOPUP]);
  const { context } = till.gateway;
  await context.recharges.recharge(OWNER, 100_000);
  const there = { baseUrl: upstream.url, key: "live_a-secret-0123456789", allowPrivate: true };
  await context.upstream.connect(OWNER, there);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
  await upstream.close();
});

it("unreadable responses alert the owner and show the clerk the missing field", async () => {
  const owner = await openTill(till);
  upstream.ask = ({ reply, body }) =>
    reply(200, { transactionId: body.transactionId, status: "DONE" });
  const body = { offerId: TOPUP, transactionId: "bare", recipientPhoneNumber: "+50251234567" };
  await till.v1("POST", "/topups/purchases", body, "live");
  await till.settle();
  await till.gateway.context.engine.idle();
  await till.advance(2 * SECOND);
  const { body: record } = await till.v1("GET", "/topups/purchases/bare", undefined, "live");
  expect(record).toMatchObject({ status: "DONE", confirmation: { confirmationNumber: "" } });

  const { context } = till.gateway;
  const details = await new TransactionReader(context).get(LIVE, "bare");
  expect(details.deviations).toContainEqual({
    field: "confirmation",
    kind: "MISSING",
    needed: true,
  });
  const { deviations } = await context.upstream.getStatus(LIVE);
  expect(deviations[0]).toMatchObject({
    provider: new URL(upstream.url).host,
    field: "confirmation",
    lastReference: "bare",
    count: 1,
  });

  await till.gateway.context.alertRounds.look();
  const { body: alerts } = await owner.pos("GET", "/alerts");
  expect(
    alerts.open.filter(({ kind }: { kind: string }) => kind === "PROVIDER_ANSWERS"),
  ).toMatchObject([{ cause: "ANSWER_UNREADABLE", facts: { field: "confirmation", sale: "bare" } }]);

  const answer = async () => {
    const { rows } = await sql<{ answer_sealed: string | null }>`
      select answer_sealed from purchases where transaction_id = 'bare'`.execute(
      till.gateway.context.db,
    );
    return rows[0]?.answer_sealed;
  };
  expect(await answer()).toEqual(expect.not.stringContaining("DONE"));
  till.clock.set(till.clock.now() + 91 * DAY);
  await till.advance(DAY);
  expect(await answer()).toBeNull();
});
