import { assert, constantFrom, integer, property } from "fast-check";
import i18next from "i18next";
import { expect, it } from "vitest";
import type { PosField } from "../../../../../server/contract/pos/offers.ts";
import { LANGUAGES } from "../../../../../server/contract/pos/setup.ts";
import { cleanField, fieldProblem, isShortOfMask, mostOf, shownField } from "./field-rules.ts";
import { fieldsControl } from "./fields-control.ts";
import { enterField, givenFields, NO_FIELDS, typeField } from "./fields-state.ts";

const player: PosField = {
  key: "playerId",
  label: "Player ID",
  kind: "DIGITS",
  inputMask: "999999999999",
};

const type = (state: typeof NO_FIELDS, text: string) =>
  typeField(state, [player], { text, home: "GT" });

it("a field shows every digit of an account that is too long, and Enter stays in the field", () => {
  const pasted = type(NO_FIELDS, "12ab 345-678901234567");
  const byKeys = "12ab 345-678901234567"
    .split("")
    .reduce((state, key) => type(state, (state.texts.playerId ?? "") + key), NO_FIELDS);
  expect(byKeys).toEqual(pasted);
  const typed = pasted.texts.playerId ?? "";
  expect(shownField(player, typed, "GT")).toBe("12345678901234567");
  expect(fieldProblem(player, typed, "GT")).toBe("long");
  expect(enterField(pasted, [player])).toBe(pasted);
  let entered = false;
  const onEntered = () => {
    entered = true;
  };
  const control = fieldsControl(
    { state: pasted, fields: [player], onText: () => undefined, onEntered },
    i18next.getFixedT("en"),
    "Show amount due",
  );
  control.proceed();
  expect(control.next).toEqual({ label: "Check: Player ID", ready: false });
  expect(entered).toBe(false);
  expect(fieldProblem(player, typed.slice(0, 12), "GT")).toBeUndefined();
});

it("a field accepts an account shorter than its mask, with a warning", () => {
  const spaced: PosField = { ...player, inputMask: "9999 9999-9999" };
  for (const field of [player, spaced]) {
    expect(mostOf(field)).toBe(12);
    expect(isShortOfMask(field, "12345678901")).toBe(true);
    expect(fieldProblem(field, "12345678901", "GT")).toBeUndefined();
    expect(isShortOfMask(field, "123456789012")).toBe(false);
    expect(isShortOfMask(field, "")).toBe(false);
  }
});

it("a field accepts text of the maximum length, and never shortens longer text", () => {
  const fields: PosField[] = [
    player,
    { key: "account", label: "Account", kind: "DIGITS" },
    { key: "name", label: "Name", kind: "TEXT" },
    { key: "mail", label: "E-mail", kind: "EMAIL" },
    { key: "phone", label: "Phone", kind: "PHONE" },
  ];
  assert(
    property(constantFrom(...fields), integer({ min: 1, max: 600 }), (field, length) => {
      const text = "7".repeat(length);
      expect(cleanField(field, text)).toBe(text);
      expect(fieldProblem(field, text, "GT") === "long").toBe(length > mostOf(field));
    }),
  );
});

it.each([
  ["US", "2025550123", "+12025550123"],
  ["US", "12025550123", "+12025550123"],
  ["US", "+20 2 2555 0123", "+20225550123"],
  ["US", "0020 2 2555 0123", "+20225550123"],
  ["MX", "5512345678", "+525512345678"],
  ["BR", "55991234567", "+5555991234567"],
  ["GT", "50251234567", "+50251234567"],
  ["GT", "51234567", "+50251234567"],
  ["GT", "971501234567", "+971501234567"],
  ["", "50251234567", "+50251234567"],
])("a phone field of a shop in %s reads %s as %s", (home, typed, number) => {
  const phone: PosField = { key: "recipient.msisdn", label: "Phone", kind: "PHONE" };
  const state = typeField(NO_FIELDS, [phone], { text: typed, home });
  expect(enterField(state, [phone]).index).toBe(1);
  const [given] = givenFields(state, [phone]);
  expect(given?.value).toBe(number);
  expect(given?.shown.replaceAll(/[^+\d]/g, "")).toBe(number);
});

it.each(LANGUAGES)("the primary button names the field and the next step in %s", (language) => {
  const t = i18next.getFixedT(language);
  const mail: PosField = { key: "mail", label: "Recipient's e-mail address", kind: "EMAIL" };
  const fields = [player, mail];
  const labelOf = (index: number, texts: Record<string, string>) => {
    const state = { ...NO_FIELDS, index, texts };
    const actions = { onText: () => undefined, onEntered: () => undefined };
    return fieldsControl({ state, fields, ...actions }, t, t("counter.next.due")).next;
  };
  const field = t("counter.fieldName.player");
  const missing = t("counter.next.fieldMissing", { field });
  expect(labelOf(0, {})).toEqual({ label: missing, ready: false, missing });
  expect(labelOf(0, { playerId: "1234567890123" })).toEqual({
    label: t("counter.next.fieldWrong", { field }),
    ready: false,
  });
  expect(labelOf(0, { playerId: "123456789012" })).toEqual({
    label: t("counter.next.fieldNext", { field: t("counter.fieldName.email") }),
    ready: true,
  });
  expect(labelOf(1, { mail: "ana@example.com" })).toEqual({
    label: t("counter.next.due"),
    ready: true,
  });
  expect(missing).toContain(field);
});
