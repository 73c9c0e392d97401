import type { ScopedAuthor } from "../../contract/pos/actor.ts";
import type { EnvironmentDifference } from "../../contract/pos/environment-copy.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import type { Tx } from "../../db/database.ts";
import {
  type CatalogChoiceService,
  fitsTarget,
  listInForce,
  type OfferSwitch,
  OfferSwitches,
  readPins,
} from "../catalog/index.ts";
import { isSold, nameOfTarget, pair, type Sides, toDifference } from "./difference.ts";

/** What an owner hid and showed, target by target: of several, the last counts. */
export async function listSwitchDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
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
      : theirs.filter((each) => nameOfTarget(each.target) !== name);
    const changes = countChanges(offers.to, theirs, after);
    return [toDifference("SWITCH", name, { target, shown, offers: changes }, { blocked })];
  });
}

/** In the order in which they were made. A show that shows nothing that is hidden says nothing. */
function lastByTarget(
  switches: readonly OfferSwitch[],
  offers: readonly Offer[],
): Map<string, OfferSwitch> {
  const hides = switches.filter(({ enabled }) => !enabled);
  const found = new Map<string, OfferSwitch>();
  for (const one of switches.toSorted((a, b) => a.sequence - b.sequence)) {
    const name = nameOfTarget(one.target);
    found.delete(name);
    const fitting = one.enabled ? offers.filter((offer) => fitsTarget(offer, one.target)) : [];
    const isOfHidden = hides.some(
      ({ target }) =>
        nameOfTarget(target) !== name && fitting.some((offer) => fitsTarget(offer, target)),
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

/** What the counter shows first, family by family. */
export async function listPinDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const { db, accountId, offers } = sides;
  const from = await readPins(db, { accountId, environment: sides.from });
  const to = await readPins(db, { accountId, environment: sides.to });
  const sold = new Set(offers.to.map(({ offerId }) => offerId));
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((family) => {
    const wanted = [...(from.get(family) ?? [])];
    const missing = wanted.filter((offerId) => !sold.has(offerId));
    const there = [...(to.get(family) ?? [])];
    const pins = pair(wanted, there);
    // What differs by nothing but what the other side does not have is as equal as it can be.
    const rest = wanted.filter((offerId) => sold.has(offerId));
    if (!pins || (rest.length > 0 && !pair(rest, there))) return [];
    const blocked =
      wanted.length > 0 && rest.length === 0 ? ("NOT_IN_CATALOG" as const) : undefined;
    return [toDifference("PINS", family, { family, pins }, { blocked, missing })];
  });
}

export async function copyChoices(
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
