import { FAMILIES } from "../../../server/contract/pos/families.ts";
import {
  type Limits,
  type OwnRights,
  type Role,
  rightsOf,
  type SwitchRight,
  sells,
  switchRightsOf,
} from "../../../server/contract/pos/rights.ts";
import type { StaffChange, StaffMember } from "../../../server/contract/pos/staff.ts";
import { latinDigits } from "../../lib/direction.ts";
import type { Translate } from "../../lib/i18n.ts";
import { parseAmount, toDecimal } from "../../lib/money.ts";

export const LIMIT_NAMES = ["perSale", "perDay", ...FAMILIES] as const;
type LimitName = (typeof LIMIT_NAMES)[number];

/** Returns the name of a limit: for a sale, for a day, or for a product family in a sale. */
export function limitWords(name: LimitName, t: Translate): string {
  return name === "perSale" || name === "perDay"
    ? t(`staff.limit.${name}`)
    : t(`family.${name}.limit`);
}

/** Values of the form's fields. Amounts are texts; empty means no limit. */
export interface RightsForm {
  readonly role: Role;
  readonly before: Role;
  readonly rights: Readonly<Record<SwitchRight, boolean>>;
  readonly discountPct: string;
  readonly limits: Readonly<Record<LimitName, string>>;
}

export function rightsForm(
  { role, rights, limits }: StaffMember,
  divisor: number,
  typed: (text: string) => string,
): RightsForm {
  const amounts = { perSale: limits.perSale, perDay: limits.perDay, ...limits.perProduct };
  const texts = LIMIT_NAMES.map((name) => {
    const minor = amounts[name];
    return [name, minor === undefined ? "" : typed(toDecimal(minor, divisor))];
  });
  return {
    role,
    before: role,
    rights,
    discountPct: String(rights.discountPct),
    limits: Object.fromEntries(texts) as RightsForm["limits"],
  };
}

const NO_LIMITS = Object.fromEntries(LIMIT_NAMES.map((name) => [name, ""])) as RightsForm["limits"];

/** Returns the form for a new role. A role that does not sell has no limits. */
export function newRights(form: RightsForm, role: Role): RightsForm {
  const rights = rightsOf(role, {});
  const limits = sells(role) ? form.limits : NO_LIMITS;
  return { ...form, role, rights, limits, discountPct: String(rights.discountPct) };
}

function readPct(text: string): number | undefined {
  const digits = latinDigits(text).trim();
  return /^\d{1,3}$/.test(digits) && Number(digits) <= 100 ? Number(digits) : undefined;
}

function readLimit(text: string, divisor: number): number | "none" | "wrong" {
  return text.trim() === "" ? "none" : (parseAmount(text, divisor) ?? "wrong");
}

export function limitErrors(form: RightsForm, divisor: number) {
  const wrong = LIMIT_NAMES.map((name) => [
    name,
    readLimit(form.limits[name], divisor) === "wrong",
  ]);
  return {
    discountPct: readPct(form.discountPct) === undefined,
    limits: Object.fromEntries(wrong) as Record<LimitName, boolean>,
  };
}

/**
 * Returns the change to send, with only the deviations from the role.
 * @returns undefined while a field has an error
 */
export function toChange(form: RightsForm, divisor: number): StaffChange | undefined {
  const role = form.role === form.before ? {} : { role: form.role };
  if (form.role === "owner") {
    return role;
  }
  const discountPct = readPct(form.discountPct);
  const { limits: errors } = limitErrors(form, divisor);
  if (discountPct === undefined || Object.values(errors).includes(true)) {
    return undefined;
  }
  const usual = rightsOf(form.role, {});
  const differing = switchRightsOf(form.role).filter(
    (right) => form.rights[right] !== usual[right],
  );
  const ownRights: OwnRights = {
    ...Object.fromEntries(differing.map((right) => [right, form.rights[right]])),
    ...(discountPct !== usual.discountPct && { discountPct }),
  };
  const set = (names: readonly LimitName[]): Record<string, number> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const amount = readLimit(form.limits[name], divisor);
        return typeof amount === "number" ? [[name, amount]] : [];
      }),
    );
  const perProduct = set(FAMILIES);
  const limits: Limits = {
    ...set(["perSale", "perDay"]),
    ...(Object.keys(perProduct).length > 0 && { perProduct }),
  };
  return { ...role, ownRights, limits };
}
