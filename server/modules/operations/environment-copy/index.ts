import { ENVIRONMENTS, type Environment } from "../../../contract/common.ts";
import type { Author, ScopedAuthor } from "../../../contract/pos/actor.ts";
import type {
  CopyInput,
  CopyResult,
  EnvironmentDifference,
  EnvironmentDifferences,
} from "../../../contract/pos/environment-copy.ts";
import type { DayClock } from "../../../contract/pos/shop-day.ts";
import { isOnlyOne, type WebhookKind } from "../../../contract/pos/webhooks.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import { recordChange } from "../../../db/changes.ts";
import { readSnapshot, type Tx } from "../../../db/database.ts";
import type { App } from "../../../http/app-types.ts";
import { handle, requireOwnPin } from "../../../http/pos-operations.ts";
import { SealError } from "../../../lib/sealer.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import {
  type CatalogChoiceService,
  type CatalogService,
  fitsTarget,
  listInForce,
  type OfferSwitch,
  OfferSwitches,
  readPins,
} from "../../catalog/catalog/index.ts";
import type { PriceListService } from "../../catalog/prices/index.ts";
import {
  listEndpoints,
  MAX_ENDPOINTS,
  type PreparedEndpoint,
  type WebhookService,
} from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import { listScheduleRows, type ScheduleService } from "../../office/shop-reports/index.ts";
import { findAlert, type WalletOfficeService } from "../../office/wallet-office/index.ts";
import { listFavourites, saveFavourite } from "../../selling/customers/index.ts";
import { getSettings, type SettingsService } from "../../shop/settings/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import {
  copyPrices,
  isSold,
  listPriceDifferences,
  pair,
  type Sides,
  toDifference,
  toTargetName,
} from "./price-differences.ts";

interface EnvironmentCopyServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  shop: ShopService;
  catalog: CatalogService;
  catalogChoices: CatalogChoiceService;
  priceLists: PriceListService;
  walletOffice: WalletOfficeService;
  settings: SettingsService;
  webhooks: WebhookService;
  schedules: ScheduleService;
}

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
 * Compares the settings of test and live, and copies selected settings (rules#environment-copy).
 */
class EnvironmentCopyService {
  readonly #deps: EnvironmentCopyServiceDeps;

  constructor(deps: EnvironmentCopyServiceDeps) {
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
   * Copies all given differences or none.
   * @param author.mayLose whether rules that allow a loss may be copied
   * @throws Problem DIFFERENCE_CHANGED with a field for each item that has changed or cannot be
   * copied; INVALID_REQUEST with a field for each webhook without a response
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
      const detail = { from: both.from, to: both.to, items: copied.length, ...countByKind(copied) };
      const entry = { accountId, staffId, action: "environment.copy" as const };
      await recordAudit(tx, { ...entry, subject: both.to, detail, at: moment.at });
      const scope = { accountId, environment: both.to };
      await recordChange(tx, scope, { topic: "shop", subject: accountId, at: moment.at });
    });
    const secrets = prepared.map(({ endpoint, secret }) => {
      const { kinds, url } = endpoint;
      return { kinds: [...kinds], url, secret };
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

  /** Tests webhook targets before anything is written. */
  async #prepareWebhooks(to: ScopedAuthor, { items }: CopyInput): Promise<PreparedEndpoint[]> {
    const prepared: PreparedEndpoint[] = [];
    for (const [index, { id }] of items.entries()) {
      if (!isWebhook(id)) continue;
      const endpointId = id.slice(WEBHOOK_PREFIX.length);
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
    const fault = findFault(difference, stamp);
    if (fault !== undefined) fields[`items.${index}`] = fault;
    known.delete(id);
    return difference ? [difference] : [];
  });
  if (Object.keys(fields).length === 0) return found;
  const message = "Something is not as it was when it was looked at: look again.";
  throw new Problem("DIFFERENCE_CHANGED", message, fields);
}

function findFault(difference: EnvironmentDifference | undefined, stamp: string) {
  if (!difference) return "differs no more";
  if (difference.stamp !== stamp) return "is another now";
  return difference.blocked === undefined ? undefined : `cannot be copied: ${difference.blocked}`;
}

function countByKind(copied: readonly EnvironmentDifference[]): Record<string, number> {
  const kinds = Map.groupBy(copied, ({ kind }) => kind);
  return Object.fromEntries([...kinds].map(([kind, list]) => [kind, list.length]));
}

/**
 * Compares the switches that hide or show the offers of a target. The last switch of a target
 * applies.
 */
async function listSwitchDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const { db, accountId, offers } = sides;
  const ours = await listInForce(db, { accountId, environment: sides.from });
  const theirs = await listInForce(db, { accountId, environment: sides.to });
  const [from, to] = [lastByTarget(ours, offers.from), lastByTarget(theirs, offers.to)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((name) => {
    const [one, other] = [from.get(name), to.get(name)];
    const shown = pair(one?.enabled, other?.enabled);
    const target = one?.target ?? other?.target;
    if (!shown || !target) return [];
    const blocked = one && !isSold(target, offers.to) ? ("NOT_IN_CATALOG" as const) : undefined;
    const after = one
      ? [...theirs, { ...one, sequence: Infinity }]
      : theirs.filter((each) => toTargetName(each.target) !== name);
    const changes = countChanges(offers.to, theirs, after);
    return [toDifference("SWITCH", name, { target, shown, offers: changes }, { blocked })];
  });
}

/**
 * Returns each target's last switch, in order of creation. A switch that shows only visible offers
 * is skipped.
 */
function lastByTarget(
  switches: readonly OfferSwitch[],
  offers: readonly Offer[],
): Map<string, OfferSwitch> {
  const hides = switches.filter(({ enabled }) => !enabled);
  const found = new Map<string, OfferSwitch>();
  for (const one of switches.toSorted((a, b) => a.sequence - b.sequence)) {
    const name = toTargetName(one.target);
    found.delete(name);
    const fitting = one.enabled ? offers.filter((offer) => fitsTarget(offer, one.target)) : [];
    const isOfHidden = hides.some(
      ({ target }) =>
        toTargetName(target) !== name && fitting.some((offer) => fitsTarget(offer, target)),
    );
    if (!one.enabled || isOfHidden) found.set(name, one);
  }
  return found;
}

function countChanges(
  offers: readonly Offer[],
  before: readonly OfferSwitch[],
  after: readonly OfferSwitch[],
): number {
  const [was, is] = [new OfferSwitches(before), new OfferSwitches(after)];
  return offers.filter((offer) => offer.enabled && was.isOff(offer) !== is.isOff(offer)).length;
}

async function listPinDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const { db, accountId, offers } = sides;
  const from = await readPins(db, { accountId, environment: sides.from });
  const to = await readPins(db, { accountId, environment: sides.to });
  const sold = new Set(offers.to.map(({ offerId }) => offerId));
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((family) => {
    const wanted = [...(from.get(family) ?? [])];
    const missing = wanted.filter((offerId) => !sold.has(offerId));
    const there = [...(to.get(family) ?? [])];
    const pins = pair(wanted, there);
    // Lists that differ only in offers that the other environment lacks count as equal.
    const rest = wanted.filter((offerId) => sold.has(offerId));
    if (!pins || (rest.length > 0 && !pair(rest, there))) return [];
    const blocked =
      wanted.length > 0 && rest.length === 0 ? ("NOT_IN_CATALOG" as const) : undefined;
    return [toDifference("PINS", family, { family, pins }, { blocked, missing })];
  });
}

async function copyChoices(
  tx: Tx,
  choices: CatalogChoiceService,
  author: ScopedAuthor,
  copied: readonly EnvironmentDifference[],
): Promise<void> {
  for (const { kind, target, shown, offers = 0, family, pins, missing } of copied) {
    if (kind === "SWITCH" && target) {
      await (shown?.from === undefined
        ? choices.undoIn(tx, author, target)
        : choices.switchIn(tx, author, { target, enabled: shown.from, offers }));
    }
    if (kind === "PINS" && family) {
      const offerIds = (pins?.from ?? []).filter((offerId) => !missing.includes(offerId));
      await choices.pinIn(tx, author, { family, offerIds });
    }
  }
}

function namesIn(
  list: readonly EnvironmentDifference[],
  catalog: readonly Offer[],
): Pick<EnvironmentDifferences, "brands" | "offers"> {
  const targets = list.flatMap(({ rule, target }) => [
    ...[rule?.from?.target, rule?.to?.target].flatMap((of) => (of ? [of] : [])),
    ...(target ? [target] : []),
  ]);
  const brandsNamed = new Set(targets.map(({ brand }) => brand));
  const offersNamed = new Set([
    ...targets.map(({ offerId }) => offerId),
    ...list.flatMap(({ pins, missing }) => [
      ...(pins?.from ?? []),
      ...(pins?.to ?? []),
      ...missing,
    ]),
  ]);
  const brands = new Map<string, string>();
  const offers = new Map<string, EnvironmentDifferences["offers"][number]>();
  for (const { offerId, brand, brandName, shortNotes: title } of catalog) {
    if (brandsNamed.has(brand)) brands.set(brand, brandName);
    if (offersNamed.has(offerId)) offers.set(offerId, { offerId, brandName, title });
  }
  return {
    brands: [...brands].map(([brand, brandName]) => ({ brand, brandName })),
    offers: [...offers.values()],
  };
}

async function listSwitchedDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const { db } = sides;
  const [from, to] = toScopes(sides);
  const [ours, theirs] = [await findAlert(db, from), await findAlert(db, to)];
  const alert = pair(ours, theirs);
  const [mine, other] = [await getSettings(db, from), await getSettings(db, to)];
  const queueEnabled = pair(mine.queueEnabled, other.queueEnabled);
  return [
    ...(alert ? [toDifference("WALLET_ALERT", "", { alert })] : []),
    ...(queueEnabled ? [toDifference("SENDING_AGAIN", "", { queueEnabled })] : []),
  ];
}

const WEBHOOK_PREFIX = "WEBHOOK:";

function isWebhook(id: string): boolean {
  return id.startsWith(WEBHOOK_PREFIX);
}

/** Returns webhooks, but no listeners, whose address and kinds the other side lacks. */
async function listWebhookDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const { db, accountId } = sides;
  const ours = await listEndpoints(db, { accountId, environment: sides.from });
  const theirs = await listEndpoints(db, { accountId, environment: sides.to });
  return ours.flatMap(({ endpointId, kinds, url, listeningUntil }) => {
    if (listeningUntil !== undefined) return [];
    const alike = (kind: WebhookKind) => theirs.filter((endpoint) => endpoint.kinds.includes(kind));
    const lacking = kinds.filter((kind) => !alike(kind).some((endpoint) => endpoint.url === url));
    if (lacking.length === 0) return [];
    const isFull = kinds.some((kind) => {
      return alike(kind).length >= (isOnlyOne(kind) ? 1 : MAX_ENDPOINTS);
    });
    const verified = kinds.includes("TRANSACTION") && alike("TRANSACTION").length > 0;
    const full = isFull || lacking.length < kinds.length ? ("NO_ROOM" as const) : undefined;
    const blocked = verified ? ("VERIFIED_ALREADY" as const) : full;
    const webhook = { kinds: [...kinds], url };
    return [toDifference("WEBHOOK", endpointId, { webhook }, { blocked })];
  });
}

async function listScheduleDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const [from, to] = toScopes(sides);
  const there = await listScheduleRows(sides.db, to);
  const theirs = new Map(there.map(({ scheduleId, input }) => [scheduleId, input]));
  return (await listScheduleRows(sides.db, from)).flatMap(({ scheduleId, input }) => {
    const schedule = pair(input, theirs.get(scheduleId));
    return schedule ? [toDifference("SCHEDULE", scheduleId, { schedule })] : [];
  });
}

async function listCustomerDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const [from, to] = toScopes(sides);
  const there = await listFavourites(sides.db, to);
  const theirs = new Map(there.map(({ number, name }) => [number, name]));
  return (await listFavourites(sides.db, from)).flatMap(({ number, name: ours }) => {
    const name = pair(ours, theirs.get(number));
    return name ? [toDifference("CUSTOMER", number, { number, name })] : [];
  });
}

function toScopes({ accountId, from, to }: Sides) {
  return [
    { accountId, environment: from },
    { accountId, environment: to },
  ] as const;
}

type EnvironmentCopyModuleDeps = Base & ConstructorParameters<typeof EnvironmentCopyService>[0];

export function createEnvironmentCopyModule(deps: EnvironmentCopyModuleDeps) {
  const copies = new EnvironmentCopyService(deps);
  return {
    services: {},
    pos: (app) => registerEnvironmentCopyRoutes(app, copies),
  } satisfies Module;
}

async function registerEnvironmentCopyRoutes(
  app: App,
  copies: EnvironmentCopyService,
): Promise<void> {
  const { environmentCopyOperations } = await import("../../../contract/pos/environment-copy.ts");
  handle(app, environmentCopyOperations.list, ({ actor, query }) =>
    copies.list(actor.accountId, query.from),
  );

  handle(app, environmentCopyOperations.copy, async (call) => {
    const { actor, body } = call;
    const { accountId, staffId, rights } = actor;
    // A live webhook gets the codes of every sale.
    const addsLiveWebhook = body.from === "test" && body.items.some(({ id }) => isWebhook(id));
    if (addsLiveWebhook) await requireOwnPin(call);
    return copies.copy({ accountId, staffId, mayLose: rights.belowCost }, body);
  });
}
