import { calendarOf, dateOf, startOfDate, type TimeZone } from "../../../contract/pos/shop-day.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { DAY, HOUR } from "../../../lib/clock.ts";
import { deviceOf } from "../../../lib/place.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { ShiftService } from "../../selling/shifts/index.ts";
import type { SettingsService } from "../../shop/settings/index.ts";
import type { SessionService } from "../../shop/staff/index.ts";
import { BackupTrialService } from "./backup-trial.ts";
import { FirstSaleService } from "./first-sale-service.ts";
import { type CheckDeps, checkForLive } from "./going-live-checks.ts";
import { saveCheckResults } from "./going-live-store.ts";
import { TillEnvironmentService } from "./till-environment-service.ts";

export { isRateRecent } from "./going-live-checks.ts";
export { readTurnedRed } from "./going-live-store.ts";

export const NIGHTLY_CHECKS_JOB = "live.check";

/** Time after midnight: after late closings and before early openings. */
const INTO_THE_DAY_MS = 4 * HOUR;

interface NightlyChecksDeps extends CheckDeps {
  accountId: string;
  transactor: Transactor;
  settings: Pick<SettingsService, "getOfAccount">;
}

/**
 * Repeats the going-live checks each night in the shop's time zone (rules#live-nightly-checks).
 * Nothing is switched off.
 */
class NightlyChecks {
  readonly #deps: NightlyChecksDeps;

  constructor(deps: NightlyChecksDeps) {
    this.#deps = deps;
  }

  /**
   * Ensures that a check is due within a day, also after clock changes. If a check is already due
   * by then, the start does not read the shop's time zone, which takes several milliseconds.
   */
  async schedule(): Promise<void> {
    const { accountId, transactor, clock, db } = this.#deps;
    const due = await findLook(db, accountId);
    if (due && due.run_at <= clock.now() + DAY) return;
    const runAt = await this.#findNextNight(accountId);
    await transactor.transact(accountId, async (tx) => {
      const job = await findLook(tx, accountId);
      if (job && job.run_at <= runAt) return;
      await enqueueJob(tx, { kind: NIGHTLY_CHECKS_JOB, subject: accountId, runAt });
    });
  }

  async run(accountId: string): Promise<void> {
    const { transactor, clock, shop } = this.#deps;
    const isLive = (await shop.find(accountId))?.tillEnvironment === "live";
    const checks = isLive ? await checkForLive(this.#deps, accountId) : [];
    const runAt = await this.#findNextNight(accountId);
    await transactor.transact(accountId, async (tx) => {
      // The shop may have switched to test during the provider query.
      if (isLive && (await shop.findTillEnvironment(tx, accountId)) === "live") {
        await saveCheckResults(tx, accountId, checks, clock.now());
      }
      await enqueueJob(tx, { kind: NIGHTLY_CHECKS_JOB, subject: accountId, runAt });
    });
  }

  async #findNextNight(accountId: string): Promise<number> {
    const { settings, clock } = this.#deps;
    const { timeZone } = await settings.getOfAccount(accountId);
    return nightAfter(clock.now(), timeZone);
  }
}

function findLook(db: Db | Tx, accountId: string) {
  return db
    .selectFrom("jobs")
    .select("run_at")
    .where("kind", "=", NIGHTLY_CHECKS_JOB)
    .where("subject", "=", accountId)
    .executeTakeFirst();
}

function nightAfter(now: number, timeZone: TimeZone): number {
  const today = dateOf(now, calendarOf(timeZone));
  const tonight = startOfDate(today, calendarOf(timeZone)) + INTO_THE_DAY_MS;
  return tonight > now ? tonight : startOfDate(today + 1, calendarOf(timeZone)) + INTO_THE_DAY_MS;
}

type GoingLiveDeps = Base &
  Omit<CheckDeps, "backupTrial"> & {
    backups: BackupService;
    sessions: SessionService;
    shifts: ShiftService;
    settings: SettingsService;
    background: ConstructorParameters<typeof BackupTrialService>[0]["background"];
    phones: PhoneService;
    purchases: PurchaseService;
  };

export function createGoingLiveModule(deps: GoingLiveDeps) {
  const backupTrial = new BackupTrialService(deps);
  const firstSale = new FirstSaleService(deps);
  const tillEnvironment = new TillEnvironmentService({ ...deps, backupTrial });
  const nightly = new NightlyChecks({ ...deps, backupTrial });
  return {
    services: { tillEnvironment },
    jobs: [{ kind: NIGHTLY_CHECKS_JOB, run: (subject) => nightly.run(subject) }],
    recover: () => nightly.schedule(),
    pos: (app) =>
      registerTillEnvironmentRoutes(app, { ...deps, tillEnvironment, backupTrial, firstSale }),
  } satisfies Module;
}

type TillEnvironmentRoutesDeps = GoingLiveDeps & {
  tillEnvironment: TillEnvironmentService;
  backupTrial: BackupTrialService;
  firstSale: FirstSaleService;
};

async function registerTillEnvironmentRoutes(
  app: App,
  deps: TillEnvironmentRoutesDeps,
): Promise<void> {
  const { tillEnvironmentOperations } = await import("../../../contract/pos/till-environment.ts");
  const { tillEnvironment, firstSale, sessions, shop } = deps;
  handle(app, tillEnvironmentOperations.get, ({ actor, request }) =>
    tillEnvironment.getState(actor.accountId, placeOf(request).device),
  );

  handle(app, tillEnvironmentOperations.check, async ({ actor, body }) => {
    if (body.to === "live") await firstSale.note(actor.accountId);
    return tillEnvironment.check(actor.accountId, body.to);
  });

  handle(app, tillEnvironmentOperations.change, async ({ actor, body, request, reply }) => {
    const { to, pin, shopName, pilot: caps } = body;
    if (to === "live") await tillEnvironment.requireName(actor.accountId, shopName);
    const token = await sessions.confirm(actor, pin, placeOf(request));
    setDeviceCookie(reply, token);
    const device = token === undefined ? placeOf(request).device : deviceOf(token);
    const { environment } = await tillEnvironment.switch(actor, to, { caps, device });
    return { environment };
  });

  handle(app, tillEnvironmentOperations.endPilot, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    await tillEnvironment.endPilot(actor);
    return {};
  });

  handle(app, tillEnvironmentOperations.movePilot, async ({ actor, request }) => {
    await tillEnvironment.movePilot(actor, placeOf(request).device);
    return {};
  });

  await registerWayRoutes(app, deps);

  handle(app, tillEnvironmentOperations.setRate, ({ actor, body }) =>
    shop.setRate(actor, body.rate),
  );
}

async function registerWayRoutes(
  app: App,
  { tillEnvironment, backupTrial, firstSale, sessions }: TillEnvironmentRoutesDeps,
): Promise<void> {
  const { tillEnvironmentOperations } = await import("../../../contract/pos/till-environment.ts");
  handle(app, tillEnvironmentOperations.confirm, async ({ actor, params }) => {
    await tillEnvironment.confirm(actor, params.what);
    return {};
  });

  handle(app, tillEnvironmentOperations.tryBackup, ({ actor }) => {
    backupTrial.start(actor);
    return {};
  });

  handle(app, tillEnvironmentOperations.listPriceChanges, ({ actor }) =>
    tillEnvironment.listPriceChanges(actor.accountId),
  );

  handle(app, tillEnvironmentOperations.listFirstSaleOffers, async ({ actor, body }) => ({
    list: await firstSale.listOffers(actor.accountId, body.recipientPhoneNumber),
  }));

  handle(app, tillEnvironmentOperations.makeFirstSale, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    await firstSale.make(actor, body);
    return {};
  });
}
