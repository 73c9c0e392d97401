import type { PosField } from "../../../../../server/contract/pos/offers.ts";
import { cleanField, fieldProblem, givenValue } from "./field-rules.ts";

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
  /** The shop's country, whose phone numbers need no country code; empty before a text is typed. */
  readonly home: string;
}

export const NO_FIELDS: FieldsState = { index: 0, texts: {}, home: "" };

export function typeField(
  state: FieldsState,
  fields: readonly PosField[],
  { text, home }: { readonly text: string; readonly home: string },
): FieldsState {
  const field = fields[state.index];
  return field
    ? { ...state, home, texts: { ...state.texts, [field.key]: cleanField(field, text) } }
    : state;
}

export function enterField(state: FieldsState, fields: readonly PosField[]): FieldsState {
  const field = fields[state.index];
  return field && fieldProblem(field, state.texts[field.key] ?? "", state.home) === undefined
    ? { ...state, index: state.index + 1 }
    : state;
}

export function givenFields(
  { texts, home }: FieldsState,
  fields: readonly PosField[],
): readonly GivenField[] {
  return fields.map((field) => {
    const { key, label } = field;
    return { key, label, ...givenValue(field, texts[key] ?? "", home) };
  });
}
