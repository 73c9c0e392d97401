import { type Static, Type } from "typebox";
import { Input } from "../common.ts";
import { FAMILIES, perFamily } from "./families.ts";

export const ROLES = ["clerk", "supervisor", "accountant", "owner"] as const;
export const Role = Type.Enum(ROLES);
export type Role = Static<typeof Role>;

const Percent = Type.Integer({ minimum: 0, maximum: 100, description: "a percentage, 0 to 100" });

const RIGHTS = {
  discountPct: Percent,
  reprint: Type.Boolean({ description: "Print a receipt again, as a COPY" }),
  reveal: Type.Boolean({ description: "Reveal PINs and codes of earlier sales" }),
  noSale: Type.Boolean({ description: "Open the drawer without a sale" }),
  payOut: Type.Boolean({ description: "Take cash out of the drawer" }),
  customerRefund: Type.Boolean({ description: "Refund undelivered lines" }),
  carryOver: Type.Boolean({ description: "Close a shift with unfinished lines" }),
  seeExpectedCash: Type.Boolean({
    description: "See the shop's figures, all its sales, and the cash that should be in the drawer",
  }),
  seeFigures: Type.Boolean({
    description: "See and export sales, earnings and takings of any day",
  }),
  changePrices: Type.Boolean({
    description: "Change the price list, except sales below cost; reveals costs",
  }),
  changeCatalog: Type.Boolean({ description: "Choose the brands that are sold or paused" }),
  settleCases: Type.Boolean({
    description: "Settle failed transactions that the provider may have executed",
  }),
  belowCost: Type.Boolean({
    description: "Give a discount below the wallet's cost; owners only",
  }),
};

/**
 * Actions that a person may do without approval. Any other action needs approval by a person with
 * the permission.
 */
export const Rights = Type.Object(RIGHTS);
export type Rights = Static<typeof Rights>;

/** Permissions of a person that differ from those of the role. */
export const OwnRights = Input({
  discountPct: Type.Optional(RIGHTS.discountPct),
  reprint: Type.Optional(RIGHTS.reprint),
  reveal: Type.Optional(RIGHTS.reveal),
  noSale: Type.Optional(RIGHTS.noSale),
  payOut: Type.Optional(RIGHTS.payOut),
  customerRefund: Type.Optional(RIGHTS.customerRefund),
  carryOver: Type.Optional(RIGHTS.carryOver),
  seeExpectedCash: Type.Optional(RIGHTS.seeExpectedCash),
  seeFigures: Type.Optional(RIGHTS.seeFigures),
  changePrices: Type.Optional(RIGHTS.changePrices),
  changeCatalog: Type.Optional(RIGHTS.changeCatalog),
  settleCases: Type.Optional(RIGHTS.settleCases),
});
export type OwnRights = Static<typeof OwnRights>;

/** Permissions that can be granted, in display order. */
export const SWITCH_RIGHTS = [
  "reprint",
  "reveal",
  "noSale",
  "payOut",
  "customerRefund",
  "carryOver",
  "seeExpectedCash",
  "seeFigures",
  "changePrices",
  "changeCatalog",
  "settleCases",
] as const satisfies readonly (keyof Rights)[];
export type SwitchRight = (typeof SWITCH_RIGHTS)[number];

/** Permissions that a person who does not sell can have. */
const OFFICE_RIGHTS = [
  "seeExpectedCash",
  "seeFigures",
  "changePrices",
  "changeCatalog",
  "settleCases",
] as const satisfies readonly SwitchRight[];

/** Returns whether people with a role sell. An accountant only sees sales. */
export function sells(role: Role): boolean {
  return role !== "accountant";
}

/** Returns the permissions that can be granted to people with a role, in display order. */
export function switchRightsOf(role: Role): readonly SwitchRight[] {
  return sells(role) ? SWITCH_RIGHTS : OFFICE_RIGHTS;
}

const NO_RIGHTS: Rights = {
  discountPct: 0,
  reprint: false,
  reveal: false,
  noSale: false,
  payOut: false,
  customerRefund: false,
  carryOver: false,
  seeExpectedCash: false,
  seeFigures: false,
  changePrices: false,
  changeCatalog: false,
  settleCases: false,
  belowCost: false,
};

const CLERK_RIGHTS: Rights = { ...NO_RIGHTS, reprint: true, customerRefund: true };

const SUPERVISOR_RIGHTS: Rights = {
  ...CLERK_RIGHTS,
  discountPct: 20,
  reveal: true,
  noSale: true,
  payOut: true,
  carryOver: true,
  seeExpectedCash: true,
};

const ROLE_RIGHTS: Record<Role, Rights> = {
  clerk: CLERK_RIGHTS,
  supervisor: SUPERVISOR_RIGHTS,
  accountant: { ...NO_RIGHTS, seeExpectedCash: true, seeFigures: true },
  owner: {
    ...SUPERVISOR_RIGHTS,
    discountPct: 100,
    seeFigures: true,
    changePrices: true,
    changeCatalog: true,
    settleCases: true,
    belowCost: true,
  },
};

/**
 * Returns a person's permissions: those of the role, with the person's differences. A person who
 * does not sell never has permissions of the counter (rules#access-accountant).
 */
export function rightsOf(role: Role, own: OwnRights): Rights {
  const usual = ROLE_RIGHTS[role];
  if (role === "owner") return usual;
  const rights = { ...usual, ...own };
  if (sells(role)) return rights;
  const { seeExpectedCash, seeFigures, changePrices, changeCatalog, settleCases } = rights;
  return { ...usual, seeExpectedCash, seeFigures, changePrices, changeCatalog, settleCases };
}

const Most = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "a whole number of the currency's smallest unit",
});

/** Maximum amounts that a person may sell without approval. An absent field means no limit. */
export const Limits = Input({
  perSale: Type.Optional(Most),
  perDay: Type.Optional(Most),
  perProduct: Type.Optional(Input(perFamily(Type.Optional(Most)))),
});
export type Limits = Static<typeof Limits>;

/** Permissions with a number: a percentage, or minor units of the shop's currency. */
const FIGURE_NEEDS = [
  "discountPct",
  "perSale",
  "perDay",
  ...FAMILIES.map((family) => `perProduct.${family}` as const),
] as const;

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
 * A requirement of an action: a permission, or a limit with the requested number (percent for
 * `discountPct`, otherwise minor units of the shop's currency).
 */
export const Need = Input({
  right: Type.Enum(NEED_NAMES),
  asked: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});
export type Need = Static<typeof Need>;

/**
 * Returns the number up to which a person may act without approval: 0 without the permission,
 * Infinity without a limit.
 */
export function allowedBy({ rights, limits }: { rights: Rights; limits: Limits }, name: NeedName) {
  const family = FAMILIES.find((one) => name === `perProduct.${one}`);
  if (family) return limits.perProduct?.[family] ?? Infinity;
  if (name === "discountPct") return rights.discountPct;
  if (name === "perSale" || name === "perDay") return limits[name] ?? Infinity;
  return PLAIN_NEEDS.some((one) => one === name && rights[one]) ? Infinity : 0;
}

/**
 * Returns whether a person may do an action without approval. A need without `asked` requires only
 * the permission.
 */
export function mayDo(who: { rights: Rights; limits: Limits }, { right, asked }: Need): boolean {
  return (asked ?? 1) <= allowedBy(who, right);
}

/**
 * Formats needs as text, e.g. `discountPct=15 perSale=60000 reprint`, for
 * `fields.needs` of a refusal.
 */
export function writeNeeds(needs: readonly Need[]): string {
  return needs
    .map(({ right, asked }) => (asked === undefined ? right : `${right}=${asked}`))
    .join(" ");
}

/** Parses the text of `writeNeeds`. Ignores invalid words. */
export function readNeeds(text: string): Need[] {
  return text.split(" ").flatMap((word): Need[] => {
    const [name = "", asked] = word.split("=", 2);
    const right = NEED_NAMES.find((known) => known === name);
    if (!right) return [];
    return [asked === undefined ? { right } : { right, asked: Number(asked) }];
  });
}
