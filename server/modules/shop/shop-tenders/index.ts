import { sql } from "kysely";
import type { Author } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import { LANGUAGES, type Language } from "../../../contract/pos/setup.ts";
import {
  FIRST_TENDERS,
  type ShopTender,
  type ShopTenderInput,
  type ShopTenders,
  type ShopTendersInput,
  StoredTenders,
} from "../../../contract/pos/shop-tenders.ts";
import { tenderName } from "../../../contract/pos/tender-words.ts";
import { TENDER_KINDS } from "../../../contract/pos/tenders.ts";
import { Problem, refuseFields } from "../../../contract/problem.ts";
import { recordChangeInBoth } from "../../../db/changes.ts";
import { type Db, readSnapshot, type Tx } from "../../../db/database.ts";
import { joinInOrder, jsonTexts } from "../../../db/engine-words.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { type AuditDetail, recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";

type ShopTenderServiceDeps = Pick<Base, "db" | "transactor" | "clock" | "ids">;

class ShopTenderService {
  readonly #deps: ShopTenderServiceDeps;

  constructor(deps: ShopTenderServiceDeps) {
    this.#deps = deps;
  }

  get(accountId: string): Promise<ShopTenders> {
    return readSnapshot(this.#deps.db, (snapshot) => view(snapshot, accountId));
  }

  /**
   * Saves the whole ordered list, and notifies the tills. Writes nothing if the list is unchanged.
   * @throws Problem TENDERS_CHANGED if the stored list is newer than `base`; INVALID_REQUEST
   */
  async save(author: Author, { base, list: typed }: ShopTendersInput): Promise<ShopTenders> {
    const { transactor, clock, ids } = this.#deps;
    const { accountId } = author;
    return transactor.transact(accountId, async (tx) => {
      const before = await readTenders(tx, accountId);
      if (before.revision !== base) throw changedMeanwhile(before.revision);
      const tidy = typed.map(tidyTender);
      const used = await findUsed(tx, accountId, before.list);
      const language = await readLanguage(tx, accountId);
      requireList(tidy, { list: before.list, used, language });
      const list = tidy.map(({ tenderId = ids.uuid(), ...tender }) => ({ tenderId, ...tender }));
      const entries = listAuditEntries(before.list, list, language);
      if (entries.length > 0) {
        await writeTenders(tx, accountId, { revision: base + 1, list });
        const at = clock.now();
        for (const entry of entries) await recordAudit(tx, { ...author, ...entry, at });
        await recordChangeInBoth(tx, accountId, { topic: "shop", subject: accountId, at });
      }
      return view(tx, accountId);
    });
  }
}

async function view(db: Db | Tx, accountId: string): Promise<ShopTenders> {
  const { revision, list } = await readTenders(db, accountId);
  const used = await findUsed(db, accountId, list);
  return {
    revision,
    list: list.map((tender) => ({ ...tender, used: used.has(tender.tenderId) })),
  };
}

function changedMeanwhile(revision: number): Problem {
  return new Problem("TENDERS_CHANGED", "The tenders were changed meanwhile: look at them again.", {
    base: `must be ${revision}`,
  });
}

interface TenderAuditEntry {
  action: AuditAction;
  subject: string;
  detail: AuditDetail;
}

/** Returns one audit entry for each changed tender, and one for a changed order. */
function listAuditEntries(
  before: readonly ShopTender[],
  after: readonly ShopTender[],
  language: Language,
): TenderAuditEntry[] {
  const factsOf = ({ kind, opensDrawer, offered }: ShopTender) => ({ kind, opensDrawer, offered });
  const nameOf = (tender: ShopTender) => tenderName(tender, language);
  const find = (list: readonly ShopTender[], tenderId: string) =>
    list.find((one) => one.tenderId === tenderId);
  const entries = after.flatMap((tender): TenderAuditEntry[] => {
    const subject = tender.tenderId;
    const name = nameOf(tender);
    const was = find(before, subject);
    if (!was) return [{ action: "tender.add", subject, detail: { name, ...factsOf(tender) } }];
    const changed = whatChanged(
      { ...factsOf(was), name: nameOf(was) },
      { ...factsOf(tender), name },
    );
    const isSame = Object.keys(changed).length === 0 && was.name === tender.name;
    return isSame ? [] : [{ action: "tender.change", subject, detail: { ...changed, name } }];
  });
  const removed = before
    .filter(({ tenderId }) => !find(after, tenderId))
    .map((tender): TenderAuditEntry => {
      const detail = { name: nameOf(tender), ...factsOf(tender) };
      return { action: "tender.remove", subject: tender.tenderId, detail };
    });
  const stayed = before.filter(({ tenderId }) => find(after, tenderId));
  const isMoved = stayed.some(
    ({ tenderId }, at) =>
      after.filter((one) => find(before, one.tenderId))[at]?.tenderId !== tenderId,
  );
  const order = after.map(nameOf).join(", ");
  const moved: TenderAuditEntry[] = isMoved
    ? [{ action: "tender.order", subject: "tenders", detail: { order } }]
    : [];
  return [...entries, ...removed, ...moved];
}

interface StoredTenderList {
  list: readonly ShopTender[];
  /** Ids of tenders that sales, refunds or unfinished bulk runs use. */
  used: ReadonlySet<string>;
  language: Language;
}

type FieldFault = [field: string, rule: string];

function tidyTender({ name, ...tender }: ShopTenderInput): ShopTenderInput {
  return { ...tender, ...(name !== undefined && { name: tidyName(name) }) };
}

/**
 * Requires distinct names, and exactly one cash tender, which is not retired. Used tenders must
 * stay in the list with their kind (rules#tender-list).
 * @throws Problem INVALID_REQUEST naming the invalid fields
 */
function requireList(list: readonly ShopTenderInput[], before: StoredTenderList): void {
  const faults = [
    ...findMissing(list, before),
    ...list.flatMap((_, at) => findFaults(at, list, before)),
  ];
  refuseFields("The tenders are", Object.fromEntries(faults));
}

function isFirst(tenderId: string | undefined): boolean {
  return TENDER_KINDS.some((kind) => kind === tenderId);
}

function findMissing(
  list: readonly ShopTenderInput[],
  { list: was, used, language }: StoredTenderList,
): FieldFault[] {
  const kept = new Set(list.map(({ tenderId }) => tenderId));
  const gone = was.filter(
    ({ tenderId }) => !kept.has(tenderId) && (isFirst(tenderId) || used.has(tenderId)),
  );
  if (gone.length === 0) return [];
  const names = gone.map((tender) => tenderName(tender, language)).join(", ");
  return [["list", `must keep ${names}, which may be retired`]];
}

function findFaults(
  at: number,
  list: readonly ShopTenderInput[],
  before: StoredTenderList,
): FieldFault[] {
  const tender = list[at];
  if (!tender) return [];
  const { tenderId, kind, name } = tender;
  const fault = (field: string, rule: string): FieldFault => [`list.${at}.${field}`, rule];
  const was = before.list.find((one) => one.tenderId === tenderId);
  const isKnown = tenderId === undefined || was !== undefined;
  const isTwice = tenderId !== undefined && list.findIndex((one) => one.tenderId === tenderId) < at;
  const keepsKind = isFirst(tenderId) || before.used.has(tenderId ?? "");
  const called = (one: ShopTenderInput) => tenderName(one, before.language).toLowerCase();
  const hasNamesake = list.slice(0, at).some((one) => called(one) === called(tender));
  return [
    ...(isKnown ? [] : [fault("tenderId", "is no tender of the shop")]),
    ...(isTwice ? [fault("tenderId", "is there a second time")] : []),
    ...(was && keepsKind && was.kind !== kind ? [fault("kind", `must stay ${was.kind}`)] : []),
    ...(kind === "CASH" && tenderId !== "CASH" ? [fault("kind", "is CASH a second time")] : []),
    ...(tenderId === "CASH" && !tender.offered ? [fault("offered", "must be true for cash")] : []),
    ...(name === undefined && !isFirst(tenderId) ? [fault("name", "is required")] : []),
    ...(hasNamesake ? [fault("name", "is taken")] : []),
  ];
}

export function toTenders(accountId: string, tenders_json: string): StoredTenders {
  const stored = readColumn(StoredTenders, tenders_json, {
    table: "accounts",
    column: "tenders_json",
    row: accountId,
  });
  return stored.list.length > 0 ? stored : { ...stored, list: [...FIRST_TENDERS] };
}

async function readTenders(db: Db | Tx, accountId: string): Promise<StoredTenders> {
  const { tenders_json } = await db
    .selectFrom("accounts")
    .select("tenders_json")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return toTenders(accountId, tenders_json);
}

async function writeTenders(tx: Tx, accountId: string, tenders: StoredTenders): Promise<void> {
  await tx
    .updateTable("accounts")
    .set({ tenders_json: JSON.stringify(tenders) })
    .where("account_id", "=", accountId)
    .execute();
}

/** Returns the shop's language, in which tenders without a name are named. */
async function readLanguage(db: Db | Tx, accountId: string): Promise<Language> {
  const shop = await db
    .selectFrom("shops")
    .select("language")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return LANGUAGES.find((language) => language === shop?.language) ?? "en";
}

/** Returns the ids of tenders that a sale, a refund or an unfinished bulk run uses. */
async function findUsed(
  db: Db | Tx,
  accountId: string,
  tenders: readonly ShopTender[],
): Promise<ReadonlySet<string>> {
  const ids = jsonTexts(tenders.map(({ tenderId }) => tenderId));
  const { rows } = await sql<{ id: string }>`
    select i.value as id from ${ids} i where exists (
      select 1 from sale_tenders t ${joinInOrder} sales s on s.account_id = t.account_id
        and s.environment = t.environment and s.sale_id = t.sale_id and s.training = 0
      ${joinInOrder} shops h on h.account_id = s.account_id and h.currency = s.currency
      where t.account_id = ${accountId} and t.environment in ('test', 'live')
        and t.tender_id = i.value and t.tender_id <> '')
    or exists (
      select 1 from bulk_runs b where b.account_id = ${accountId} and b.tender_id = i.value)`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

export async function readOpeningTenders(db: Db, accountId: string): Promise<ReadonlySet<string>> {
  const { list } = await readTenders(db, accountId);
  return new Set(list.filter((tender) => tender.opensDrawer).map(({ tenderId }) => tenderId));
}

export function createShopTendersModule(deps: Base) {
  const shopTenders = new ShopTenderService(deps);
  return {
    services: { shopTenders },
    pos: (app) => registerShopTenderRoutes(app, shopTenders),
  } satisfies Module;
}

async function registerShopTenderRoutes(app: App, tenders: ShopTenderService): Promise<void> {
  const { shopTenderOperations } = await import("../../../contract/pos/shop-tenders.ts");
  handle(app, shopTenderOperations.list, ({ actor }) => tenders.get(actor.accountId));

  handle(app, shopTenderOperations.save, ({ actor: { accountId, staffId }, body }) =>
    tenders.save({ accountId, staffId }, body),
  );
}
