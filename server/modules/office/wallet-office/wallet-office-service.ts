import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { WalletAlert, type WalletOverview } from "../../../contract/pos/wallet-office.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { environmentSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import type { FloatForecast, FloatService } from "../figures/index.ts";

/** The owner's thresholds; an absent threshold raises no alert. */
const WALLET_ALERT = environmentSetting("wallet_alert", WalletAlert);

interface WalletOfficeServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  floats: FloatService;
}

export class WalletOfficeService {
  readonly #deps: WalletOfficeServiceDeps;

  constructor(deps: WalletOfficeServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP */
  async view({ accountId, environment }: Scope): Promise<WalletOverview> {
    const { db, clock, floats } = this.#deps;
    const scope = { accountId, environment };
    const float = await floats.forecast(scope);
    const alert = await findAlert(db, scope);
    const { available, held, currency, currencyDivisor, salesLeft, emptyAt, hoursLeft } = float;
    return {
      environment,
      available,
      held,
      currency,
      currencyDivisor,
      madeAt: toTimestamp(clock.now()),
      ...(salesLeft !== undefined && { salesLeft }),
      ...(emptyAt !== undefined && { emptyAt: toTimestamp(emptyAt) }),
      ...(hoursLeft !== undefined && { hoursLeft }),
      alert,
      low: whyLow(float, alert),
    };
  }

  /** An absent limit raises no alert. */
  async setAlert(author: ScopedAuthor, alert: WalletAlert): Promise<WalletAlert> {
    await this.#deps.transactor.transact(author.accountId, (tx) =>
      this.setAlertIn(tx, author, alert),
    );
    return alert;
  }

  async setAlertIn(tx: Tx, author: ScopedAuthor, alert: WalletAlert): Promise<void> {
    const { accountId, environment, staffId } = author;
    const scope = { accountId, environment };
    const at = this.#deps.clock.now();
    const changed = whatChanged(toAuditFacts(await findAlert(tx, scope)), toAuditFacts(alert));
    if (Object.keys(changed).length === 0) return;
    await writeSetting(tx, scope, WALLET_ALERT, alert);
    const detail = { environment, ...changed, ...(await getWalletUnit(tx, accountId)) };
    const entry = { action: "wallet.alert", subject: environment, detail } as const;
    await recordAudit(tx, { accountId, staffId, ...entry, at });
    await recordChange(tx, scope, { topic: "wallet", subject: "alert", at });
  }
}

/** Returns why the wallet is low (rules#wallet-alert). */
function whyLow(
  { available, hoursLeft }: FloatForecast,
  { lowAmount, lowHours }: WalletAlert,
): WalletOverview["low"] {
  if (available <= 0) return ["EMPTY"];
  const low: WalletOverview["low"] = [];
  if (lowAmount !== undefined && available <= lowAmount) low.push("AMOUNT");
  if (lowHours !== undefined && hoursLeft !== undefined && hoursLeft <= lowHours) low.push("HOURS");
  return low;
}

function toAuditFacts({ lowAmount = 0, lowHours = 0 }: WalletAlert) {
  return { lowAmount, lowHours };
}

export async function findAlert(
  db: Db | Tx,
  { accountId, environment }: Scope,
): Promise<WalletAlert> {
  return (await readSetting(db, { accountId, environment }, WALLET_ALERT)) ?? {};
}
