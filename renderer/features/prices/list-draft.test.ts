import { describe, expect, it } from "vitest";
import { perFamily } from "../../../server/contract/pos/families.ts";
import type { PriceList, PriceRule } from "../../../server/contract/pos/prices.ts";
import { changesBetween, rebased, withoutRule, withRule } from "./list-draft.ts";

function rule(ruleId: string, percent = "8"): PriceRule {
  return {
    ruleId,
    enabled: true,
    target: {},
    class: "STANDARD",
    channel: "ANY",
    basis: "COST",
    how: "MARKUP",
    percent,
  };
}

function list(rules: PriceRule[], of: Partial<PriceList> = {}): PriceList {
  const taxes = perFamily({ kind: "NONE" as const, percent: "0" });
  return { rules, taxes, fxBufferPercent: "0", driftAlertPercent: "2", ...of };
}

const idsOf = ({ rules }: PriceList) => rules.map(({ ruleId, percent }) => `${ruleId} ${percent}`);

describe("draft of a price list", () => {
  it("lists its changes, regardless of the order of fields", () => {
    const before = list([rule("a"), rule("b"), rule("c")]);
    const turned = Object.fromEntries(Object.entries(rule("a")).toReversed());
    const after = withoutRule(withRule(withRule(before, rule("b", "9")), rule("d")), "c");
    const same = {
      ...after,
      rules: after.rules.map((one) => (one.ruleId === "a" ? { ...turned, ...one } : one)),
    };
    const changes = changesBetween(before, { ...same, fxBufferPercent: "1" });
    expect(changes.added.map(({ ruleId }) => ruleId)).toEqual(["d"]);
    expect(changes.removed.map(({ ruleId }) => ruleId)).toEqual(["c"]);
    expect(changes.changed.map(({ after: { ruleId } }) => ruleId)).toEqual(["b"]);
    expect(changes.settings).toEqual(["fxBufferPercent"]);
  });

  it("preserves its own changes and another owner's changes after a concurrent save", () => {
    const base = { version: 3, list: list([rule("a"), rule("b"), rule("c")]) };
    const mine = withoutRule(withRule(withRule(base.list, rule("a", "20")), rule("mine")), "c");
    const theirs = {
      version: 4,
      list: list([rule("a"), rule("b", "30"), rule("c"), rule("theirs")], { fxBufferPercent: "2" }),
    };
    const onto = rebased({ base, list: { ...mine, driftAlertPercent: "5" } }, theirs);
    expect(onto.base.version).toBe(4);
    expect(idsOf(onto.list)).toEqual(["a 20", "b 30", "theirs 8", "mine 8"]);
    expect(onto.list).toMatchObject({ fxBufferPercent: "2", driftAlertPercent: "5" });
  });
});
