import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, SECOND } from "../lib/clock.ts";
import { markAskedForADay } from "../testing/asked-for-a-day.ts";
import { digestDatabase } from "../testing/database-digest.ts";
import { type Finished, typeCommand } from "../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

const COST = 297;
const FUNDS = 100_000;
const LONG = "x".repeat(501);

let till: TestGateway;
beforeAll(async () => {
  const noAnswer = () => Promise.reject(new Error("no answer"));
  till = await startTestGateway({
    providers: {
      test: {
        submit: noAnswer,
        inquire: noAnswer,
        refund: noAnswer,
        readEsim: noAnswer,
        findBill: noAnswer,
      },
    },
  });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

function tillgate(...args: string[]): Promise<Finished> {
  return typeCommand(till, args);
}

async function run(...args: string[]): Promise<string> {
  const finished = await tillgate(...args);
  expect([finished.exitCode, finished.stderr]).toEqual([0, ""]);
  return finished.stdout.trimEnd();
}

describe("tillgate reconciliation", () => {
  const settle = ["reconciliation", "settle", "lost", "--env", "test"];

  it("lists a case, counts it in `tillgate status`, settles it only once, and books the delivery", async () => {
    expect(await run("reconciliation", "list", "--env", "test")).toBe(
      "There is nothing to reconcile.",
    );
    const status = await run("status");
    expect(status).not.toContain("to reconcile");
    expect(status).toContain("Only this machine reaches Tillgate");
    for (const transactionId of ["lost", "found"]) {
      await till.v1("POST", "/topups/purchases", {
        offerId: "TIGO_GT_TOPUP_25",
        transactionId,
        recipientPhoneNumber: "+50251234567",
      });
    }
    await till.settle();
    await markAskedForADay(till);
    till.clock.set(till.clock.now() + DAY);
    await till.advance(SECOND);

    expect(await run("status")).toContain(
      "test: 2 to reconcile, see reconciliation list --env test",
    );
    const text = await run("reconciliation", "list", "--env", "test");
    expect(text).toMatch(/^lost \(TOPUP\)$/m);
    expect(text).toMatch(/^ {2}offer +TIGO_GT_TOPUP_25, Tigo/m);
    expect(text).toMatch(/^ {2}to +\+50251234567$/m);
    expect(text).toMatch(/^ {2}cost +2\.97 USD, price \d+\.\d\d USD$/m);
    expect(text).toMatch(/^ {2}sold +through the API$/m);
    expect(text).toMatch(/^ {13}It never answered\.$/m);
    expect(text).toMatch(/^ {4}2026-01-15T\S+ {2}IN_PROGRESS: Submitted for fulfillment$/m);
    expect(text).toMatch(/^ {2}delivered +The provider delivered and charged 2\.97 USD/m);
    expect(text).toMatch(/^ {2}not-delivered +The provider did not deliver/m);

    expect(await run(...settle, "--outcome", "delivered", "--note", "Asked Ana")).toMatch(
      /^lost is settled as delivered\. Booked 2\.97 USD as DEBIT \S+\.$/,
    );
    const again = await tillgate(...settle, "--outcome", "not-delivered");
    expect(again).toMatchObject({ exitCode: 1, stdout: "" });
    expect(again.stderr).toMatch(/^lost was settled as delivered at .*\. Nothing was changed\.\n$/);
    const shown = JSON.parse(await run("reconciliation", "list", "--env", "test", "--json"));
    expect(shown).toMatchObject({ total: 1, list: [{ transactionId: "found" }] });
    const left = (await till.v1("GET", "/balance")).body.availableBalance;
    expect(left).toBe(FUNDS - COST);
  });

  it.each([
    [["reconciliation", "list"], /--env is required/],
    [["reconciliation", "settle", "--env", "test", "--outcome", "delivered"], /TRANSACTION_ID/],
    [["reconciliation", "settle", "found", "--outcome", "delivered"], /--env is required/],
    [["reconciliation", "settle", "found", "--env", "test"], /--outcome is required/],
    [
      ["reconciliation", "settle", "found", "--env", "test", "--outcome", "maybe"],
      /--outcome must be delivered or not-delivered, not "maybe"/,
    ],
    [
      ["reconciliation", "settle", "nothing", "--env", "test", "--outcome", "delivered"],
      /There is no nothing to reconcile/,
    ],
    [
      `reconciliation settle found --env test --outcome delivered --note ${LONG}`.split(" "),
      /note must have 500 characters at most/,
    ],
  ])(
    "refuses an unknown case or decision in one line and changes nothing (%#)",
    async (args, words) => {
      const before = await digestDatabase(till.gateway.context.db);
      const { exitCode, stdout, stderr } = await tillgate(...args);
      expect(stderr).toMatch(words);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
      expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    },
  );
});
