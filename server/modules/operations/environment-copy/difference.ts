import type { Environment } from "../../../contract/common.ts";
import type {
  CopyBlock,
  DifferenceKind,
  EnvironmentDifference,
} from "../../../contract/pos/environment-copy.ts";
import type { SwitchTarget } from "../../../contract/pos/office-catalog.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { digestOf } from "../../../lib/digest.ts";
import { fitsTarget } from "../../catalog/catalog/index.ts";

/** Two environments as they are at one moment, with what each sells. */
export interface Sides {
  db: Db | Tx;
  accountId: string;
  from: Environment;
  to: Environment;
  offers: { from: readonly Offer[]; to: readonly Offer[] };
  /** Milliseconds. */
  now: number;
}

type Content = Omit<EnvironmentDifference, "id" | "stamp" | "kind" | "blocked" | "missing">;

const STAMP_LENGTH = 24;

/** A difference with the stamp of what stands on both sides. */
export function toDifference(
  kind: DifferenceKind,
  name: string,
  content: Content,
  why: { blocked?: CopyBlock | undefined; missing?: string[] } = {},
): EnvironmentDifference {
  const { blocked, missing = [] } = why;
  // How many offers it is for is no part of what is copied.
  const { offers: _offers, ...copied } = content;
  return {
    id: `${kind}:${name}`,
    stamp: digestOf(copied).slice(0, STAMP_LENGTH),
    kind,
    ...(blocked !== undefined && { blocked }),
    missing,
    ...content,
  };
}

/** Both sides of one thing, where they are not the same. */
export function pair<Value>(
  from: Value | undefined,
  to: Value | undefined,
): { from?: Value; to?: Value } | undefined {
  if (digestOf(from) === digestOf(to)) return undefined;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** Whether a catalog has anything of what is named; a family alone is everywhere. */
export function isSold(target: SwitchTarget, offers: readonly Offer[]): boolean {
  const { family: _family, ...named } = target;
  return Object.keys(named).length === 0 || offers.some((offer) => fitsTarget(offer, target));
}

/** A name of a target that is the same however its fields stand. */
export function nameOfTarget(target: SwitchTarget): string {
  return digestOf(target).slice(0, STAMP_LENGTH);
}
