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
import { subjectOf } from "./webhook-outbox.ts";

/** What is sent to an endpoint. */
type Sent = DeliveryRef & EndpointRef;

/** Which deliveries are being sent. */
export interface UnderWay {
  /** The ids of those to an endpoint. */
  list(tx: Tx, endpoint: EndpointRef): Promise<string[]>;
  /** @returns whether it is this process that sends it from now on */
  begin(tx: Tx, delivery: Sent): Promise<boolean>;
  /** Whether this process may send what it has begun. */
  has(delivery: Sent): Promise<boolean>;
  /** With what came of it. @returns whether it was this process that was to send it, still */
  end(tx: Tx, delivery: Sent): Promise<boolean>;
  /** It has ended, or was not begun after all. */
  forget(delivery: Sent): void;
  /** At a start: nothing is under way that an earlier process here has begun. */
  takeUp(tx: Tx): Promise<void>;
  /** Holds for the rows of what others are sending then; undefined where there are no others. */
  readonly isElsewhere: RawBuilder<boolean> | undefined;
}

/**
 * One process has the database for itself: what it sends is known in memory, and after a crash nothing is to be
 * undone (docs/decisions/0080).
 */
export class OwnDeliveries implements UnderWay {
  /** Ids by endpoint. */
  readonly #ids = new Map<string, Set<string>>();
  readonly isElsewhere = undefined;

  async list(_tx: Tx, endpoint: EndpointRef): Promise<string[]> {
    return [...this.#idsTo(endpoint)];
  }

  async begin(_tx: Tx, delivery: Sent): Promise<boolean> {
    this.#idsTo(delivery).add(delivery.deliveryId);
    return true;
  }

  async has(): Promise<boolean> {
    return true;
  }

  async end(_tx: Tx, delivery: Sent): Promise<boolean> {
    this.forget(delivery);
    return true;
  }

  forget(delivery: Sent): void {
    this.#idsTo(delivery).delete(delivery.deliveryId);
  }

  async takeUp(): Promise<void> {}

  #idsTo(endpoint: EndpointRef): Set<string> {
    const subject = subjectOf(endpoint);
    const ids = this.#ids.get(subject) ?? new Set();
    this.#ids.set(subject, ids);
    return ids;
  }
}

/**
 * Longer than any is sent, a question of 20 seconds among them, and over before it is looked at again: the claim of a
 * process that is gone ends by itself.
 */
const LEASE_MS = 25 * SECOND;

const TABLE = "webhook_deliveries";

/** Several processes have the database: each claims what it sends (docs/decisions/0080). */
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
      .execute();
    return rows.map((row) => row.delivery_id);
  }

  begin(tx: Tx, delivery: Sent): Promise<boolean> {
    const { owner } = this.#claimant;
    return takeClaim(tx, TABLE, rowOf(delivery), { owner, lease_ms: LEASE_MS });
  }

  async has(delivery: Sent): Promise<boolean> {
    const claim = await findClaim(this.#db, TABLE, rowOf(delivery));
    return claim?.owner === this.#claimant.owner && claim.endsIn_ms > 0;
  }

  end(tx: Tx, delivery: Sent): Promise<boolean> {
    return endClaim(tx, TABLE, rowOf(delivery), this.#claimant.owner);
  }

  /** Where its end could not be written, the claim ends by itself. */
  forget(): void {}

  takeUp(tx: Tx): Promise<void> {
    return freeClaims(tx, TABLE, this.#claimant.place);
  }

  /** At the end of this process others may send at once what was cut off. */
  leave(tx: Tx): Promise<void> {
    return freeClaims(tx, TABLE, this.#claimant.owner);
  }
}

function rowOf({ accountId, environment, deliveryId }: DeliveryRef): ClaimedRow {
  return { accountId, environment, id: deliveryId };
}
