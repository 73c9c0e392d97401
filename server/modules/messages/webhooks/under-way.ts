import type { RawBuilder } from "kysely";
import type { Claimant } from "../../../db/claimant.ts";
import type { Db, Tx } from "../../../db/database.ts";
import {
  type ClaimedRow,
  endClaim,
  findClaim,
  freeClaims,
  isClaimed,
  takeClaim,
} from "../../../db/postgres/claims.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { SECOND } from "../../../lib/clock.ts";
import type { DeliveryRef } from "./delivery-store.ts";
import type { EndpointRef } from "./endpoint-store.ts";
import { toSubject } from "./webhook-outbox.ts";

type SentDelivery = DeliveryRef & EndpointRef;

export interface UnderWay {
  /** Lists an endpoint's deliveries that are being sent, without verifications. */
  list(tx: Tx, endpoint: EndpointRef): Promise<string[]>;
  /** @returns whether this process may send the delivery */
  start(tx: Tx, delivery: SentDelivery): Promise<boolean>;
  has(delivery: SentDelivery): Promise<boolean>;
  /**
   * Runs in the transaction that stores the outcome.
   * @returns whether this process still holds the delivery
   */
  end(tx: Tx, delivery: SentDelivery): Promise<boolean>;
  forget(delivery: SentDelivery): void;
  /** Releases deliveries of this data directory's earlier processes, which have ended. */
  releaseEarlier(tx: Tx): Promise<void>;
  /** Matches deliveries of other processes; undefined for a single process. */
  readonly isElsewhere: RawBuilder<boolean> | undefined;
}

/** For a single process: a crash leaves nothing to undo (docs/decisions/0080). */
export class OwnDeliveries implements UnderWay {
  readonly #ids = new Map<string, Set<string>>();
  readonly isElsewhere = undefined;

  async list(_tx: Tx, endpoint: EndpointRef): Promise<string[]> {
    return [...this.#getIds(endpoint)];
  }

  async start(_tx: Tx, delivery: SentDelivery): Promise<boolean> {
    this.#getIds(delivery).add(delivery.deliveryId);
    return true;
  }

  async has(): Promise<boolean> {
    return true;
  }

  async end(_tx: Tx, delivery: SentDelivery): Promise<boolean> {
    this.forget(delivery);
    return true;
  }

  forget(delivery: SentDelivery): void {
    this.#getIds(delivery).delete(delivery.deliveryId);
  }

  async releaseEarlier(): Promise<void> {}

  #getIds(endpoint: EndpointRef): Set<string> {
    const subject = toSubject(endpoint);
    const ids = this.#ids.get(subject) ?? new Set();
    this.#ids.set(subject, ids);
    return ids;
  }
}

/**
 * Duration of a claim: longer than any request (verifications take up to 20 s), and shorter than
 * the interval of checks.
 */
const LEASE_MS = 25 * SECOND;

const TABLE = "webhook_deliveries";

/** For several processes that share a database (docs/decisions/0080). */
export class ClaimedDeliveries implements UnderWay {
  readonly #db: Db;
  readonly #claimant: Claimant;
  readonly isElsewhere = isClaimed(TABLE);

  constructor({ db, claimant }: { db: Db; claimant: Claimant }) {
    this.#db = db;
    this.#claimant = claimant;
  }

  async list(tx: Tx, endpoint: EndpointRef): Promise<string[]> {
    const rows = await tx
      .selectFrom(TABLE)
      .select("delivery_id")
      .where(inScope(endpoint))
      .where("endpoint_id", "=", endpoint.endpointId)
      .where("sent_until", "is not", null)
      .where(isClaimed(TABLE))
      // A verification that a purchase sends has no next attempt.
      .where("next_attempt_at", "is not", null)
      .execute();
    return rows.map((row) => row.delivery_id);
  }

  start(tx: Tx, delivery: SentDelivery): Promise<boolean> {
    const { owner } = this.#claimant;
    return takeClaim(tx, TABLE, toClaimedRow(delivery), { owner, lease_ms: LEASE_MS });
  }

  async has(delivery: SentDelivery): Promise<boolean> {
    const claim = await findClaim(this.#db, TABLE, toClaimedRow(delivery));
    return claim?.owner === this.#claimant.owner && claim.endsIn_ms > 0;
  }

  end(tx: Tx, delivery: SentDelivery): Promise<boolean> {
    return endClaim(tx, TABLE, toClaimedRow(delivery), this.#claimant.owner);
  }

  /** Does nothing: a claim whose end could not be stored expires. */
  forget(): void {}

  releaseEarlier(tx: Tx): Promise<void> {
    return freeClaims(tx, TABLE, this.#claimant.place);
  }

  /** Frees this process's claims, so that other processes can send at once. */
  leave(tx: Tx): Promise<void> {
    return freeClaims(tx, TABLE, this.#claimant.owner);
  }
}

function toClaimedRow({ accountId, environment, deliveryId }: DeliveryRef): ClaimedRow {
  return { accountId, environment, id: deliveryId };
}
