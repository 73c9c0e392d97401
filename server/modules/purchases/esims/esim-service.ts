import { Problem } from "../../../contract/problem.ts";
import type { EsimPlan } from "../../../contract/v1/esims.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { askInTime } from "../../../providers/ask-in-time.ts";
import { addDeviations } from "../../../providers/deviation-store.ts";
import type { EsimUsage, ProviderOf } from "../../../providers/provider.ts";
import { findEsim, isEsimGone } from "./esim-store.ts";

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  providerOf: ProviderOf;
}

export class EsimService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Queries the provider, because only the provider knows the remaining data (rules#esim-plans).
   * @throws Problem NOT_FOUND for an eSIM that was not bought in this account and environment,
   * SYSTEM_UNAVAILABLE if the provider does not answer or its answer cannot be read
   */
  async getPlans(
    scope: Scope,
    iccid: string,
  ): Promise<{ plans: EsimPlan[]; firstInstalledAt: number | undefined }> {
    const { decided, details } = await this.readUsage(scope, iccid);
    if (decided) return { plans: details, firstInstalledAt: decided.firstInstalledAt };
    throw new Problem(
      "SYSTEM_UNAVAILABLE",
      "The provider's answer about this eSIM cannot be read. Try again shortly.",
    );
  }

  /**
   * Returns the plans as the provider describes them, and facts that decide about a refund.
   * @throws Problem like `getPlans`, but not for an unreadable answer
   */
  async readUsage(scope: Scope, iccid: string): Promise<EsimUsage> {
    const { db, transactor, clock, providerOf } = this.#deps;
    const { accountId, environment } = scope;
    const esim = await findEsim(db, scope, iccid);
    const provider = await providerOf({ accountId, environment, providerId: esim?.providerId });
    if (!provider?.readEsim || !esim) {
      throw new Problem("NOT_FOUND", `There is no eSIM ${iccid}.`);
    }
    const readEsim = provider.readEsim.bind(provider);
    const usage = await askInTime(clock, (signal) => readEsim({ ...scope, iccid }, signal));
    const { deviations } = usage;
    if (deviations.length > 0) {
      const what = { operation: "PLANS", reference: iccid, provider: provider.name } as const;
      await transactor.transact(accountId, (tx) =>
        addDeviations(tx, { accountId, environment, ...what, at: clock.now() }, deviations),
      );
    }
    return usage;
  }

  /** @throws Problem NOT_FOUND if every purchase for the eSIM was refunded */
  async requireLeft(scope: Scope, iccid: string): Promise<void> {
    const { db } = this.#deps;
    const esim = await findEsim(db, scope, iccid);
    if (esim && (await isEsimGone(db, scope, esim))) {
      throw new Problem("NOT_FOUND", `The eSIM ${iccid} was refunded: it has no QR code any more.`);
    }
  }
}
