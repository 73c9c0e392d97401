import { useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { ApiError } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { groupOfFour } from "../../../../lib/group-of-four.ts";
import { expects } from "../../../../lib/key-edge.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import fieldClasses from "../../picker/fields/field-step.module.css";
import { Keypad, modeBeside, useKeypadShown } from "../../ui/keypad.tsx";
import { OWN_FIELD } from "../../ui/own-field.ts";
import stepClasses from "../../ui/step.module.css";
import type { StepControl } from "../../ui/step-control.ts";
import { WideInput } from "../../ui/wide-input.tsx";
import { iccidDigits, iccidProblem } from "./iccid.ts";
import { PlanUsage } from "./plan-usage.tsx";
import type { Esim } from "./use-esim.ts";

interface IccidStepProps {
  readonly esim: Esim;
  readonly control: StepControl;
}

/** The eSIM a plan is added to, scanned or typed, and what is left on it. */
export function IccidStep({ esim, control }: IccidStepProps) {
  const { t } = useTranslation();
  const id = useId();
  const [keypadShown] = useKeypadShown();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const digits = esim.state.iccidText;
  const problem = digits === "" ? undefined : iccidProblem(digits);
  // Too few digits are no mistake while the clerk is still typing.
  const isOff = problem !== undefined && problem !== "short";
  return (
    <section className={stepClasses.card} aria-labelledby={`${id}-title`}>
      <h1 id={`${id}-title`} className={stepClasses.title}>
        <label htmlFor={id}>{t("counter.esim.iccid")}</label>
      </h1>
      <WideInput
        {...OWN_FIELD}
        {...expects("number")}
        ref={field}
        id={id}
        type="text"
        inputMode={modeBeside(keypadShown, "numeric")}
        autoComplete="off"
        spellCheck={false}
        value={groupOfFour(digits)}
        aria-invalid={isOff}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) =>
          esim.dispatch({ type: "iccid-typed", text: iccidDigits(currentTarget.value) })
        }
      />
      <p id={`${id}-hint`} className={fieldClasses.hint} data-off={isOff}>
        {problem === undefined
          ? t("counter.esim.iccidHint")
          : t(`counter.esim.problem.${problem}`, { count: digits.length })}
      </p>
      <HeldEsim esim={esim} />
      {keypadShown ? (
        <Keypad
          onDigit={(digit) => control.type?.((typed) => typed + digit)}
          onErase={() => control.type?.((typed) => typed.slice(0, -1))}
        />
      ) : null}
    </section>
  );
}

function HeldEsim({ esim }: { readonly esim: Esim }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = esim.held;
  const error = troubleOf(esim.held);
  if (error) {
    return error instanceof ApiError && error.errorCode === "ICCID_NOT_FOUND" ? (
      <Notice tone="wait" loud>
        {t("counter.esim.notSoldHere")}
      </Notice>
    ) : (
      <ErrorNotice words={errorWords(error, t, format)} />
    );
  }
  return data ? <PlanUsage held={data} /> : null;
}
