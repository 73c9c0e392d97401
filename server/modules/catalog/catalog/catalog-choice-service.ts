import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import type {
  CatalogPins,
  CatalogSwitch,
  CatalogSwitches,
  PinInput,
  SwitchInput,
  SwitchPreview,
  SwitchTarget,
} from "../../../contract/pos/office-catalog.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { digestOf } from "../../../lib/digest.ts";
import type { Base } from "../../module.ts";
import type { CatalogBrowser } from "./catalog-browser.ts";
import {
  fitsTarget,
  listInForce,
  noteChoice,
  OfferSwitches,
  readPins,
  readTarget,
  writePins,
} from "./catalog-choices.ts";
import type { CatalogService } from "./catalog-service.ts";
import type { CatalogAction } from "./catalog-update.ts";

const SWITCHES_SHOWN = 50;

interface CatalogChoiceServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  catalog: CatalogService;
  catalogBrowser: CatalogBrowser;
  recordAudit(tx: Tx, action: CatalogAction): Promise<void>;
}

export class CatalogChoiceService {
  readonly #deps: CatalogChoiceServiceDeps;

  constructor(deps: CatalogChoiceServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem INVALID_REQUEST */
  async previewSwitch(scope: Scope, { target, enabled }: SwitchInput): Promise<SwitchPreview> {
    requireNamed(target);
    const { stated } = await this.#deps.catalog.getReviewed(scope);
    const inForce = await listInForce(this.#deps.db, scope);
    const before = new OfferSwitches(inForce);
    const after = new OfferSwitches([...inForce, { sequence: Infinity, target, enabled }]);
    const fitting = stated.filter((offer) => fitsTarget(offer, target));
    const changing = fitting.filter(
      (offer) => offer.enabled && before.isOff(offer) !== after.isOff(offer),
    );
    return { offers: fitting.length, changes: changing.length };
  }

  /**
   * Switches matching offers on or off, including offers that are imported later.
   * @throws Problem INVALID_REQUEST without a target, NOT_FOUND if no offer matches
   */
  async switch(author: ScopedAuthor, input: SwitchInput): Promise<CatalogSwitch> {
    const { target, enabled } = input;
    const { offers, changes } = await this.previewSwitch(author, input);
    if (offers === 0) throw new Problem("NOT_FOUND", "No offer of the catalog fits that.");
    const sequence = await this.#deps.transactor.transact(author.accountId, (tx) =>
      this.switchIn(tx, author, { target, enabled, offers: changes }),
    );
    const made = (await this.listSwitches(author)).list.find((one) => one.sequence === sequence);
    if (!made) throw new RangeError(`the switch ${sequence} is missing`);
    return made;
  }

  /**
   * Like `switch`, but in the caller's transaction, and without an error if no offer matches.
   * @param made.offers number of changed offers
   * @returns sequence number of the switch
   */
  async switchIn(
    tx: Tx,
    author: ScopedAuthor,
    { target, enabled, offers }: SwitchInput & { offers: number },
  ): Promise<number> {
    const at = this.#deps.clock.now();
    const newest = await tx
      .selectFrom("offer_switches")
      .select((eb) => eb.fn.max("sequence").as("sequence"))
      .where(inScope(author))
      .executeTakeFirst();
    const next = (newest?.sequence ?? 0) + 1;
    await tx
      .insertInto("offer_switches")
      .values({
        account_id: author.accountId,
        environment: author.environment,
        sequence: next,
        target_json: JSON.stringify(target),
        enabled: enabled ? 1 : 0,
        offers,
        staff_id: author.staffId ?? null,
        switched_at: at,
        undone_at: null,
      })
      .execute();
    const action = enabled ? "catalog.show" : "catalog.hide";
    await this.#note(tx, author, { action, target, detail: { offers }, at });
    return next;
  }

  async undoIn(tx: Tx, author: ScopedAuthor, target: SwitchTarget): Promise<void> {
    const named = digestOf(target);
    for (const one of await listInForce(tx, author)) {
      if (digestOf(one.target) === named) await this.#undo(tx, author, one.sequence);
    }
  }

  /**
   * Undoes one switch. Later switches stay in force.
   * @throws Problem NOT_FOUND
   */
  async undoSwitch(author: ScopedAuthor, sequence: number): Promise<CatalogSwitches> {
    await this.#deps.transactor.transact(author.accountId, (tx) =>
      this.#undo(tx, author, sequence),
    );
    return this.listSwitches(author);
  }

  async #undo(tx: Tx, author: ScopedAuthor, sequence: number): Promise<void> {
    const at = this.#deps.clock.now();
    const row = await tx
      .updateTable("offer_switches")
      .set({ undone_at: at })
      .where(inScope(author))
      .where("sequence", "=", sequence)
      .where("undone_at", "is", null)
      .returning(["target_json", "enabled"])
      .executeTakeFirst();
    if (!row) throw new Problem("NOT_FOUND", "There is no such switch, or it was undone.");
    const target = readTarget(row.target_json, sequence);
    const detail = { was: row.enabled === 1 ? "show" : "hide" };
    await this.#note(tx, author, { action: "catalog.switch-undo", target, detail, at });
  }

  async listSwitches(scope: Scope): Promise<CatalogSwitches> {
    const rows = await this.#deps.db
      .selectFrom("offer_switches as o")
      .leftJoin("staff as s", (join) =>
        join.onRef("s.account_id", "=", "o.account_id").onRef("s.staff_id", "=", "o.staff_id"),
      )
      .selectAll("o")
      .select("s.name")
      .where(inScope(scope, "o"))
      .orderBy("o.sequence", "desc")
      .limit(SWITCHES_SHOWN)
      .execute();
    return {
      list: rows.map((row) => ({
        sequence: row.sequence,
        target: readTarget(row.target_json, row.sequence),
        enabled: row.enabled === 1,
        offers: row.offers,
        at: toTimestamp(row.switched_at),
        ...(row.staff_id !== null && { staff: { staffId: row.staff_id, name: row.name ?? "" } }),
        ...(row.undone_at !== null && { undoneAt: toTimestamp(row.undone_at) }),
      })),
    };
  }

  async listPins(scope: Scope): Promise<CatalogPins> {
    const { choices } = await this.#deps.catalog.getReviewed(scope);
    const pinned = [...choices.pins].flatMap(([family, ids]) =>
      ids.map((offerId) => ({ family, offerId })),
    );
    const { catalogBrowser } = this.#deps;
    const list = await Promise.all(
      pinned.map(async ({ family, offerId }) => {
        const offer = await catalogBrowser.findRow(scope, offerId);
        return { family, offerId, ...(offer && { offer }) };
      }),
    );
    return { list };
  }

  /**
   * Saves the pins of a family. A pinned offer that left the catalog stays pinned.
   * @throws Problem NOT_FOUND for an offer that the family never had
   */
  async savePins(author: ScopedAuthor, { family, offerIds }: PinInput): Promise<CatalogPins> {
    const { catalog, transactor } = this.#deps;
    const { snapshot, choices } = await catalog.getReviewed(author);
    for (const offerId of offerIds) {
      const isThere = snapshot.get(offerId)?.productType === family;
      if (isThere || choices.pins.get(family)?.includes(offerId)) continue;
      throw new Problem("NOT_FOUND", `There is no offer ${offerId} in this family.`);
    }
    await transactor.transact(author.accountId, (tx) =>
      this.pinIn(tx, author, { family, offerIds }),
    );
    return this.listPins(author);
  }

  /** Like `savePins`, within the caller's transaction and without checking the offers. */
  async pinIn(tx: Tx, author: ScopedAuthor, { family, offerIds }: PinInput): Promise<void> {
    const at = this.#deps.clock.now();
    const pins = await readPins(tx, author);
    pins.delete(family);
    if (offerIds.length > 0) pins.set(family, [...offerIds]);
    await writePins(tx, author, pins);
    const detail = { offers: offerIds.length };
    await this.#note(tx, author, { action: "catalog.pin", target: { family }, detail, at });
  }

  async #note(
    tx: Tx,
    author: ScopedAuthor,
    noted: {
      action: AuditAction;
      target: SwitchTarget;
      detail: Record<string, string | number>;
      at: number;
    },
  ): Promise<void> {
    const { accountId, staffId, environment } = author;
    const { action, target, detail, at } = noted;
    await noteChoice(tx, author, { subject: action, at });
    const named: [string, string][] = Object.entries(target);
    await this.#deps.recordAudit(tx, {
      accountId,
      staffId,
      action,
      subject: named.map(([, value]) => value).join(", "),
      detail: { environment, ...Object.fromEntries(named), ...detail },
      at,
    });
  }
}

function requireNamed(target: SwitchTarget): void {
  if (Object.keys(target).length > 0) return;
  const fields = { target: "must name an offer, a brand, a country, a subtype or a family" };
  throw new Problem("INVALID_REQUEST", "A switch is for something that is named.", fields);
}
