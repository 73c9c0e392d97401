import { ENVIRONMENTS } from "../../contract/common.ts";
import type { Author } from "../../contract/pos/actor.ts";
import type { AuditAction } from "../../contract/pos/audit-trail.ts";
import type { Language } from "../../contract/pos/setup.ts";
import type { ShopTender, ShopTenders, ShopTendersInput } from "../../contract/pos/shop-tenders.ts";
import { tenderName } from "../../contract/pos/tender-words.ts";
import { Problem } from "../../contract/problem.ts";
import { recordChange } from "../../db/changes.ts";
import { type Db, readSnapshot, type Tx } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { type AuditDetail, recordAudit, whatChanged } from "../audit-trail/index.ts";
import { findUsed, readLanguage, readTenders, writeTenders } from "./shop-tender-store.ts";
import { requireList, tidyTender } from "./tender-rules.ts";

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
}

/** The ways of paying that the shop names. */
export class ShopTenderService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get(accountId: string): Promise<ShopTenders> {
    return readSnapshot(this.#deps.db, (snapshot) => view(snapshot, accountId));
  }

  /**
   * Saves them all, in their order; tills are notified at once. What is the same changes nothing.
   * @throws Problem TENDERS_CHANGED where they were saved since `base`, INVALID_REQUEST naming the field
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
      const entries = entriesOf(before.list, list, language);
      if (entries.length > 0) {
        await writeTenders(tx, accountId, { revision: base + 1, list });
        const at = clock.now();
        for (const entry of entries) await recordAudit(tx, { ...author, ...entry, at });
        const change = { topic: "shop", subject: accountId, at } as const;
        for (const environment of ENVIRONMENTS) {
          await recordChange(tx, { accountId, environment }, change);
        }
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

interface Entry {
  action: AuditAction;
  subject: string;
  detail: AuditDetail;
}

/** What the audit trail says: of each tender that was added, changed or removed, and the new order. */
function entriesOf(
  before: readonly ShopTender[],
  after: readonly ShopTender[],
  language: Language,
): Entry[] {
  const factsOf = ({ kind, opensDrawer, offered }: ShopTender) => ({ kind, opensDrawer, offered });
  const nameOf = (tender: ShopTender) => tenderName(tender, language);
  const find = (list: readonly ShopTender[], tenderId: string) =>
    list.find((one) => one.tenderId === tenderId);
  const entries = after.flatMap((tender): Entry[] => {
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
    .map((tender): Entry => {
      const detail = { name: nameOf(tender), ...factsOf(tender) };
      return { action: "tender.remove", subject: tender.tenderId, detail };
    });
  const stayed = before.filter(({ tenderId }) => find(after, tenderId));
  const isMoved = stayed.some(
    ({ tenderId }, at) =>
      after.filter((one) => find(before, one.tenderId))[at]?.tenderId !== tenderId,
  );
  const order = after.map(nameOf).join(", ");
  const moved: Entry[] = isMoved
    ? [{ action: "tender.order", subject: "tenders", detail: { order } }]
    : [];
  return [...entries, ...removed, ...moved];
}
