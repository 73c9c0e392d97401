import { ENVIRONMENTS, type Environment } from "../../contract/common.ts";
import type { Author, ScopedAuthor } from "../../contract/pos/actor.ts";
import type {
  CopyInput,
  CopyResult,
  EnvironmentDifference,
  EnvironmentDifferences,
} from "../../contract/pos/environment-copy.ts";
import type { DayClock } from "../../contract/pos/shop-day.ts";
import { Problem } from "../../contract/problem.ts";
import { recordChange } from "../../db/changes.ts";
import { type Db, readSnapshot, type Tx } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import type { Clock } from "../../lib/clock.ts";
import { SealError } from "../../lib/sealer.ts";
import { recordAudit } from "../audit-trail/index.ts";
import type { CatalogChoiceService, CatalogService } from "../catalog/index.ts";
import { saveFavourite } from "../customers/index.ts";
import type { PriceListService } from "../prices/index.ts";
import type { SettingsService } from "../settings/index.ts";
import type { ShopService } from "../shop/index.ts";
import type { ScheduleService } from "../shop-reports/index.ts";
import { getWalletUnit } from "../wallet/index.ts";
import type { WalletOfficeService } from "../wallet-office/index.ts";
import type { PreparedEndpoint, WebhookService } from "../webhooks/index.ts";
import { copyChoices, listPinDifferences, listSwitchDifferences } from "./choice-differences.ts";
import type { Sides } from "./difference.ts";
import { namesIn } from "./difference-names.ts";
import { copyPrices, listPriceDifferences } from "./price-differences.ts";
import {
  listCustomerDifferences,
  listScheduleDifferences,
  listSwitchedDifferences,
  listWebhookDifferences,
} from "./setting-differences.ts";

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  shop: ShopService;
  catalog: CatalogService;
  catalogChoices: CatalogChoiceService;
  priceLists: PriceListService;
  walletOffice: WalletOfficeService;
  settings: SettingsService;
  webhooks: WebhookService;
  schedules: ScheduleService;
}

/** In the order in which they are shown. */
const LISTERS = [
  listPriceDifferences,
  listSwitchDifferences,
  listPinDifferences,
  listSwitchedDifferences,
  listWebhookDifferences,
  listScheduleDifferences,
  listCustomerDifferences,
];

/**
 * What an owner keeps for test and for live apart, side by side, and copied line by line
 * (rules#environment-copy).
 */
export class EnvironmentCopyService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(accountId: string, from: Environment): Promise<EnvironmentDifferences> {
    const { db, shop } = this.#deps;
    const { currency, currencyDivisor } = await shop.get(accountId);
    const wallet = await getWalletUnit(db, accountId);
    const { offers, ...both } = await this.#readCatalogs(accountId, from);
    const list = await readSnapshot(db, (snapshot) => listAll({ ...both, offers, db: snapshot }));
    return {
      from,
      to: both.to,
      currency,
      currencyDivisor,
      walletCurrency: wallet.currency,
      walletCurrencyDivisor: wallet.currencyDivisor,
      hasCatalog: offers.to.length > 0,
      list,
      ...namesIn(list, [...offers.from, ...offers.to]),
    };
  }

  /**
   * Copies each of these to the other side, all of them or none. A webhook there has answered before.
   * @param author.mayLose whether rules that allow a loss may be copied
   * @throws Problem DIFFERENCE_CHANGED with a field for each item that is not as it was looked at, or
   *   cannot be copied; INVALID_REQUEST with one for each webhook that does not answer
   */
  async copy(author: Author & { mayLose: boolean }, input: CopyInput): Promise<CopyResult> {
    const { db, transactor, clock, shop } = this.#deps;
    const both = await this.#readCatalogs(author.accountId, input.from);
    const to = { ...author, environment: both.to };
    const seen = await readSnapshot(db, (snapshot) => listAll({ ...both, db: snapshot }));
    requireSame(seen, input);
    const prepared = await this.#prepareWebhooks(to, input);
    const moment = { at: clock.now(), day: await shop.get(author.accountId) };
    await transactor.transact(author.accountId, async (tx) => {
      const copied = requireSame(await listAll({ ...both, db: tx }), input);
      await this.#copyAll(tx, to, copied, moment);
      for (const endpoint of prepared) await this.#deps.webhooks.addIn(tx, author, endpoint);
      const { accountId, staffId } = author;
      const detail = { from: both.from, to: both.to, items: copied.length, ...countsOf(copied) };
      const entry = { accountId, staffId, action: "environment.copy" as const };
      await recordAudit(tx, { ...entry, subject: both.to, detail, at: moment.at });
      const scope = { accountId, environment: both.to };
      await recordChange(tx, scope, { topic: "shop", subject: accountId, at: moment.at });
    });
    const secrets = prepared.map(({ endpoint, secret }) => {
      const { kind, url } = endpoint;
      return { kind, url, secret };
    });
    return { copied: input.items.length, secrets };
  }

  async #copyAll(
    tx: Tx,
    to: ScopedAuthor & { mayLose: boolean },
    copied: readonly EnvironmentDifference[],
    moment: { at: number; day: DayClock },
  ): Promise<void> {
    const { priceLists, catalogChoices, walletOffice, settings, schedules } = this.#deps;
    const { accountId, environment } = to;
    const prices = copied.filter(
      ({ rule, setting }) => rule !== undefined || setting !== undefined,
    );
    await copyPrices(tx, { priceLists, author: to, now: moment.at }, prices);
    await copyChoices(tx, catalogChoices, to, copied);
    for (const { id, alert, queueEnabled, schedule, number, name } of copied) {
      if (alert) await walletOffice.setAlertIn(tx, to, alert.from ?? {});
      if (queueEnabled?.from !== undefined) {
        await settings.setQueueIn(tx, to, environment, queueEnabled.from);
      }
      if (schedule?.from) {
        const scheduleId = id.slice("SCHEDULE:".length);
        await schedules.saveIn(tx, to, { scheduleId, input: schedule.from }, moment);
      }
      if (number !== undefined && name?.from !== undefined) {
        const favourite = { number, name: name.from, at: moment.at };
        await saveFavourite(tx, { accountId, environment }, favourite);
      }
    }
  }

  /** Other people's servers are asked before anything is written. */
  async #prepareWebhooks(to: ScopedAuthor, { items }: CopyInput): Promise<PreparedEndpoint[]> {
    const prepared: PreparedEndpoint[] = [];
    for (const [index, { id }] of items.entries()) {
      if (!id.startsWith("WEBHOOK:")) continue;
      const endpointId = id.slice("WEBHOOK:".length);
      try {
        prepared.push(await this.#deps.webhooks.prepareCopy(to, endpointId));
      } catch (error) {
        if (!(error instanceof Problem || error instanceof SealError)) throw error;
        const fields = { [`items.${index}`]: error.message };
        throw new Problem(
          "INVALID_REQUEST",
          `A webhook cannot be copied: ${error.message}`,
          fields,
        );
      }
    }
    return prepared;
  }

  async #readCatalogs(accountId: string, from: Environment): Promise<Omit<Sides, "db">> {
    const { catalog, clock } = this.#deps;
    const to = ENVIRONMENTS.find((each) => each !== from) ?? from;
    const [ours, theirs] = [
      await catalog.getStated({ accountId, environment: from }),
      await catalog.getStated({ accountId, environment: to }),
    ];
    const offers = { from: ours.offers, to: theirs.offers };
    return { accountId, from, to, offers, now: clock.now() };
  }
}

async function listAll(sides: Sides): Promise<EnvironmentDifference[]> {
  const lists: EnvironmentDifference[][] = [];
  for (const list of LISTERS) lists.push(await list(sides));
  return lists.flat();
}

/** @throws Problem DIFFERENCE_CHANGED */
function requireSame(
  list: readonly EnvironmentDifference[],
  { items }: CopyInput,
): EnvironmentDifference[] {
  const known = new Map(list.map((difference) => [difference.id, difference]));
  const fields: Record<string, string> = {};
  const found = items.flatMap(({ id, stamp }, index) => {
    const difference = known.get(id);
    const fault = faultOf(difference, stamp);
    if (fault !== undefined) fields[`items.${index}`] = fault;
    known.delete(id);
    return difference ? [difference] : [];
  });
  if (Object.keys(fields).length === 0) return found;
  const message = "Something is not as it was when it was looked at: look again.";
  throw new Problem("DIFFERENCE_CHANGED", message, fields);
}

function faultOf(difference: EnvironmentDifference | undefined, stamp: string) {
  if (!difference) return "differs no more";
  if (difference.stamp !== stamp) return "is another now";
  return difference.blocked === undefined ? undefined : `cannot be copied: ${difference.blocked}`;
}

/** How many of each kind, for the audit trail. */
function countsOf(copied: readonly EnvironmentDifference[]): Record<string, number> {
  const kinds = Map.groupBy(copied, ({ kind }) => kind);
  return Object.fromEntries([...kinds].map(([kind, list]) => [kind, list.length]));
}
