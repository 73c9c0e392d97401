import type { Db, Tx } from "../../db/database.ts";
import { MINUTE } from "../../lib/clock.ts";
import type { MailService } from "../mail/index.ts";
import type { Shop } from "../shop/index.ts";
import { composeAlertMail } from "./alert-mail.ts";
import {
  clearMailsDue,
  findAlertMail,
  listOpenAlerts,
  type StoredAlert,
  writeAlertMail,
} from "./alert-store.ts";

/** What happens within this long of the first is in one mail; what is well again by then is in none. */
const GATHERED_MS = MINUTE;
/** The least time between two mails. */
const BETWEEN_MS = 10 * MINUTE;

interface Deps {
  accountId: string;
  mail: MailService;
}

/** Tells of alerts by the shop's own mail: each once, and a burst in one mail (rules#alert-mail). */
export class AlertMailer {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether it is time for a mail. */
  async isDue(db: Db | Tx, open: readonly StoredAlert[], now: number): Promise<boolean> {
    const since = open.flatMap(({ mailDueAt }) => mailDueAt ?? []);
    if (since.length === 0 || now - Math.min(...since) < GATHERED_MS) return false;
    const { sentAt } = await findAlertMail(db, this.#deps.accountId);
    return sentAt === undefined || Math.abs(now - sentAt) >= BETWEEN_MS;
  }

  /**
   * Writes what is due, in the transaction that notes that it was written. Where the shop has no mail
   * server, or nobody wants the kind, the alert is not kept for later.
   */
  async write(tx: Tx, shop: Shop, now: number): Promise<void> {
    const { accountId, mail } = this.#deps;
    const open = await listOpenAlerts(tx, accountId);
    if (!(await this.isDue(tx, open, now))) return;
    await clearMailsDue(tx, accountId);
    const { settings } = await findAlertMail(tx, accountId);
    if (settings.list.length === 0 || !(await mail.hasServer(tx, accountId))) return;
    const due = open.filter(
      ({ mailDueAt, silencedAt }) => mailDueAt !== undefined && silencedAt === undefined,
    );
    let isWritten = false;
    for (const { address, language, kinds } of settings.list) {
      const theirs = due.filter(({ kind }) => kinds.some((wanted) => wanted === kind));
      if (theirs.length === 0) continue;
      const text = composeAlertMail({ language, shop, alerts: theirs });
      await mail.write(tx, { accountId, recipients: [address], ...text });
      isWritten = true;
    }
    if (isWritten) await writeAlertMail(tx, accountId, { settings, sentAt: now });
  }
}
