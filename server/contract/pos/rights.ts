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
  reveal: Type.Boolean({ description: "See again the PINs and codes of what was sold" }),
  noSale: Type.Boolean({ description: "Open the drawer without a sale" }),
  payOut: Type.Boolean({ description: "Take cash out of the drawer" }),
  customerRefund: Type.Boolean({ description: "Hand back the money of what was not delivered" }),
  carryOver: Type.Boolean({ description: "Close a shift while something is still being sent" }),
  seeExpectedCash: Type.Boolean({
    description: "See the shop's figures, all its sales, and the cash that should be in the drawer",
  }),
  seeFigures: Type.Boolean({
    description: "See what the shop sold, earned and took on any day, and export it",
  }),
  changePrices: Type.Boolean({
    description: "Change the price list, but allow no sale below cost; shows what offers cost",
  }),
  changeCatalog: Type.Boolean({ description: "Say which brands are sold, and which are paused" }),
  settleCases: Type.Boolean({
    description: "Settle what failed here and may have happened at the provider",
  }),
  belowCost: Type.Boolean({
    description: "Give a discount below what the wallet pays; the owner's",
  }),
};

/** What a person may do alone; beyond it, a person with the right approves in place. */
export const Rights = Type.Object(RIGHTS);
export type Rights = Static<typeof Rights>;

/** The rights in which a person differs from their role. */
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

/** What is granted or not, in the order they are listed. */
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

/** What is granted or not to a person who sells nothing. */
const OFFICE_RIGHTS = [
  "seeExpectedCash",
  "seeFigures",
  "changePrices",
  "changeCatalog",
  "settleCases",
] as const satisfies readonly SwitchRight[];

/** Whether people of a role sell: an accountant sees what was sold, and sells nothing. */
export function sells(role: Role): boolean {
  return role !== "accountant";
}

/** What can be granted to a person of a role, in the order it is listed. */
export function switchRightsOf(role: Role): readonly SwitchRight[] {
  return sells(role) ? SWITCH_RIGHTS : OFFICE_RIGHTS;
}

const ROLE_RIGHTS: Record<Role, Rights> = {
  clerk: {
    discountPct: 0,
    reprint: true,
    reveal: false,
    noSale: false,
    payOut: false,
    customerRefund: true,
    carryOver: false,
    seeExpectedCash: false,
    seeFigures: false,
    changePrices: false,
    changeCatalog: false,
    settleCases: false,
    belowCost: false,
  },
  supervisor: {
    discountPct: 20,
    reprint: true,
    reveal: true,
    noSale: true,
    payOut: true,
    customerRefund: true,
    carryOver: true,
    seeExpectedCash: true,
    seeFigures: false,
    changePrices: false,
    changeCatalog: false,
    settleCases: false,
    belowCost: false,
  },
  accountant: {
    discountPct: 0,
    reprint: false,
    reveal: false,
    noSale: false,
    payOut: false,
    customerRefund: false,
    carryOver: false,
    seeExpectedCash: true,
    seeFigures: true,
    changePrices: false,
    changeCatalog: false,
    settleCases: false,
    belowCost: false,
  },
  owner: {
    discountPct: 100,
    reprint: true,
    reveal: true,
    noSale: true,
    payOut: true,
    customerRefund: true,
    carryOver: true,
    seeExpectedCash: true,
    seeFigures: true,
    changePrices: true,
    changeCatalog: true,
    settleCases: true,
    belowCost: true,
  },
};

/**
 * The rights of a role, with what is different for one person. An owner may do everything, and a person
 * who sells nothing has no right of the counter, whatever was granted (rules#access-accountant).
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

/** The most that a person may sell alone. Absent is no limit. */
export const Limits = Input({
  perSale: Type.Optional(Most),
  perDay: Type.Optional(Most),
  perProduct: Type.Optional(Input(perFamily(Type.Optional(Most)))),
});
export type Limits = Static<typeof Limits>;

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
