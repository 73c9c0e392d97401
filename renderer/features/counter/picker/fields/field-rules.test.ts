import { assert, constantFrom, integer, property } from "fast-check";
import { expect, it } from "vitest";
import type { PosField } from "../../../../../server/contract/pos/offers.ts";
import { cleanField, fieldProblem, isShortOfMask, mostOf, shownField } from "./field-rules.ts";
import { fieldsControl } from "./fields-control.ts";
import { enterField, NO_FIELDS, typeField } from "./fields-state.ts";

const player: PosField = {
  key: "playerId",
  label: "Player ID",
  kind: "DIGITS",
  inputMask: "999999999999",
};

it("a field shows every digit of an account that is too long, and Enter stays in the field", () => {
  const pasted = typeField(NO_FIELDS, [player], "12ab 345-678901234567");
  const byKeys = "12ab 345-678901234567"
    .split("")
    .reduce(
      (state, key) => typeField(state, [player], (state.texts.playerId ?? "") + key),
      NO_FIELDS,
    );
  expect(byKeys).toEqual(pasted);
  const typed = pasted.texts.playerId ?? "";
  expect(shownField(player, typed)).toBe("12345678901234567");
  expect(fieldProblem(player, typed)).toBe("long");
  expect(enterField(pasted, [player])).toBe(pasted);
  let entered = false;
  const onEntered = () => {
    entered = true;
  };
  const control = fieldsControl(
    { state: pasted, fields: [player], onText: () => undefined, onEntered },
    "Next",
    "Fill it in",
  );
  control.proceed();
  expect([control.next?.ready, entered]).toEqual([false, false]);
  expect(fieldProblem(player, typed.slice(0, 12))).toBeUndefined();
});

it("a field accepts an account shorter than its mask, with a warning", () => {
  const spaced: PosField = { ...player, inputMask: "9999 9999-9999" };
  for (const field of [player, spaced]) {
    expect(mostOf(field)).toBe(12);
    expect(isShortOfMask(field, "12345678901")).toBe(true);
    expect(fieldProblem(field, "12345678901")).toBeUndefined();
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
      expect(fieldProblem(field, text) === "long").toBe(length > mostOf(field));
    }),
  );
});
