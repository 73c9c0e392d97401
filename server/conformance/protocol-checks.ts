import { isTestKey } from "../lib/test-key.ts";
import type { Check, Findings } from "./check.ts";
import { Skipped } from "./check.ts";
import { FAMILY_PATHS, type Found, findOffer, listOf, NO_OFFER } from "./finds.ts";
import type { Reply, Target } from "./target.ts";

/** Checks of keys, refusals, lists and catalogs that hold for many operations. */

type Run = Check["run"];

function check(name: string, clause: string, run: Run): Check {
  return { name, clause, stage: "read", run };
}

const UNKNOWN_ID = "conformance-no-such-id";
const LARGEST_BODY_BYTES = 64 * 1024;
const PURCHASES = "/topups/purchases";
const RECIPIENT = "+50251234567";

function orderOf(target: Target): Record<string, unknown> {
  const transactionId = target.createId();
  return { offerId: NO_OFFER, transactionId, recipientPhoneNumber: RECIPIENT };
}

/** @throws Skipped if the environment has no provider, which is refused before the offer is read */
async function postOrder(target: Target, order: object): Promise<Reply> {
  const reply = await target.post(PURCHASES, order);
  if (reply.body?.errorCode !== "PROVIDER_NOT_CONFIGURED") return reply;
  throw new Skipped("No provider is connected.");
}

const KEYS = [
  check("An unknown key is refused", "error-statuses", async (target, findings) => {
    const reply = await target.get("/balance", { key: "test_conformance_unknown_key" });
    findings.refused(reply, 401, "NOT_AUTHORIZED");
  }),
  check("Answers state the rate limit of the key", "limit-rate", async (target, findings) => {
    const { headers, request } = await target.get("/balance");
    for (const name of ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]) {
      const value = headers.get(name);
      findings.holds(`${request}: the header ${name}, a number`, isCount(value), value);
    }
  }),
  check("The balance is a whole number of minor units", "wallet-balance", async (target, finds) => {
    const { availableBalance, currency, currencyDivisor } = (await target.get("/balance")).body;
    finds.holds("availableBalance ≥ 0", Number(availableBalance) >= 0, availableBalance);
    finds.holds("an ISO 4217 currency", /^[A-Z]{3}$/.test(currency), currency);
    const isDivisor = [1, 10, 100, 1000].includes(currencyDivisor);
    finds.holds("a divisor of 1, 10, 100 or 1000", isDivisor, currencyDivisor);
  }),
];

function isCount(value: string | null): boolean {
  return value !== null && /^\d+$/.test(value);
}

const PATHS_OF_UNKNOWN = [
  `/brands/${UNKNOWN_ID}`,
  ...FAMILY_PATHS.flatMap((family) => [
    `/${family}/offers/${UNKNOWN_ID}`,
    `/${family}/purchases/${UNKNOWN_ID}`,
  ]),
  `/transactions/${UNKNOWN_ID}`,
  `/promos/${UNKNOWN_ID}`,
  `/reports/transactions/${UNKNOWN_ID}`,
];

const REFUSALS = [
  ...PATHS_OF_UNKNOWN.map((path) =>
    check(`GET ${path} is NOT_FOUND`, "error-statuses", async (target, findings) => {
      findings.refused(await target.get(path), 404, "NOT_FOUND");
    }),
  ),
  check("An unknown path is NOT_FOUND", "error-statuses", async (target, findings) => {
    findings.refused(await target.get("/conformance"), 404, "NOT_FOUND");
  }),
  check(
    "Another method is refused and Allow names the right ones",
    "error-statuses",
    async (target, findings) => {
      const reply = await target.call("DELETE", "/balance");
      findings.refused(reply, 405, "METHOD_NOT_ALLOWED");
      const allowed = reply.headers.get("allow") ?? "";
      findings.holds(`${reply.request}: Allow names GET`, /\bGET\b/.test(allowed), allowed);
    },
  ),
  check("A body over 64 KiB is refused", "error-statuses", async (target, findings) => {
    const body = { ...orderOf(target), notes: "x".repeat(LARGEST_BODY_BYTES) };
    findings.refused(await target.post(PURCHASES, body), 413, "PAYLOAD_TOO_LARGE");
  }),
  check("A body that is not JSON is refused", "error-body", async (target, findings) => {
    const reply = await target.call("POST", PURCHASES, { body: "{" });
    findings.refused(reply, 400, "INVALID_REQUEST");
  }),
  check("A body of another content type is refused", "error-statuses", async (target, findings) => {
    const headers = { "content-type": "text/plain" };
    const reply = await target.call("POST", PURCHASES, { headers, body: orderOf(target) });
    findings.refused(reply, 415, "UNSUPPORTED_MEDIA_TYPE");
  }),
  check("An unknown offer is OFFER_NOT_FOUND", "offer-not-for-sale", async (target, findings) => {
    const reply = await postOrder(target, orderOf(target));
    findings.refused(reply, 400, "OFFER_NOT_FOUND", ["offerId"]);
  }),
  check("A refused purchase leaves no transaction", "purchase-accepted", async (target, finds) => {
    const body = orderOf(target);
    await target.post(PURCHASES, body);
    finds.refused(await target.get(`/transactions/${body.transactionId}`), 404, "NOT_FOUND");
  }),
  check(
    "A report whose period ends before it starts is refused",
    "report-period",
    async (target, findings) => {
      const period = { startGte: "2026-02-01T00:00:00Z", endLt: "2026-01-01T00:00:00Z" };
      findings.refused(await target.post("/reports/transactions", period), 400, "INVALID_REQUEST");
    },
  ),
];

const TOLERANCE = [
  check(
    "null for an optional field counts as absent",
    "v1-tolerant-requests",
    async (target, findings) => {
      const reply = await postOrder(target, { ...orderOf(target), value: null, sender: null });
      findings.refused(reply, 400, "OFFER_NOT_FOUND");
    },
  ),
  check(
    "A slash at the end of a path is ignored",
    "v1-tolerant-requests",
    async (target, findings) => {
      findings.answered(await target.get("/balance/"));
    },
  ),
];

const LISTS = [
  { path: "/brands", id: "brand", isByTime: false },
  ...FAMILY_PATHS.map((family) => ({ path: `/${family}/offers`, id: "offerId", isByTime: true })),
  ...FAMILY_PATHS.map((family) => ({
    path: `/${family}/purchases`,
    id: "transactionId",
    isByTime: true,
  })),
  { path: "/transactions", id: "transactionId", isByTime: true },
  { path: "/promos", id: "id", isByTime: true },
];

const LIST_CHECKS = LISTS.flatMap(({ path, id, isByTime }) => [
  check(
    `GET ${path} pages without gaps and has an exact total`,
    "list-paging",
    async (target, findings) => {
      const first = (await target.get(`${path}?_limit=3&_offset=0`)).body;
      findings.equal("limit and offset", [first?.limit, first?.offset], [3, 0]);
      const ids = idsOf(first, id);
      findings.equal("items of a page", ids.length, Math.min(3, Number(first?.total)));
      for (const [offset, expected] of ids.entries()) {
        const page = (await target.get(`${path}?_limit=1&_offset=${offset}`)).body;
        findings.equal(`the item at ${offset}`, idsOf(page, id), [expected]);
      }
      const { total } = first ?? {};
      const beyond = (await target.get(`${path}?_limit=1&_offset=${total}`)).body;
      findings.equal("the list after the last item", beyond?.list, []);
      if (total === 0) return;
      const last = (await target.get(`${path}?_limit=1&_offset=${total - 1}`)).body;
      findings.equal("the number of items at the last place", last?.list?.length, 1);
    },
  ),
  check(
    isByTime ? `GET ${path} is newest first, then by id` : `GET ${path} is sorted by code`,
    "list-newest-first",
    async (target, findings) => {
      const list = await listOf(target, path);
      for (const [place, next] of list.slice(1).entries()) {
        const one = list[place];
        if (isInOrder(one, next, id, isByTime)) continue;
        const came = `${describe(one, id)} before ${describe(next, id)}`;
        findings.add(isByTime ? "newest first, equal times by id" : "ascending codes", came);
        return;
      }
    },
  ),
]);

function idsOf(page: Found, id: string): unknown[] {
  return ((page?.list ?? []) as Found[]).map((item) => item?.[id]);
}

function isInOrder(one: Found, next: Found, id: string, isByTime: boolean): boolean {
  const isBefore = one[id] < next[id];
  if (!isByTime || one.createdAt === next.createdAt) return isBefore;
  return one.createdAt > next.createdAt;
}

function describe(item: Found, id: string): string {
  return [item[id], item.createdAt].filter((part) => part !== undefined).join(" ");
}

const OFFER_CHECKS = FAMILY_PATHS.flatMap((family) => [
  check(
    `The offers of ${family} have amounts by their price type`,
    "offer-records",
    async (target, findings) => {
      for (const offer of await listOf(target, `/${family}/offers`)) {
        for (const block of ["cost", "price", "send"]) checkAmounts(offer, block, findings);
      }
    },
  ),
  check(
    `A filtered list of ${family} offers has only what fits`,
    "list-filters",
    async (target, findings) => {
      const { brand, country } = await findOffer(target, family);
      const wanted = { brand, ...(country !== "" && { country }) };
      const filter = new URLSearchParams(wanted).toString();
      const list = await listOf(target, `/${family}/offers?${filter}`);
      findings.holds("at least the offer with these values", list.length > 0, "an empty list");
      const other = list.find((offer) =>
        Object.entries(wanted).some(([name, value]) => offer[name] !== value),
      );
      findings.holds(filter, other === undefined, other?.offerId);
    },
  ),
  check(
    `The offers of ${family} have a tag, and 304 while nothing changed`,
    "v1-operations",
    async (target, findings) => {
      const path = `/${family}/offers?_limit=1&_offset=0`;
      const { headers, request } = await target.get(path);
      const etag = headers.get("etag");
      findings.holds(`${request}: the header ETag`, Boolean(etag), "no such header");
      if (etag === null) return;
      const again = await target.get(path, { headers: { "if-none-match": etag } });
      findings.equal(`${request} with If-None-Match`, again.status, 304);
    },
  ),
]);

const BOUNDS = ["fx", "min", "max"];

function checkAmounts(offer: Found, block: string, findings: Findings): void {
  const amounts = offer[block];
  if (amounts === undefined) return;
  const expected = offer.priceType === "FIXED" ? ["fixed"] : BOUNDS;
  const has = ["fixed", ...BOUNDS].filter((name) => name in amounts);
  findings.equal(`${offer.offerId} ${offer.priceType}: the amounts of ${block}`, has, expected);
}

const SOLD_IN_TEST: Readonly<Record<string, string>> = {
  "+50231234567": "Claro GT",
  "+50251234567": "Tigo GT",
  "+15551234567": "Verizon US",
  "+16551234567": "T-Mobile US",
};

const LOOKUPS = [
  check(
    "The test environment knows four patterns of numbers",
    "lookup-test-numbers",
    async (target, findings) => {
      if (!isTestKey(target.options.key)) {
        throw new Skipped("In live every valid number is known.");
      }
      for (const [number, expected] of Object.entries(SOLD_IN_TEST)) {
        const { body } = await target.get(`/tools/phonenumberlookup/${number}`);
        findings.equal(number, `${body?.brand} ${body?.country}`, expected);
      }
      const reply = await target.get("/tools/phonenumberlookup/+447400123456");
      findings.refused(reply, 400, "PHONE_NUMBER_NOT_FOUND");
    },
  ),
];

export const PROTOCOL_CHECKS: readonly Check[] = [
  ...KEYS,
  ...REFUSALS,
  ...TOLERANCE,
  ...LIST_CHECKS,
  ...OFFER_CHECKS,
  ...LOOKUPS,
];
