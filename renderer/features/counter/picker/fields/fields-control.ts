import type { PosField } from "../../../../../server/contract/pos/offers.ts";
import type { StepControl } from "../../ui/step-control.ts";
import { fieldProblem, takesNumber } from "./field-rules.ts";
import type { FieldsState } from "./fields-state.ts";

export interface Fields {
  readonly state: FieldsState;
  readonly fields: readonly PosField[];
  readonly onText: (text: string) => void;
  readonly onEntered: () => void;
}

export function fieldsControl(
  { state, fields, onText, onEntered }: Fields,
  goOn: string,
  missing: string,
): StepControl {
  const field = fields[state.index];
  const text = field ? (state.texts[field.key] ?? "") : "";
  const ready = field !== undefined && fieldProblem(field, text, state.home) === undefined;
  return {
    typing: "words",
    takesNumber: field !== undefined && takesNumber(field),
    next: { label: goOn, ready, ...(text.trim() === "" && { missing }) },
    proceed: () => {
      if (ready) {
        onEntered();
      }
    },
    type: (edit) => onText(edit(text)),
  };
}
