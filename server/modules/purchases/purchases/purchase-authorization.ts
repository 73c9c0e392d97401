import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Claimant } from "../../../db/claimant.ts";
import type { Db } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Supplier } from "../../../suppliers/supplier.ts";
import { findEsim, isEsimGone } from "../esims/index.ts";
import { isBrandPaused, mustWait } from "./brand-breaker.ts";
import { failure } from "./purchase-failures.ts";
import type { StoredPurchase } from "./purchase-store.ts";
import { authorize, refuse } from "./purchase-transitions.ts";
import type { PurchaseVerification } from "./purchase-verification.ts";
import { writeFor } from "./write-for.ts";

export interface AuthorizationDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  claimant: Claimant | undefined;
  /** The provider of an account's environment; undefined where none is connected. */
  supplierOf(scope: Scope): Promise<Supplier | undefined>;
  verification: PurchaseVerification;
}

/** Decides whether money is held for a purchase that was accepted (rules#purchase-states). */
export class PurchaseAuthorization {
  readonly #deps: AuthorizationDeps;

  constructor(deps: AuthorizationDeps) {
    this.#deps = deps;
  }

  /**
   * Holds the money for a purchase, and writes its first attempt down with it.
   * @returns the purchase with its money held, IN_PROGRESS where the attempt is to be sent; undefined
   *   where it was refused or has to wait, which is then written
   */
  async tryFor(purchase: StoredPurchase): Promise<StoredPurchase | undefined> {
    const obstacle = await this.#obstacleTo(purchase);
    if (obstacle) {
      await writeFor(this.#deps, purchase, (tx, now) => refuse(tx, purchase, now, obstacle));
      return undefined;
    }
    const { db, verification, claimant } = this.#deps;
    let isLetThrough = false;
    if (await verification.asksAbout(purchase)) {
      // The shop's own system is not asked about what waits for its brand.
      if (await isBrandPaused(db, purchase)) {
        if (await writeFor(this.#deps, purchase, (tx, now) => mustWait(tx, purchase, now))) {
          return undefined;
        }
        isLetThrough = true;
      }
      if (!(await verification.admits(purchase))) return undefined;
    }
    return writeFor(this.#deps, purchase, async (tx, now) => {
      // Paused meanwhile, it waits; one that was let through to try a paused brand is not asked twice.
      if (!isLetThrough && (await mustWait(tx, purchase, now))) return undefined;
      return authorize(tx, purchase, now, claimant?.owner);
    });
  }

  /** Why no money may be held for a purchase; undefined when it may. */
  async #obstacleTo(purchase: StoredPurchase): Promise<TransactionError | undefined> {
    const { db, supplierOf } = this.#deps;
    const { transaction, extras } = purchase;
    if (!(await supplierOf(transaction))) {
      return failure("PROVIDER_NOT_CONFIGURED", "No provider is connected.");
    }
    const { iccid } = extras;
    if (iccid === undefined) return undefined;
    const esim = await findEsim(db, transaction, iccid);
    if (!esim) return failure("ICCID_NOT_FOUND", `There is no eSIM ${iccid}.`);
    if (await isEsimGone(db, transaction, esim)) {
      return failure("ICCID_NOT_FOUND", `The eSIM ${iccid} was refunded: it takes no plan.`);
    }
    return undefined;
  }
}

/** Whether money is held for it and no attempt was ever begun. */
export function isToBeSent({ transaction, attemptState }: StoredPurchase): boolean {
  return transaction.status === "AUTHORIZED" && attemptState === "NONE";
}
