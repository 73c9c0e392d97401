import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  EnvironmentDifference,
  EnvironmentDifferences,
} from "../../../contract/pos/environment-copy.ts";
import type { PriceList, PriceRule } from "../../../contract/pos/prices.ts";
import { HOUR, toTimestamp } from "../../../lib/clock.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

let till: TestGateway;
let owner: TestTill;
let receiver: Receiver;
const SOLD_LIVE = "TIGO_GT_TOPUP_25";
const SOLD_IN_TEST = "TIGO_GT_TOPUP_50";
const PHONE = "+50251234567";

beforeAll(async () => {
  till = await startTestGateway();
  receiver = await startReceiver(till);
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  await giveLiveCatalog(till, [SOLD_LIVE]);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await receiver.close();
  await till.close();
});

type Environment = "test" | "live";
const NO_TAX = { kind: "NONE", percent: "0" } as const;

function makeRule(ruleId: string, of: Partial<PriceRule>): PriceRule {
  return {
    ruleId,
    enabled: true,
    target: {},
    class: "STANDARD",
    channel: "ANY",
    basis: "COST",
    how: "MARKUP",
    percent: "8",
    ...of,
  };
}

async function saveList(
  environment: Environment,
  rules: PriceRule[],
  of: Partial<PriceList> = {},
  when: { startsAt?: string } = {},
) {
  const base = (await owner.pos("GET", `/prices/${environment}`)).body.newest;
  const taxes = { TOPUP: NO_TAX, VOUCHER: NO_TAX, ESIM: NO_TAX, BILL_PAY: NO_TAX };
  const list = { rules, taxes, fxBufferPercent: "0", driftAlertPercent: "2", ...of };
  const saved = await owner.pos("PUT", `/prices/${environment}`, { list, base, ...when });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

async function look(from: Environment = "test"): Promise<EnvironmentDifferences> {
  const { status, body } = await owner.pos("GET", `/environment-differences?from=${from}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function find(kind: EnvironmentDifference["kind"], from: Environment = "test") {
  return (await look(from)).list.filter((difference) => difference.kind === kind);
}

function copy(items: readonly EnvironmentDifference[], from: Environment = "test") {
  const named = items.map(({ id, stamp }) => ({ id, stamp }));
  return owner.pos("POST", "/environment-differences/copies", { from, items: named });
}

async function audit(action: string): Promise<{ detail: object }[]> {
  return (await owner.pos("GET", `/audit-trail?limit=50&action=${action}`)).body.list;
}

const readRules = async (environment: Environment): Promise<PriceRule[]> =>
  (await owner.pos("GET", `/prices/${environment}`)).body.list.rules;

describe("prices", () => {
  it("prices are compared by rule and setting, and only selected differences are copied", async () => {
    expect((await look()).list).toEqual([]);
    await saveList("live", [
      makeRule("theirs", { target: { family: "VOUCHER" } }),
      makeRule("alike", { target: { brand: "TIGO" }, percent: "5" }),
    ]);
    await saveList(
      "test",
      [
        makeRule("every", { percent: "9" }),
        makeRule("tigo", { target: { brand: "TIGO" }, percent: "6" }),
        makeRule("fifty", { target: { offerId: SOLD_IN_TEST }, percent: "7" }),
      ],
      { fxBufferPercent: "1.5" },
    );
    const { brands, offers, hasCatalog } = await look();
    expect(hasCatalog).toBe(true);
    expect(brands).toEqual([{ brand: "TIGO", brandName: "Tigo" }]);
    expect(offers.map(({ offerId }) => offerId)).toEqual([SOLD_IN_TEST]);
    const rules = await find("PRICE_RULE");
    expect(
      rules.map(({ rule, blocked }) => [rule?.from?.ruleId, rule?.to?.ruleId, blocked]),
    ).toEqual([
      ["every", undefined, undefined],
      // Both rules match the same offers, so the copied rule replaces the existing rule.
      ["tigo", "alike", undefined],
      ["fifty", undefined, "NOT_IN_CATALOG"],
      [undefined, "theirs", undefined],
    ]);
    const [buffer] = await find("PRICE_SETTING");
    expect(buffer).toMatchObject({ setting: "fxBufferPercent" });

    const ticked = rules.filter(({ rule }) => rule?.from?.ruleId === "tigo");
    const done = await copy([...ticked, ...(buffer ? [buffer] : [])]);
    expect([done.status, done.body.copied]).toEqual([200, 2]);
    const live = (await owner.pos("GET", "/prices/live")).body;
    expect(live).toMatchObject({ newest: 2, list: { fxBufferPercent: "1.5" } });
    expect((await readRules("live")).map(({ ruleId }) => ruleId)).toEqual(["theirs", "tigo"]);
    expect((await audit("environment.copy"))[0]?.detail).toMatchObject({
      from: "test",
      to: "live",
      items: 2,
    });
    const gone = (await find("PRICE_RULE")).filter(({ rule }) => rule?.from === undefined);
    expect((await copy(gone)).status).toBe(200);
    expect((await readRules("live")).map(({ ruleId }) => ruleId)).toEqual(["tigo"]);
  });

  it("a copy of prices is refused if the target has no matching offer, or has changed", async () => {
    const rules = await find("PRICE_RULE");
    const unknown = rules.filter(({ blocked }) => blocked === "NOT_IN_CATALOG");
    const every = rules.filter(({ rule }) => rule?.from?.ruleId === "every");
    const refused = await copy([...every, ...unknown]);
    expect([refused.status, refused.body.errorCode]).toEqual([409, "DIFFERENCE_CHANGED"]);
    expect(refused.body.fields).toEqual({ "items.1": "cannot be copied: NOT_IN_CATALOG" });
    expect((await readRules("live")).map(({ ruleId }) => ruleId)).toEqual(["tigo"]);

    await saveList("live", [
      makeRule("mine", { percent: "4" }),
      ...(await readRules("live")).map(bare),
    ]);
    expect((await copy(every)).body.fields).toEqual({ "items.0": "is another now" });
    await saveList(
      "live",
      (await readRules("test")).map(bare),
      {},
      {
        startsAt: toTimestamp(till.clock.now() + HOUR),
      },
    );
    expect((await find("PRICE_RULE"))[0]?.blocked).toBe("PRICES_PLANNED");
  });
});

function bare(rule: PriceRule): PriceRule {
  const { since: _since, ...rest } = { since: 0, ...rule };
  return rest;
}

describe("hidden and pinned offers", () => {
  it("hidden and pinned offers are copied in their order, and the copy can be undone", async () => {
    const hide = (target: object, enabled = false) =>
      owner.pos("POST", "/catalog/test/switches", { target, enabled });
    await hide({ family: "TOPUP" });
    await hide({ offerId: SOLD_LIVE }, true);
    await hide({ brand: "CEMACO" });
    const switches = await find("SWITCH");
    expect(
      switches.map(({ target, shown, offers, blocked }) => [target, shown, offers, blocked]),
    ).toEqual([
      [{ family: "TOPUP" }, { from: false }, 1, undefined],
      [{ offerId: SOLD_LIVE }, { from: true }, 0, undefined],
      [{ brand: "CEMACO" }, { from: false }, 0, "NOT_IN_CATALOG"],
    ]);
    expect((await copy(switches.slice(0, 2))).status).toBe(200);
    const states = (await owner.pos("GET", "/catalog/live")).body.states;
    expect(states).toContainEqual({ state: "ON", offers: 1 });
    expect((await find("SWITCH")).map(({ blocked }) => blocked)).toEqual(["NOT_IN_CATALOG"]);

    // Live has no switch for the brand, so the copy removes the switch in test.
    const [back] = (await find("SWITCH", "live")).filter(({ target }) => target?.brand);
    expect(back?.shown).toEqual({ to: false });
    expect((await copy(back ? [back] : [], "live")).status).toBe(200);
    expect(await find("SWITCH")).toEqual([]);
  });

  it("a copy of pinned offers leaves out offers that the other environment does not sell, and names them", async () => {
    const pins = { family: "TOPUP", offerIds: [SOLD_IN_TEST, SOLD_LIVE] };
    await owner.pos("PUT", "/catalog/test/pins", pins);
    const [difference] = await find("PINS");
    expect(difference).toMatchObject({ family: "TOPUP", missing: [SOLD_IN_TEST] });
    expect((await copy(difference ? [difference] : [])).status).toBe(200);
    const { list } = (await owner.pos("GET", "/catalog/live/pins")).body;
    expect(list.map(({ offerId }: { offerId: string }) => offerId)).toEqual([SOLD_LIVE]);
    expect(await find("PINS")).toEqual([]);
  });
});

it("alerts, retries, reports, customers' names and webhooks are copied in one step", async () => {
  await owner.pos("PUT", "/wallet/alert", { environment: "test", lowAmount: 5_000 });
  const settings = (await owner.pos("GET", "/settings")).body;
  const { live: other } = settings.environments;
  const environments = { live: other, test: { queueEnabled: !other.queueEnabled } };
  await owner.pos("PUT", "/settings", { ...settings, environments });
  await owner.pos("PUT", `/favourites/${encodeURIComponent(PHONE)}`, { name: "Doña Ana" });
  await owner.pos("PUT", "/report-schedules/day", {
    name: "End of day",
    kind: "SOLD",
    format: "CSV",
    when: "DAILY",
    at: "07:00",
    recipients: ["olga@example.com"],
    folder: "",
    language: "en",
    enabled: true,
  });
  const hook = { environment: "test", kind: "TOPUP", url: receiver.url, allowPrivate: true };
  const header = { headerName: "Authorization", headerValue: "Bearer of the shop" };
  const { secret } = (await owner.pos("POST", "/webhooks", { ...hook, ...header })).body;
  const kinds = ["WALLET_ALERT", "SENDING_AGAIN", "WEBHOOK", "SCHEDULE", "CUSTOMER"];
  const list = (await look()).list.filter(({ kind }) => kinds.includes(kind));
  expect(list.map(({ kind }) => kind)).toEqual(kinds);

  receiver.answerHead(500);
  const refused = await copy(list);
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ["items.2"]]);
  expect((await find("WALLET_ALERT")).length).toBe(1);
  receiver.answerHead(200);
  const { body } = await copy(list);
  expect(body).toMatchObject({ copied: 5, secrets: [{ kinds: ["TOPUP"] }] });
  expect(body.secrets[0].secret).not.toBe(secret);
  expect(receiver.heads.at(-1)?.authorization).toBe("Bearer of the shop");
  expect((await look()).list.filter(({ kind }) => kinds.includes(kind))).toEqual([]);
  const registered = (await owner.pos("GET", "/webhooks")).body.list;
  expect(registered.map((one: { environment: string }) => one.environment).sort()).toEqual([
    "live",
    "test",
  ]);
  expect((await audit("environment.copy"))[0]?.detail).toMatchObject({ items: 5, WEBHOOK: 1 });
  expect((await copy(list)).body.fields).toMatchObject({ "items.0": "differs no more" });
});
