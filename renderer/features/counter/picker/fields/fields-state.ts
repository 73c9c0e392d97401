import type { PosField } from "../../../../../server/contract/pos/offers.ts";
import { cleanField, fieldProblem, fieldValue, shownField } from "./field-rules.ts";

/** A filled field, with its value for the gateway and its text for people. */
export interface GivenField {
  readonly key: string;
  readonly label: string;
  readonly value: string;
  readonly shown: string;
}

export interface FieldsState {
  readonly index: number;
  readonly texts: Readonly<Record<string, string>>;
}

export const NO_FIELDS: FieldsState = { index: 0, texts: {} };

export function typeField(
  state: FieldsState,
  fields: readonly PosField[],
  text: string,
): FieldsState {
  const field = fields[state.index];
  return field
    ? { ...state, texts: { ...state.texts, [field.key]: cleanField(field, text) } }
    : state;
}

export function enterField(state: FieldsState, fields: readonly PosField[]): FieldsState {
  const field = fields[state.index];
  return field && fieldProblem(field, state.texts[field.key] ?? "") === undefined
    ? { ...state, index: state.index + 1 }
    : state;
}

export function givenFields(
  { texts }: FieldsState,
  fields: readonly PosField[],
): readonly GivenField[] {
  return fields.map((field) => {
    const text = texts[field.key] ?? "";
    const { key, label } = field;
    return { key, label, value: fieldValue(field, text), shown: shownField(field, text).trim() };
  });
}
