import { expect, it } from "vitest";
import { rightsOf } from "../../../server/contract/pos/rights.ts";
import type { StaffMember } from "../../../server/contract/pos/staff.ts";
import type { Translate } from "../../lib/i18n.ts";
import { limitErrors, limitWords, newRights, rightsForm, toChange } from "./rights-form.ts";

const ana: StaffMember = {
  staffId: "ana",
  name: "Ana",
  role: "clerk",
  active: true,
  createdAt: "2026-01-15T09:30:00.000Z",
  rights: rightsOf("clerk", { discountPct: 5 }),
  ownRights: { discountPct: 5 },
  limits: { perSale: 12_345, perProduct: { ESIM: 7 } },
};
const open = (divisor = 100) => rightsForm(ana, divisor, (text) => text.replace(".", ","));

it("the permissions form sends the original values if nothing is changed", () => {
  expect(open().limits).toMatchObject({ perSale: "123,45", perDay: "", ESIM: "0,07" });
  for (const divisor of [1, 100, 1000]) {
    expect(toChange(open(divisor), divisor)).toEqual({
      ownRights: ana.ownRights,
      limits: ana.limits,
    });
  }
});

it("the permissions form sends only deviations from the new role, and none from the previous role", () => {
  const promoted = newRights(open(), "supervisor");
  expect(toChange(promoted, 100)).toMatchObject({ role: "supervisor", ownRights: {} });
  const limited = { ...promoted, rights: { ...promoted.rights, payOut: false } };
  expect(toChange(limited, 100)?.ownRights).toEqual({ payOut: false });
  expect(toChange(newRights(open(), "owner"), 100)).toEqual({ role: "owner" });
});

it("the permissions form removes all permissions and limits of the till for an accountant", () => {
  const accountant = newRights(open(), "accountant");
  expect(toChange(accountant, 100)).toEqual({ role: "accountant", ownRights: {}, limits: {} });
  const trusted = { ...accountant, rights: { ...accountant.rights, settleCases: true } };
  expect(toChange(trusted, 100)?.ownRights).toEqual({ settleCases: true });
});

it("the permissions form removes a limit whose field is empty, and sends nothing while a field is invalid", () => {
  const emptied = { ...open(), limits: { ...open().limits, perSale: " ", ESIM: "" } };
  expect(toChange(emptied, 100)?.limits).toEqual({});
  const wrong = { ...open(), limits: { ...open().limits, perDay: "1,234" }, discountPct: "101" };
  expect(toChange(wrong, 100)).toBeUndefined();
  const errors = limitErrors(wrong, 100);
  expect([errors.discountPct, errors.limits.perDay, errors.limits.perSale]).toEqual([
    true,
    true,
    false,
  ]);
});

it("the permissions form sends only the role of a new owner, who has all permissions", () => {
  expect(toChange(newRights(open(), "owner"), 100)).toEqual({ role: "owner" });
});

it("a limit is named by its period or by its product family", () => {
  const t = ((key: string) => key) as Translate;
  expect(limitWords("perDay", t)).toBe("staff.limit.perDay");
  expect(limitWords("ESIM", t)).toBe("family.ESIM.limit");
});
