import { expect, it } from "vitest";
import { FakeClock } from "../../../testing/fake-clock.ts";
import { COUNTS_STATEMENTS, onlySqlite } from "../../../testing/only-sqlite.ts";
import { startTestGateway } from "../../../testing/test-gateway.ts";
import { Sandbox } from "./sandbox.ts";

const PURCHASES = 20;
/** Attempts of 24 hours, one in 15 minutes. */
const ATTEMPTS = 96;
/**
 * An attempt reads the purchase. It stores the sending and the answer with the next job each time,
 * the status with its log entry, and the simulator's order.
 */
const STATEMENTS_OF_ATTEMPT = 8;
const OF_GROUP = /^(begin|commit|update commit_count|select .* from "jobs"|pragma data_version)/;

it(
  "an advance runs 8 statements for an attempt of a purchase, and none for each commit",
  onlySqlite(COUNTS_STATEMENTS),
  async () => {
    const machineClock = new FakeClock();
    const sandbox = new Sandbox({ machineClock });
    const statements: string[] = [];
    const till = await startTestGateway({
      clock: sandbox.clock,
      machineClock,
      sandbox,
      onStatement: (sql) => statements.push(sql.trim()),
    });
    const { clockService, keys, recharges, accountId } = till.gateway.context;
    const scope = { accountId, environment: "test" } as const;
    await recharges.setTestWallet(scope, 1e9);
    const { keyId, key } = await keys.create(scope, "sandbox");
    sandbox.open({ keyId, webhookSecret: "" });
    for (let number = 0; number < PURCHASES; number++) {
      const headers = {
        authorization: `Bearer ${key}`,
        "x-sandbox-scenario": "provider-down",
      };
      const body = {
        offerId: "TIGO_GT_TOPUP_25",
        transactionId: `down-${number}`,
        recipientPhoneNumber: "+50251234567",
      };
      const { status } = await till.call("POST", "/v1/topups/purchases", { headers, body });
      expect(status).toBe(200);
    }
    await till.settle();
    statements.length = 0;
    const done = await clockService?.advance({ by: "24h" });
    expect(done?.finished).toBeGreaterThanOrEqual(PURCHASES * ATTEMPTS);
    const ofWork = statements.filter((sql) => !OF_GROUP.test(sql));
    const ofAttempts = ofWork.length / PURCHASES / ATTEMPTS;
    expect(ofAttempts).toBeLessThan(STATEMENTS_OF_ATTEMPT + 0.3);
    const ofMessages = statements.filter((sql) => sql.includes('from "webhook_endpoints"'));
    expect(ofMessages.length).toBeLessThan(PURCHASES * 2);
    await till.close();
  },
);
