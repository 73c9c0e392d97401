import type { PosField } from "../../../../../server/contract/pos/offers.ts";
import { cleanField, fieldProblem, fieldValue, shownField } from "./field-rules.ts";

/** A field the customer supplied: as it is sent, and as people read it. */
export interface GivenField {
  readonly key: string;
  /** The brand's words. */
  readonly label: string;
  readonly value: string;
  readonly shown: string;
}

/** Fields that are asked one by one. */
export interface FieldsState {
  readonly index: number;
  /** By key, as typed. */
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

/** The next field, or the same while it cannot be sent. */
export function enterField(state: FieldsState, fields: readonly PosField[]): FieldsState {
  const field = fields[state.index];
  return field && fieldProblem(field, state.texts[field.key] ?? "") === undefined
    ? { ...state, index: state.index + 1 }
    : state;
}

/** What was given so far, in words and as it is sent. */
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
