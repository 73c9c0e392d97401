import { type Static, Type } from "typebox";
import { Input, Timestamp } from "../common.ts";
import { ClientId } from "./client-id.ts";
import { FAMILIES } from "./families.ts";
import type { Limits, Rights } from "./rights.ts";
import { Pin } from "./setup.ts";
import { StaffName } from "./staff.ts";

/** Rights with a figure: a percentage, or minor units of the shop's currency. */
const FIGURE_NEEDS = [
  "discountPct",
  "perSale",
  "perDay",
  ...FAMILIES.map((family) => `perProduct.${family}` as const),
] as const;

/** Rights that a person has or does not have. */
const PLAIN_NEEDS = [
  "reprint",
  "reveal",
  "noSale",
  "payOut",
  "customerRefund",
  "carryOver",
  "seeExpectedCash",
  "belowCost",
] as const;

export const NEED_NAMES = [...FIGURE_NEEDS, ...PLAIN_NEEDS] as const;
export type NeedName = (typeof NEED_NAMES)[number];

/**
 * One thing that an action needs: a right, or a limit with the figure that it would reach: percent for
 * `discountPct`, else minor units of the shop's currency.
 */
export const Need = Input({
  right: Type.Enum(NEED_NAMES),
  asked: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});
export type Need = Static<typeof Need>;

/** The figure up to which a person may act alone: nothing is 0, no limit is Infinity. */
export function allowedBy({ rights, limits }: { rights: Rights; limits: Limits }, name: NeedName) {
  const family = FAMILIES.find((one) => name === `perProduct.${one}`);
  if (family) return limits.perProduct?.[family] ?? Infinity;
  if (name === "discountPct") return rights.discountPct;
  if (name === "perSale" || name === "perDay") return limits[name] ?? Infinity;
  return PLAIN_NEEDS.some((one) => one === name && rights[one]) ? Infinity : 0;
}

/** Whether a person may do alone what is asked. A right without a figure is granted or not. */
export function mayDo(who: { rights: Rights; limits: Limits }, { right, asked }: Need): boolean {
  return (asked ?? 1) <= allowedBy(who, right);
}

/** Needs as one text, e.g. `discountPct=15 perSale=60000 reprint`: `fields.needs` of a refusal. */
export function writeNeeds(needs: readonly Need[]): string {
  return needs
    .map(({ right, asked }) => (asked === undefined ? right : `${right}=${asked}`))
    .join(" ");
}

/** Reads what `writeNeeds` wrote; anything else is left out. */
export function readNeeds(text: string): Need[] {
  return text.split(" ").flatMap((word): Need[] => {
    const [name = "", asked] = word.split("=", 2);
    const right = NEED_NAMES.find((known) => known === name);
    if (!right) return [];
    return [asked === undefined ? { right } : { right, asked: Number(asked) }];
  });
}

/**
 * `POST /pos/approvals`: a person with the right approves in place, without changing who is signed in.
 * Good once, for five minutes, for exactly the request that was refused and for the person who made it.
 * A wrong PIN counts and locks as at the sign-in. The facts are kept, and are in the audit trail; the
 * request is let through only if they are its own (rules#approval-one-request).
 */
export const ApprovalInput = Input({
  approvalId: ClientId,
  staffId: Type.String({ minLength: 1, maxLength: 64 }),
  pin: Pin,
  rights: Type.Array(Need, { minItems: 1, maxItems: 12 }),
  subject: Type.String({
    pattern: "^[A-Za-z0-9_-]{1,128}$",
    description: "the id of what is approved, such as the sale's",
  }),
  requestDigest: Type.String({
    pattern: "^[0-9a-f]{64}$",
    description: "`fields.requestDigest` of the refusal: what was asked for, to the last field",
  }),
  facts: Type.String({
    maxLength: 4_000,
    description: "`fields.facts` of the refusal: what whoever approves was shown",
  }),
});
export type ApprovalInput = Static<typeof ApprovalInput>;

export const Approval = Type.Object({
  approvalId: Type.String(),
  approvedBy: StaffName,
  subject: Type.String(),
  requestDigest: Type.String(),
  rights: Type.Array(Need),
  expiresAt: Timestamp,
});
export type Approval = Static<typeof Approval>;

/** A request in words for people: amounts, a reason, what is sold and for whom. */
export type Facts = Record<string, string | number | boolean>;

/** Reads `fields.facts` of a refusal; undefined for any other text. */
export function readFacts(text: string): Facts | undefined {
  try {
    const facts: unknown = JSON.parse(text);
    if (typeof facts !== "object" || facts === null || Array.isArray(facts)) return undefined;
    const isFlat = Object.values(facts).every((value) =>
      ["string", "number", "boolean"].includes(typeof value),
    );
    return isFlat ? (facts as Facts) : undefined;
  } catch {
    return undefined;
  }
}

/** `GET /pos/approvers`: who could approve these needs, as `fields.needs` of a refusal has them. */
export const ApproversQuery = Input({
  needs: Type.String({
    pattern: "^[A-Za-z._=0-9]+( [A-Za-z._=0-9]+){0,11}$",
    description: "rights with their figures, such as discountPct=15 perSale=60000",
  }),
});
export type ApproversQuery = Static<typeof ApproversQuery>;
