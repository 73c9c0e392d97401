import type { PosField } from "../../../../../server/contract/pos/offers.ts";
import type { Translate } from "../../../../lib/i18n.ts";
import type { NextThing, StepControl } from "../../ui/step-control.ts";
import { fieldLabel } from "./field-label.ts";
import { fieldProblem, takesNumber } from "./field-rules.ts";
import type { FieldsState } from "./fields-state.ts";

export interface Fields {
  readonly state: FieldsState;
  readonly fields: readonly PosField[];
  readonly onText: (text: string) => void;
  readonly onEntered: () => void;
}

/** @param afterLast label of the primary button at the last field */
export function fieldsControl(
  { state, fields, onText, onEntered }: Fields,
  t: Translate,
  afterLast: string,
): StepControl {
  const field = fields[state.index];
  const text = field ? (state.texts[field.key] ?? "") : "";
  const next = nextOf();
  return {
    typing: "words",
    takesNumber: field !== undefined && takesNumber(field),
    next,
    proceed: () => {
      if (next.ready) {
        onEntered();
      }
    },
    type: (edit) => onText(edit(text)),
  };

  function nextOf(): NextThing {
    const name = field ? fieldLabel(field.label, t) : "";
    const problem = field ? fieldProblem(field, text, state.home) : "empty";
    if (problem === "empty") {
      const missing = t("counter.next.fieldMissing", { field: name });
      return { label: missing, ready: false, missing };
    }
    if (problem !== undefined) {
      return { label: t("counter.next.fieldWrong", { field: name }), ready: false };
    }
    const following = fields[state.index + 1];
    const label = following
      ? t("counter.next.fieldNext", { field: fieldLabel(following.label, t) })
      : afterLast;
    return { label, ready: true };
  }
}
