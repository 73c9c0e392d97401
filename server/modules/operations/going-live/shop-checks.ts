import {
  type CheckedForLive,
  PRACTICES,
  type Practice,
} from "../../../contract/pos/till-environment.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { findAudit } from "../../books/audit-trail/index.ts";
import type { WebhookService } from "../../messages/webhooks/index.ts";
import type { KeyService } from "../../shop/keys/index.ts";
import { getSettings } from "../../shop/settings/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import type { StaffService } from "../../shop/staff/index.ts";
import { stopping, warning } from "./checked.ts";
import { findNote } from "./notes-store.ts";

/** How many of the newest lines are read for what was practised. */
const DEPTH = 500;

interface Deps {
  db: Db;
  shop: ShopService;
  staff: StaffService;
  webhooks: WebhookService;
  keys: KeyService;
}

export async function checkPeople(
  { db, staff }: Deps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const people = (await staff.list(accountId)).filter(({ active }) => active);
  const setUp = await findAudit(db, { accountId, action: "shop.set-up", subject: accountId });
  const owner = people.find(({ staffId }) => staffId === setUp?.staffId);
  const changed =
    owner && (await findAudit(db, { accountId, action: "staff.pin", subject: owner.staffId }));
  const unlimited = people.filter(
    ({ role, limits }) => role === "clerk" && Object.keys(limits).length === 0,
  ).length;
  return [
    ...(owner ? [stopping("OWNER_PIN_CHANGED", !!changed, { name: owner.name })] : []),
    warning("LIMITS_SET", unlimited === 0, { people: unlimited }),
  ];
}

export async function checkPractice({ db }: Deps, accountId: string): Promise<CheckedForLive[]> {
  const missing = await findNotPractised(db, accountId);
  return [warning("PRACTISED", missing.length === 0, { missing: missing.join(",") })];
}

/** Without it a provider that is away for a minute fails every sale of that minute. */
export async function checkQueue({ db }: Deps, scope: Scope): Promise<CheckedForLive> {
  return warning("QUEUE_ON", (await getSettings(db, scope)).queueEnabled);
}

/** Without any, the check is left out. */
export async function checkIntegrators(
  { webhooks, keys }: Deps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const isLive = ({ environment }: { environment: string }) => environment === "live";
  const endpoints = (await webhooks.list(accountId)).filter(isLive);
  const failing = endpoints.filter(({ failingSince }) => failingSince !== undefined).length;
  const all = await keys.list(accountId);
  const valid = all.filter((key) => isLive(key) && !key.revokedAt);
  const open = valid.filter(({ allowedAddresses }) => allowedAddresses === undefined);
  const names = open.map(({ name }) => name).join(", ");
  const inTest = all.filter((key) => !isLive(key) && !key.revokedAt && key.lastUsedAt);
  return [
    ...(endpoints.length > 0 ? [warning("WEBHOOKS_ANSWER", failing === 0, { failing })] : []),
    ...(inTest.length > 0 ? [warning("LIVE_KEYS_MADE", valid.length > 0)] : []),
    ...(valid.length > 0 ? [warning("KEYS_LIMITED", open.length === 0, { names })] : []),
  ];
}

/** Paper and drawer; nobody but a person sees what came of them. */
export async function checkPaper({ db, shop }: Deps, accountId: string): Promise<CheckedForLive[]> {
  const { receipt } = await shop.get(accountId);
  const printed = await findNote(db, accountId, "RECEIPT_TESTED");
  const opened = await findNote(db, accountId, "DRAWER_OPENED");
  return [
    warning("RECEIPT_FILLED", receipt.address.length > 0 && receipt.support.length > 0),
    warning("RECEIPT_TESTED", printed !== undefined),
    warning("DRAWER_OPENED", opened !== undefined),
  ];
}

/** What a shop should have practised before it sells for money, and has not: in training or not. */
async function findNotPractised(db: Db, accountId: string): Promise<Practice[]> {
  const lines = await db
    .selectFrom("sale_lines as l")
    .innerJoin("transactions as t", inSameScope("t", "l", "transaction_id"))
    .innerJoin("purchases as p", inSameScope("p", "l", "transaction_id"))
    .select(["t.status", "p.attempts", "p.attempt_state"])
    .where(inScope({ accountId, environment: "test" }, "l"))
    .orderBy("l.created_at", "desc")
    .limit(DEPTH)
    .execute();
  const practised: Record<Practice, boolean> = {
    DELIVERED: lines.some(({ status }) => status === "DONE"),
    FAILED: lines.some(({ status }) => status === "FAILED"),
    // The till has said "Still being sent" after the first attempt; the next one is a quarter of an hour away.
    WAITED: lines.some(
      ({ status, attempts, attempt_state }) =>
        attempts > 1 || (status === "IN_PROGRESS" && attempt_state === "FAILED"),
    ),
    CUSTOMER_REFUND: await hasAny(db, "customer_refunds", accountId),
    SHIFT_CLOSED: await hasAny(db, "z_reports", accountId),
  };
  return PRACTICES.filter((practice) => !practised[practice]);
}

async function hasAny(
  db: Db,
  table: "customer_refunds" | "z_reports",
  accountId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select("staff_id")
    .where(inScope({ accountId, environment: "test" }))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
