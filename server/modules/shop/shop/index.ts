import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSupportedCountry } from "libphonenumber-js/max";
import { type Static, Type } from "typebox";
import type { Environment } from "../../../contract/common.ts";
import type { Author } from "../../../contract/pos/actor.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import type { Language, SetupCurrencies, SetupInput } from "../../../contract/pos/setup.ts";
import type { ShopChange, ShopFacts } from "../../../contract/pos/shop.ts";
import { findTimeZone, machineTimeZone, type TimeZone } from "../../../contract/pos/shop-day.ts";
import type { StaffName } from "../../../contract/pos/staff.ts";
import { usualCashStep } from "../../../contract/pos/tenders.ts";
import { invalidField, Problem } from "../../../contract/problem.ts";
import { recordChange, recordChangeInBoth } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { isLoopback } from "../../../http/addresses.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { setSessionCookie } from "../../../http/staff-guard.ts";
import { readJson } from "../../../lib/checked-json.ts";
import { currencyDivisor, Exact, isCurrency } from "../../../lib/money.ts";
import { recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import type { Base, Module } from "../../module.ts";
import { readPilotState } from "../pilots/index.ts";
import type { SettingsService } from "../settings/index.ts";
import {
  registerSessionRoutes,
  type SessionService,
  type StaffService,
  toPosSession,
} from "../staff/index.ts";
import { LogoService } from "./logo-service.ts";
import { findShop, type Shop, shopCountry } from "./shop-store.ts";

export { findLogoPicture, readLogo, readLogoFile, replaceLogo } from "./logo-service.ts";
export {
  environmentChanged,
  findShop,
  type RequireEnvironment,
  readShopCountry,
  readTerms,
  requireTillEnvironment,
  type Shop,
} from "./shop-store.ts";

/** Approximate exchange rates that the till proposes at set-up. */
const ReferenceRates = Type.Object({
  date: Type.String(),
  base: Type.String(),
  /** Units of the currency per unit of the base currency, as exact decimals. */
  rates: Type.Record(Type.String(), Type.String()),
});
export type ReferenceRates = Static<typeof ReferenceRates>;

/** Returns noon UTC, which has the same date in nearly every time zone. */
export function toInstant({ date }: ReferenceRates): number {
  return Date.parse(`${date}T12:00:00Z`);
}

function readReferenceRates(resourcesDir: string): ReferenceRates {
  const file = join(resourcesDir, "rates", "reference-rates.json");
  return readJson(ReferenceRates, readFileSync(file, "utf8"), file);
}

interface ShopServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  staff: StaffService;
  rates: ReferenceRates;
  addStartingPrices: AddStartingPrices;
}

type AddStartingPrices = (
  tx: Tx,
  of: { accountId: string; staffId: string; at: number },
) => Promise<void>;

const OWNER_NAMES: Record<Language, string> = {
  en: "Owner",
  es: "Propietario",
  fr: "Propriétaire",
  pt: "Proprietário",
  ar: "المالك",
};

/** @throws Problem INVALID_REQUEST */
function parseTimeZone({ timeZone }: SetupInput): TimeZone | undefined {
  const known = timeZone === undefined ? undefined : findTimeZone(timeZone);
  if (timeZone === undefined || known !== undefined) return known;
  throw new Problem("INVALID_REQUEST", `There is no time zone ${timeZone}.`, {
    timeZone: "must be a time zone such as America/Guatemala",
  });
}

/**
 * Stores the shop's time zone, so that the shop's days do not depend on the machine's zone.
 * @param chosen undefined for the stored zone, or else the machine's zone
 */
async function keepTimeZone(tx: Tx, accountId: string, chosen: TimeZone | undefined) {
  const account = tx.updateTable("accounts").where("account_id", "=", accountId);
  await (chosen === undefined
    ? account.set({ time_zone: machineTimeZone() }).where("time_zone", "is", null)
    : account.set({ time_zone: chosen })
  ).execute();
}

async function roundAsUsual(tx: Tx, accountId: string, currency: string): Promise<void> {
  const account = await tx
    .selectFrom("accounts")
    .select("time_zone")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  const country = shopCountry(currency, account.time_zone ?? machineTimeZone());
  await tx
    .updateTable("accounts")
    .set({ cash_step: usualCashStep(country, currency) })
    .where("account_id", "=", accountId)
    .execute();
}

export class ShopService {
  readonly #deps: ShopServiceDeps;

  constructor(deps: ShopServiceDeps) {
    this.#deps = deps;
  }

  find(accountId: string): Promise<Shop | undefined> {
    return findShop(this.#deps.db, accountId);
  }

  /** @throws Problem NOT_SET_UP */
  async get(accountId: string): Promise<Shop> {
    const shop = await this.find(accountId);
    if (!shop) throw new Problem("NOT_SET_UP", "The shop has not been set up yet.");
    return shop;
  }

  async listCurrencies(accountId: string): Promise<SetupCurrencies> {
    const { db, rates } = this.#deps;
    const wallet = await getWalletUnit(db, accountId);
    return {
      walletCurrency: wallet.currency,
      asOf: rates.date,
      list: Object.entries(rates.rates)
        .filter(([currency]) => isCurrency(currency))
        .map(([currency, rate]) => ({ currency, currencyDivisor: currencyDivisor(currency), rate }))
        .concat({ ...wallet, rate: "1" })
        .filter(
          ({ currency }, index, all) => index === all.findLastIndex((c) => c.currency === currency),
        )
        .sort((a, b) => a.currency.localeCompare(b.currency)),
    };
  }

  /**
   * Creates the shop, its price list and its owner in one transaction.
   * @throws Problem ALREADY_SET_UP, or INVALID_REQUEST naming `currency`, `rate` or `timeZone`,
   * PIN_WEAK
   */
  async setUp(accountId: string, input: SetupInput): Promise<StaffName> {
    const { db, transactor, clock, staff } = this.#deps;
    if (await findShop(db, accountId)) throw alreadySetUp();
    const wallet = await getWalletUnit(db, accountId);
    const rate = this.#getRate(input, wallet.currency);
    const timeZone = parseTimeZone(input);
    const pinHash = await staff.hashOwnerPin(input.ownerPin);
    const at = clock.now();
    return transactor.transact(accountId, async (tx) => {
      if (await findShop(tx, accountId)) throw alreadySetUp();
      await tx
        .insertInto("shops")
        .values({
          account_id: accountId,
          name: tidyName(input.shopName),
          currency: input.currency,
          currency_divisor: currencyDivisor(input.currency),
          rate,
          language: input.language,
          till_environment: "test",
          rate_set_at: this.#getRateSetAt({ ...input, rate }, at),
          created_at: at,
          updated_at: at,
        })
        .execute();
      await keepTimeZone(tx, accountId, timeZone);
      await roundAsUsual(tx, accountId, input.currency);
      const name = tidyName(input.ownerName ?? "") || OWNER_NAMES[input.language];
      const owner = await staff.createOwner(tx, accountId, name, pinHash);
      const { staffId } = owner;
      const { prices = "FACE_VALUE" } = input;
      if (prices === "FACE_VALUE") {
        await this.#deps.addStartingPrices(tx, { accountId, staffId, at });
      }
      await recordAudit(tx, {
        accountId,
        staffId,
        action: "shop.set-up",
        subject: accountId,
        detail: { currency: input.currency, rate, prices },
        at,
      });
      const scope = { accountId, environment: "test" } as const;
      await recordChange(tx, scope, { topic: "shop", subject: accountId, at });
      return owner;
    });
  }

  async findTillEnvironment(tx: Tx, accountId: string): Promise<Environment> {
    const { till_environment } = await tx
      .selectFrom("shops")
      .select("till_environment")
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow();
    return till_environment;
  }

  /** The caller has checked the permission. */
  async setTillEnvironment(tx: Tx, accountId: string, to: Environment, at: number): Promise<void> {
    await tx
      .updateTable("shops")
      .set({ till_environment: to, updated_at: at })
      .where("account_id", "=", accountId)
      .execute();
  }

  /**
   * Sets the exchange rate, or confirms the present rate. Prices follow the rate
   * (rules#money-exchange-rate).
   * @throws Problem NOT_SET_UP, INVALID_REQUEST naming `rate`
   */
  async setRate({ accountId, staffId }: Author, rate: string): Promise<{ rate: string }> {
    const { db, transactor, clock } = this.#deps;
    const { currency } = await this.get(accountId);
    const wallet = await getWalletUnit(db, accountId);
    const checked = this.#getRate({ currency, rate }, wallet.currency);
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      const before = await findShop(tx, accountId);
      await tx
        .updateTable("shops")
        .set({ rate: checked, rate_set_at: at, updated_at: at })
        .where("account_id", "=", accountId)
        .execute();
      await recordAudit(tx, {
        accountId,
        staffId,
        action: "settings.change",
        subject: accountId,
        detail: { rate: checked, "rate.was": before?.rate ?? "" },
        at,
      });
      await recordChangeInBoth(tx, accountId, { topic: "catalog", subject: accountId, at });
    });
    return { rate: checked };
  }

  /**
   * Returns when the rate was determined: the date of the proposed rate if the owner kept it, else
   * `at`.
   */
  #getRateSetAt({ currency, rate }: { currency: string; rate: string }, at: number): number {
    const reference = this.#deps.rates;
    const proposed = reference.rates[currency];
    const isProposed = proposed !== undefined && new Exact(rate).eq(proposed);
    return isProposed ? Math.min(at, toInstant(reference)) : at;
  }

  /**
   * Changes properties of the shop, and notifies the tills.
   * @throws Problem NOT_SET_UP, INVALID_REQUEST naming `country`
   */
  async change({ accountId, staffId }: Author, change: ShopChange): Promise<ShopFacts> {
    const { transactor, clock } = this.#deps;
    const { country } = change;
    if (country !== undefined && country !== "" && !isSupportedCountry(country)) {
      throw new Problem("INVALID_REQUEST", `There is no country ${country}.`, {
        country: "must be a country such as GT",
      });
    }
    return transactor.transact(accountId, async (tx) => {
      const before = await findShop(tx, accountId);
      if (!before) throw new Problem("NOT_SET_UP", "The shop has not been set up yet.");
      const at = clock.now();
      const { language = before.language } = change;
      const name = change.name === undefined ? before.name : tidyName(change.name);
      await tx
        .updateTable("shops")
        .set({
          name,
          language,
          ...(country !== undefined && { country: country === "" ? null : country }),
          updated_at: at,
        })
        .where("account_id", "=", accountId)
        .execute();
      const after = await findShop(tx, accountId);
      if (!after) throw new Error("the changed shop is missing");
      const detail = whatChanged(toAuditDetail(before), toAuditDetail(after));
      if (Object.keys(detail).length === 0) return toShopFacts(after);
      const action = "settings.change";
      await recordAudit(tx, { accountId, staffId, action, subject: accountId, detail, at });
      await recordChangeInBoth(tx, accountId, { topic: "shop", subject: accountId, at });
      return toShopFacts(after);
    });
  }

  #getRate(input: Pick<SetupInput, "currency" | "rate">, walletCurrency: string): string {
    if (!isCurrency(input.currency)) {
      throw invalidField("currency", "is not an ISO 4217 currency");
    }
    if (input.currency === walletCurrency) {
      if (input.rate !== undefined && !new Exact(input.rate).eq(1)) {
        throw invalidField("rate", "must be 1 for the wallet's own currency");
      }
      return "1";
    }
    const rate = input.rate ?? this.#deps.rates.rates[input.currency];
    if (rate === undefined) {
      throw invalidField("rate", `is required: there is no reference rate for ${input.currency}`);
    }
    if (!new Exact(rate).gt(0)) throw invalidField("rate", "must be more than 0");
    return rate;
  }
}

function alreadySetUp(): Problem {
  return new Problem("ALREADY_SET_UP", "The shop has been set up already.");
}

function toShopFacts({ name, language, country, hasChosenCountry }: Shop): ShopFacts {
  return { name, language, country, chosenCountry: hasChosenCountry };
}

function toAuditDetail({ name, language, country }: Shop) {
  return { shopName: name, language, country };
}

type ShopModuleDeps = Base & {
  version: string;
  sessions: SessionService;
  settings: SettingsService;
  staff: StaffService;
  addStartingPrices: AddStartingPrices;
};

export function createShopModule(deps: ShopModuleDeps) {
  const rates = readReferenceRates(deps.config.resourcesDir);
  const shop = new ShopService({ ...deps, rates });
  const logos = new LogoService(deps);
  return {
    services: { shop, rates },
    async pos(app) {
      await registerSetupRoutes(app, { ...deps, shop });
      await registerShopRoutes(app, { ...deps, shop, logos });
      // Registered here, because the staff module cannot read the shop's environment.
      registerSessionRoutes(app, { ...deps, shop });
    },
  } satisfies Module;
}

async function registerShopRoutes(
  app: App,
  deps: ShopModuleDeps & { shop: ShopService; logos: LogoService },
): Promise<void> {
  const { shopOperations } = await import("../../../contract/pos/shop.ts");
  handle(app, shopOperations.get, async ({ actor }) =>
    toShopFacts(await deps.shop.get(actor.accountId)),
  );

  handle(app, shopOperations.change, ({ actor, body }) => {
    const { accountId, staffId } = actor;
    return deps.shop.change({ accountId, staffId }, body);
  });

  // Cached for a year, because the address contains the image's digest.
  handle(app, shopOperations.readLogo, async ({ params, reply }) => {
    const { type, content } = await deps.logos.read(deps.accountId, params.digest);
    reply.type(type).header("cache-control", "private, max-age=31536000, immutable");
    return reply.send(Buffer.from(content));
  });

  handle(app, shopOperations.setLogo, ({ actor: { accountId, staffId }, body }) =>
    deps.logos.set({ accountId, staffId }, body.content),
  );

  handle(app, shopOperations.removeLogo, ({ actor: { accountId, staffId } }) =>
    deps.logos.remove({ accountId, staffId }),
  );
}

async function registerSetupRoutes(
  app: App,
  deps: ShopModuleDeps & { shop: ShopService },
): Promise<void> {
  const { setupOperations } = await import("../../../contract/pos/setup.ts");
  const { accountId, db, version, shop, settings, sessions } = deps;

  // A person in training sells in a different environment than the shop.
  handle(app, setupOperations.getStatus, async ({ actor, request }) => {
    const found = await shop.find(accountId);
    const environment = actor?.environment ?? found?.tillEnvironment ?? "test";
    const pilot =
      environment === "live" && actor
        ? await readPilotState(db, accountId, placeOf(request).device)
        : undefined;
    const { idleLockMinutes, timeZone, dayStartsAt } = await settings.getOfAccount(accountId);
    return {
      version,
      setUp: found !== undefined,
      shopName: found?.name ?? "",
      currency: found?.currency ?? "",
      currencyDivisor: found?.currencyDivisor ?? 100,
      language: found?.language ?? "en",
      environment,
      idleLockMinutes,
      timeZone,
      dayStartsAt,
      cashStep: found?.cashStep ?? 0,
      ...(found && actor && { tenders: [...found.tenders] }),
      ...(found?.logo && { logo: found.logo }),
      country: found?.country ?? "",
      ...(pilot && { pilot }),
    };
  });

  handle(app, setupOperations.listCurrencies, () => shop.listCurrencies(accountId));

  handle(app, setupOperations.setUp, async ({ body, request, reply }) => {
    const { remoteAddress = "" } = request.socket;
    if (!isLoopback(request.ip) || !isLoopback(remoteAddress)) {
      throw new Problem(
        "FORBIDDEN",
        "Set the shop up on the machine that Tillgate runs on, or with `tillgate setup`.",
      );
    }
    const owner = await shop.setUp(accountId, body);
    const place = placeOf(request);
    const { session, ...tokens } = await sessions.openFor(accountId, owner.staffId, place);
    setSessionCookie(reply, tokens.token);
    setDeviceCookie(reply, tokens.deviceToken);
    return toPosSession(session, (await shop.get(accountId)).tillEnvironment);
  });
}
