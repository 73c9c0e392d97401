import { useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PosField } from "../../../../../server/contract/pos/offers.ts";
import type { Translate } from "../../../../lib/i18n.ts";
import { expects } from "../../../../lib/key-edge.ts";
import { readTyped } from "../../../../lib/phone-format.ts";
import { type Format, useFormat } from "../../../../lib/use-format.ts";
import { Keypad, modeBeside, useKeypadShown } from "../../ui/keypad.tsx";
import stepClasses from "../../ui/step.module.css";
import { OWN_FIELD, type StepControl } from "../../ui/step-control.ts";
import { WideInput } from "../../ui/wide-input.tsx";
import { fieldLabel } from "./field-label.ts";
import {
  fieldProblem,
  isShortOfMask,
  maskLength,
  mostOf,
  shownField,
  takesNumber,
} from "./field-rules.ts";
import classes from "./field-step.module.css";
import type { Fields } from "./fields-control.ts";

interface FieldStepProps {
  readonly fields: Fields;
  readonly control: StepControl;
}

const INPUT_MODES = { PHONE: "tel", DIGITS: "numeric", EMAIL: "email", TEXT: "text" } as const;

export function FieldStep({ fields, control }: FieldStepProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [keypadShown] = useKeypadShown();
  const input = useRef<HTMLInputElement>(null);
  const { state, fields: asked } = fields;
  const field = asked[state.index];
  const key = field?.key;
  useLayoutEffect(() => {
    if (key !== undefined) {
      input.current?.focus({ preventScroll: true });
    }
  }, [key]);
  if (!field) {
    return null;
  }
  const text = state.texts[field.key] ?? "";
  const problem = text === "" ? undefined : fieldProblem(field, text, state.home);
  const isNumber = takesNumber(field);
  return (
    <section className={stepClasses.card} aria-labelledby={`${id}-title`}>
      <div className={stepClasses.head}>
        <h1 id={`${id}-title`} className="size-heading leading-120">
          <label htmlFor={id}>{fieldLabel(field.label, t)}</label>
        </h1>
        {asked.length > 1 ? (
          <span className="soft size-caption">
            {t("counter.fields.of", { index: state.index + 1, count: asked.length })}
          </span>
        ) : null}
      </div>
      <WideInput
        {...OWN_FIELD}
        {...expects(isNumber ? "number" : "text")}
        ref={input}
        id={id}
        type="text"
        inputMode={modeBeside(keypadShown && isNumber, INPUT_MODES[field.kind])}
        autoComplete="off"
        spellCheck={false}
        value={shownField(field, text, state.home)}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => fields.onText(currentTarget.value)}
      />
      <p id={`${id}-hint`} className={classes.hint} data-off={problem !== undefined}>
        {problem === undefined
          ? hintOf(field, text, { t, format, home: state.home })
          : t(`counter.fields.problem.${problem}`, {
              typed: text.trim().replace("+", "").length,
              most: mostOf(field),
            })}
      </p>
      {keypadShown && isNumber ? <Keypad control={control} /> : null}
    </section>
  );
}

interface HintWords {
  readonly t: Translate;
  readonly format: Format;
  readonly home: string;
}

/** A complete phone number is shown with its country, because it may be read as another country's. */
function hintOf(field: PosField, text: string, { t, format, home }: HintWords): string {
  const places = maskLength(field);
  if (isShortOfMask(field, text)) {
    return t("counter.fields.short", { typed: text.length, places });
  }
  if (places > 0) {
    return t("counter.fields.digits", { places });
  }
  if (field.kind !== "PHONE") {
    return "";
  }
  const phone = readTyped(text, home);
  return phone && phone.country !== ""
    ? t("counter.fields.reading", {
        number: phone.formatted,
        country: format.country(phone.country),
      })
    : t("counter.fields.phone");
}
