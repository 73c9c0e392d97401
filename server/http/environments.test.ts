import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Environment } from "../contract/common.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import { type ApiDocument, readApiDocument } from "../testing/api-document.ts";
import { giveLiveCatalog } from "../testing/live-catalog.ts";
import { createLiveSimulator } from "../testing/live-simulator.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/**
 * Checks that a key of one environment never affects the other environment
 * (rules#environment-apart).
 */
let till: TestGateway;
beforeAll(async () => {
  till = await startTestGateway();
  await giveLiveCatalog(till, [OFFER]);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const OFFER = "TIGO_GT_TOPUP_25";

function buy(environment: Environment, transactionId: string) {
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber: "+50251234567" };
  return till.v1("POST", "/topups/purchases", body, environment);
}

it("a live purchase without a provider is accepted and then fails, and moves no money", async () => {
  expect((await buy("live", "unconnected")).body.status).toBe("ACCEPTED");
  await till.settle();
  const purchase = (await till.v1("GET", "/topups/purchases/unconnected", undefined, "live")).body;
  expect(purchase.error.code).toBe("PROVIDER_NOT_CONFIGURED");
  expect(purchase.log.map((item: { status: string }) => item.status)).toEqual([
    "ACCEPTED",
    "FAILED",
  ]);
  expect((await till.v1("GET", "/balance", undefined, "live")).body.availableBalance).toBe(0);
});

/** A purchase of each family. The tests make them with the same ids in both environments. */
const FAMILIES = {
  topups: { offerId: OFFER, recipientPhoneNumber: "+50251234567" },
  vouchers: {
    offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
    value: { type: "ZEND", value: 10_000 },
    fields: [
      { key: "meter.number", value: "01234567890" },
      { key: "recipient.msisdn", value: "+27821234567" },
    ],
  },
  esim: { offerId: "AIRALO_ES_1GB_7D" },
  billpay: { offerId: "AYSA_AR_BILL_WATER", value: { type: "ZEND", value: 1_500_000 } },
} as const;
type FamilyPath = keyof typeof FAMILIES;
const PERIOD = { startGte: "2026-01-01T00:00:00Z", endLt: "2026-02-01T00:00:00Z" };
const ENVIRONMENTS = ["test", "live"] as const;

type Step =
  | { what: "buy"; environment: Environment; family: FamilyPath; id: string }
  | { what: "refund"; environment: Environment; id: string }
  | { what: "bill" | "report"; environment: Environment };

describe("two environments with a provider and money", () => {
  let api: ApiDocument;
  const made = { iccId: new Set<string>(), reportId: new Set<string>(), file: new Set<string>() };

  beforeAll(async () => {
    await till.close();
    till = await startTestGateway({
      providers: { live: createLiveSimulator(() => till) },
    });
    api = await readApiDocument(till);
    await giveLiveCatalog(
      till,
      Object.values(FAMILIES).map(({ offerId }) => offerId),
    );
    const { transactor, recharges } = till.gateway.context;
    for (const environment of ENVIRONMENTS) {
      const scope = { accountId: "default", environment };
      await transactor.transact("default", (tx) =>
        recharges.rechargeSandbox(tx, scope, 10_000_000),
      );
    }
  });

  async function observeAll(environment: Environment, ids: readonly string[]) {
    const values: Record<string, readonly string[]> = {
      transactionId: ids,
      offerId: Object.values(FAMILIES).map(({ offerId }) => offerId),
      brand: ["ESKOM"],
      promoId: ["none"],
      msisdn: ["+50231234567"],
      // Only the newest ids. `expectForeignIdsUnknown` reads all ids.
      iccId: [...made.iccId].slice(-4),
      reportId: [...made.reportId].slice(-2),
      file: [...made.file].slice(-2),
    };
    const seen: Record<string, unknown> = {};
    for (const { name, path, parameters } of api.operations) {
      // Excludes bills, because each read asks the biller.
      if (!name.startsWith("GET ") || path.endsWith("/bill")) continue;
      const required = parameters.filter((p) => p.in === "query" && p.required);
      // Large pages only for lists that change.
      const limit = /purchases|transactions/.test(path) ? "1024" : "5";
      const asked = { ...QUERY, _limit: limit } as Record<string, string>;
      const query = required.map((p) => `${p.name}=${asked[p.name]}`).join("&");
      for (const filled of fill(path, values)) {
        const answer = await till.v1(
          "GET",
          `${filled}${query && `?${query}`}`,
          undefined,
          environment,
        );
        seen[filled] = [answer.status, answer.body];
      }
    }
    return seen;
  }

  async function take(step: Step, accountNumber: string, billed: Set<string>): Promise<void> {
    const { environment } = step;
    if (step.what === "bill") {
      const query = `accountNumber=${accountNumber}&billIdentifier=1`;
      const path = `/billpay/offers/${FAMILIES.billpay.offerId}/bill?${query}`;
      expect((await till.v1("GET", path, undefined, environment)).status).toBe(200);
      billed.add(environment);
    } else if (step.what === "report") {
      const { body } = await till.v1("POST", "/reports/transactions", PERIOD, environment);
      if (body.reportId) made.reportId.add(body.reportId);
    } else if (step.what === "refund") {
      await till.v1("POST", `/esim/purchases/${step.id}/refund`, undefined, environment);
    }
  }

  it("isolate all changes made with one key from the other key", {
    tags: ["thorough"],
    timeout: 5 * MINUTE,
  }, async () => {
    const environment = fc.constantFrom(...ENVIRONMENTS);
    const id = fc.constantFrom("a", "b");
    const family = fc.constantFrom<FamilyPath[]>("topups", "vouchers", "esim", "billpay");
    const step: fc.Arbitrary<Step> = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ what: fc.constant("buy" as const), environment, family, id }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ what: fc.constant("refund" as const), environment, id }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          what: fc.constantFrom("bill" as const, "report" as const),
          environment,
        }),
      },
    );
    let run = 0;
    const bought = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
        run += 1;
        const number = String(30_000_000_000 + run * 10_000);
        const ids = ["a", "b"].map((name) => `run${run}-${name}`);
        const used = { test: new Set<string>(), live: new Set<string>() };
        const billed = new Set<string>();
        const observed = new Map<Environment, Record<string, unknown>>();
        for (const raw of steps) {
          const taken = "id" in raw ? { ...raw, id: `run${run}-${raw.id}` } : raw;
          const own = taken.environment;
          const other = own === "test" ? "live" : "test";
          const before = observed.get(other) ?? (await observeAll(other, ids));
          if (taken.what === "buy") {
            const fields = [
              { key: "accountNumber", value: number },
              { key: "billIdentifier", value: "1" },
            ];
            const input = {
              ...FAMILIES[taken.family],
              ...(taken.family === "billpay" && { fields }),
              transactionId: taken.id,
            };
            const path = `/${taken.family}/purchases`;
            const { status } = await till.v1("POST", path, input, own);
            // The amount of a retrieved bill must be paid in full, so this smaller payment is
            // refused.
            const isBilled = taken.family === "billpay" && billed.has(own);
            const isFresh = !used[own].has(taken.id);
            expect([taken, status]).toEqual([taken, isFresh && !isBilled ? 200 : 400]);
            if (status === 200) {
              used[own].add(taken.id);
              bought.set(`${own} ${taken.family}`, (bought.get(`${own} ${taken.family}`) ?? 0) + 1);
            }
          } else await take(taken, number, billed);
          await till.advance(2 * SECOND);
          const after = await observeAll(other, ids);
          for (const [path, answer] of Object.entries(before)) {
            if (path in after) expect([path, after[path]]).toEqual([path, answer]);
          }
          observed.set(other, after);
          observed.delete(own);
          await collect(own, ids);
        }
        for (const name of ENVIRONMENTS) {
          for (const transactionId of ids) {
            const path = `/transactions/${transactionId}`;
            const { status } = await till.v1("GET", path, undefined, name);
            expect(status).toBe(used[name].has(transactionId) ? 200 : 404);
          }
        }
      }),
      { numRuns: 8, seed: 20_260_115, examples: EXAMPLES },
    );
    expect(bought.size).toBe(8);
    await expectForeignIdsUnknown();
  });

  async function collect(environment: Environment, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const { body } = await till.v1("GET", `/esim/purchases/${id}`, undefined, environment);
      if (body.confirmation) made.iccId.add(body.confirmation.iccid);
    }
    for (const id of made.reportId) {
      const { body } = await till.v1("GET", `/reports/transactions/${id}`, undefined, environment);
      if (body.file) made.file.add(body.file.name);
    }
  }

  async function expectForeignIdsUnknown(): Promise<void> {
    const paths = [
      ...[...made.iccId].map((iccid) => `/esim/${iccid}/plans`),
      ...[...made.reportId].map((id) => `/reports/transactions/${id}`),
    ];
    expect(made.iccId.size).toBeGreaterThan(1);
    for (const path of paths) {
      const statuses = [];
      for (const environment of ENVIRONMENTS) {
        statuses.push((await till.v1("GET", path, undefined, environment)).status);
      }
      expect([path, statuses.toSorted((a, b) => a - b)]).toEqual([path, [200, 404]]);
    }
  }
});

const EXAMPLES: [Step[]][] = [
  [["topups", "vouchers"] as const],
  [["esim", "billpay"] as const],
].map(([families]) => [
  families!.flatMap((family, n): Step[] =>
    ENVIRONMENTS.map((environment) => ({ what: "buy", environment, family, id: "ab".charAt(n) })),
  ),
]);

const QUERY: Record<string, string> = {
  _offset: "0",
  country: "ZA",
  deliveryType: "TOKEN",
};

function fill(path: string, values: Record<string, readonly string[]>): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  return (values[name] ?? []).flatMap((value) =>
    fill(path.replace(`{${name}}`, encodeURIComponent(value)), values),
  );
}
