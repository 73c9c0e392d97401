import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { ProviderFault } from "../../../providers/provider.ts";
import { notePart } from "../../books/wallet/index.ts";
import { isTroubled, noteChoice } from "../../catalog/catalog/index.ts";
import { requireConnected, type StoredConnection } from "./connection-rules.ts";
import { queryBalance, toBalanceNote } from "./upstream-status.ts";
import { findUpstream, listUpstreams, noteUpstream, type ProviderRef } from "./upstream-store.ts";

interface ProviderBalancesDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  /** @throws SealError if the key cannot be decrypted */
  findConnection(ref: ProviderRef): Promise<StoredConnection | undefined>;
  report(ref: ProviderRef, fault: ProviderFault): Promise<void>;
}

/** Reads the balances at the providers, and stores them. */
export class ProviderBalances {
  readonly #deps: ProviderBalancesDeps;
  readonly #rechecks = new Map<string, Promise<number | undefined>>();

  constructor(deps: ProviderBalancesDeps) {
    this.#deps = deps;
  }

  async query(ref: ProviderRef, connection: StoredConnection) {
    const { db, transactor, clock } = this.#deps;
    const answered = await queryBalance(db, ref, connection);
    const at = clock.now();
    await transactor.transact(ref.accountId, async (tx) => {
      await requireConnected(tx, ref, connection);
      const stored = await findUpstream(tx, ref);
      const wasTroubled = isTroubled(stored?.fault, stored?.balance?.at);
      // Without new money the next sale fails again, so the fault counts until a higher balance.
      const isStillShort =
        wasTroubled &&
        stored?.fault?.kind === "FUNDS_SHORT" &&
        stored.balance !== undefined &&
        answered.available !== undefined &&
        answered.available <= stored.balance.available;
      const note = { ...toBalanceNote(answered, at), ...(isStillShort && { fault_at: at }) };
      await noteUpstream(tx, ref, note, at);
      if (answered.available !== undefined) await notePartOf(tx, ref, answered.available);
      if (wasTroubled && !isStillShort) await noteChoice(tx, ref, { subject: "upstream", at });
    });
    return { answered, at };
  }

  /**
   * Reads a balance that does not cover a purchase again, because the owner may have paid the
   * provider since the last reading. A balance that is still too low is reported. If it cannot be
   * read, the provider decides about the purchase.
   * @param cost minor units of the wallet's currency
   */
  async recheck(ref: ProviderRef, cost: number): Promise<void> {
    const { accountId, environment, providerId } = ref;
    const key = `${accountId}/${environment}/${providerId}`;
    const reading = this.#rechecks.get(key) ?? this.#readAgain(ref, key);
    this.#rechecks.set(key, reading);
    const available = await reading;
    if (available === undefined || available <= 0 || available >= cost) return;
    const message = "The balance at the provider does not cover a purchase.";
    await this.#deps.report(ref, { kind: "FUNDS_SHORT", message });
  }

  async #readAgain(ref: ProviderRef, key: string): Promise<number | undefined> {
    const { transactor, log, findConnection } = this.#deps;
    try {
      const connection = await findConnection(ref);
      const available = connection && (await this.query(ref, connection)).answered.available;
      if (available !== undefined) return available;
    } catch (error) {
      log.warn({ err: error }, "the balance at a provider cannot be read");
    } finally {
      this.#rechecks.delete(key);
    }
    await transactor.transact(ref.accountId, (tx) => notePart(tx, ref, undefined));
    return undefined;
  }
}

/** Notes the provider's part of the wallet. With one provider, the wallet has no parts. */
export async function notePartOf(tx: Tx, ref: ProviderRef, available: number): Promise<void> {
  const { accountId, environment }: Scope = ref;
  const isOnly = (await listUpstreams(tx, { accountId, environment })).length < 2;
  await notePart(tx, ref, isOnly ? undefined : available);
}
