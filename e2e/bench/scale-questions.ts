import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { DAY } from "../../server/lib/clock.ts";
import { CLERK_PIN, createCaller, OWNER_PIN, sellOne } from "./first-sales.ts";
import { REGULAR, SALES_A_DAY } from "./years-of-sales.ts";

type Call = ReturnType<typeof createCaller>;

export interface Shop {
  sales: number;
  owner: Call;
  clerk: Call;
  v1<T>(method: string, path: string, body?: unknown): Promise<T>;
}

interface Opened {
  sales: number;
  url: string;
  key: string;
}

export async function signIn({ sales, url, key }: Opened): Promise<Shop> {
  const owner = createCaller(url);
  const clerk = createCaller(url);
  const { list } = await owner<{ list: { staffId: string; name: string }[] }>(
    "GET",
    "/staff/names",
  );
  const idOf = (name: string) => list.find((person) => person.name === name)?.staffId;
  await owner("POST", "/session", { staffId: idOf("Olga"), pin: OWNER_PIN });
  await clerk("POST", "/session", { staffId: idOf("Carla"), pin: CLERK_PIN });
  const { shift } = await owner<{ shift?: unknown }>("GET", "/shifts/current");
  if (!shift) await owner("POST", "/shifts", { shiftId: randomUUID(), float: 0 });
  await owner("PUT", `/favourites/${encodeURIComponent(REGULAR)}`, { name: "Regular" });
  return {
    sales,
    owner,
    clerk,
    async v1(method, path, body) {
      const response = await fetch(`${url}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return JSON.parse(text);
    },
  };
}

const timestamp = (at: number) => new Date(at).toISOString();
const middleOf = ({ sales }: Shop) => timestamp(Date.now() - ((sales / SALES_A_DAY) * DAY) / 2);

function transactions(query: (shop: Shop) => string, limit = 50) {
  return (shop: Shop) => shop.v1("GET", `/transactions?_limit=${limit}&${query(shop)}`);
}

function at(share: number, filter = "") {
  return transactions(({ sales }) => `_offset=${Math.floor(sales * share)}${filter}`);
}

function owner(path: string | ((shop: Shop) => string)) {
  return (shop: Shop) => shop.owner("GET", typeof path === "string" ? path : path(shop));
}

async function makeReport(shop: Shop): Promise<void> {
  const now = Date.now();
  const period = { startGte: timestamp(now - 366 * DAY), endLt: timestamp(now) };
  const path = "/reports/transactions";
  const { reportId } = await shop.v1<{ reportId: string }>("POST", path, period);
  for (;;) {
    const { status } = await shop.v1<{ status: string }>("GET", `${path}/${reportId}`);
    if (status === "Ready") return;
    await wait(20);
  }
}

const TOPUP = { productType: "TOPUP", offerId: "TIGO_GT_TOPUP_25" } as const;
const regular = encodeURIComponent(REGULAR);

/** Requests by name, each measured several times. */
export const QUESTIONS: Record<string, (shop: Shop) => Promise<unknown>> = {
  "transactions, the newest": at(0),
  "transactions, in the middle": at(0.5),
  "transactions, the oldest": at(0.999),
  "transactions, status FAILED": at(0, "&status=FAILED"),
  "transactions, status DONE, in the middle": at(0.4, "&status=DONE"),
  "transactions, product VOUCHER, in the middle": at(0.05, "&productType=VOUCHER"),
  "transactions, VOUCHER and FAILED (none)": at(0, "&productType=VOUCHER&status=FAILED"),
  "transactions, CREDIT": at(0, "&type=CREDIT"),
  "transactions, before the middle": transactions((s) => `_offset=0&createdAt=lt${middleOf(s)}`),
  "transactions, TOPUP DONE DEBIT since the middle": transactions(
    (s) => `_offset=99&productType=TOPUP&status=DONE&type=DEBIT&createdAt=gte${middleOf(s)}`,
  ),
  "counter: a number sold to often": owner(`/phone?number=${regular}`),
  "counter: recent numbers": owner("/recents"),
  "counter: recent numbers of a clerk who sold none": (shop) => shop.clerk("GET", "/recents"),
  "counter: favourites": owner("/favourites"),
  "search: a sale by its number": owner(({ sales }) => `/found-sales?typed=${sales >> 1}`),
  "search: sales to a number": owner(`/found-sales?typed=${regular}`),
  "today: sales of a day": owner(
    () => `/sales?since=${timestamp(Date.now() - DAY)}&limit=50&offset=0`,
  ),
  "today: digits among the sales of a day": owner(
    () => `/sales?since=${timestamp(Date.now() - DAY)}&search=77&limit=50&offset=0`,
  ),
  "shift: the current one": owner("/shifts/current"),
  "shift: reports": owner("/z-reports?limit=50&offset=0"),
  "what is unfinished": owner("/unfinished"),
  "webhooks: with their figures": owner("/webhooks"),
  "webhooks: deliveries, the newest": owner("/webhooks/deliveries?_limit=50&_offset=0"),
  "webhooks: deliveries, deep": owner("/webhooks/deliveries?_limit=50&_offset=8000"),
  "webhooks: deliveries that failed": owner(
    "/webhooks/deliveries?_limit=50&_offset=0&state=FAILED",
  ),
  "audit trail": owner("/audit-trail?limit=50"),
  "audit trail, before the middle": owner((s) => `/audit-trail?limit=50&until=${middleOf(s)}`),
  "figures of the shop": owner("/status"),
  "till environment": owner("/till-environment"),
  "sale of a top-up": ({ owner }) => sellOne(owner, { ...TOPUP, recipientPhoneNumber: REGULAR }),
};

/** Requests by name, each measured only once. */
export const LONG_WORK: Record<string, (shop: Shop) => Promise<unknown>> = {
  "report of a year": makeReport,
};
