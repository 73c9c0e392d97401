import { IconDeviceMobileCheck, IconDeviceSim, IconQrcode } from "@tabler/icons-react";
import { useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PosEsim } from "../../../../../server/contract/pos/esims.ts";
import { Flag } from "../../../../components/flag.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { useAnnouncedElement } from "../../../../lib/announcer.ts";
import { hasErrorCode } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { groupOfFour } from "../../../../lib/group-of-four.ts";
import { expects } from "../../../../lib/key-edge.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { restOnScreen } from "../../../../lib/rest-focus.ts";
import { type Format, useFormat } from "../../../../lib/use-format.ts";
import { offerPrice } from "../../picker/amount/offer-words.ts";
import fieldClasses from "../../picker/fields/field-step.module.css";
import { pickerControl } from "../../picker/tiles/picker-control.ts";
import { isFreshPicker } from "../../picker/tiles/picker-state.ts";
import { PickerStep } from "../../picker/tiles/picker-step.tsx";
import { OfferFace, PlaceTile } from "../../picker/tiles/tiles.tsx";
import type { LineDetails } from "../../sale/attempt/line-item.ts";
import type { Till } from "../../sale/attempt/till.ts";
import { isAwaited } from "../../ui/asked.ts";
import { FoldedLine, StepFrame } from "../../ui/folded-line.tsx";
import { Keypad, modeBeside, useKeypadShown } from "../../ui/keypad.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import stepClasses from "../../ui/step.module.css";
import { OWN_FIELD, type StepControl, type StepWords } from "../../ui/step-control.ts";
import { WideInput } from "../../ui/wide-input.tsx";
import type { FamilyContext, FamilyPlugin, OpenFamily } from "../interface/family.ts";
import deviceStepClasses from "./device-step.module.css";
import { type Esim, type EsimTypes, esimReducer, INITIAL_ESIM, useEsim } from "./esim-state.ts";
import { iccidDigits, iccidProblem } from "./iccid.ts";
import { nextChoice, usePlanWords } from "./plan-filters.ts";
import planFiltersBarClasses from "./plan-filters-bar.module.css";
import planUsageClasses from "./plan-usage.module.css";

const line: LineDetails = {
  headOf: ({ iccid, place = "" }, t) =>
    iccid ? groupOfFour(iccid) : t("counter.esim.newFor", { place }),
};

function useOpenEsim(context: FamilyContext<EsimTypes>): OpenFamily {
  const { state, dispatch, till, words, undo } = context;
  const esim = useEsim(context);
  return {
    control: esimControl(esim, words),
    pause: state.step === "plan" || state.step === "device" ? esim.pause : undefined,
    openOwn: () => dispatch({ type: "iccid-opened" }),
    steps: (control) => (
      <StepFrame family="ESIM" step={state.step} folded={<FoldedEsim esim={esim} onUndo={undo} />}>
        <OpenStep esim={esim} till={till} control={control} />
      </StepFrame>
    ),
  };
}

export const esimFamily: FamilyPlugin<EsimTypes> = {
  Icon: IconDeviceSim,
  initial: INITIAL_ESIM,
  reduce: esimReducer,
  back: (state) => esimReducer(state, { type: "back" }),
  isUntouched: ({ step, places }) => step === "place" && isFreshPicker(places),
  underArrows: ({ step, places, plans }) => (step === "place" ? places : plans).focused,
  typed: ({ places, plans, iccidText }) => [places, plans, iccidText],
  restored: () => INITIAL_ESIM,
  prefill: ({ find = "" }) => ({ type: "places", event: { type: "query-typed", text: find } }),
  opens: ({ country, region, offer }) => ({
    type: "wanted",
    place: region === undefined ? { kind: "country", country } : { kind: "region", region },
    offerId: offer?.offerId,
  }),
  reads: (text) => {
    const digits = iccidDigits(text);
    const isOne = /^[\d\s]+F?$/i.test(text) && iccidProblem(digits) === undefined;
    return isOne ? { type: "iccid-begun", text: digits } : undefined;
  },
  wishFor: ({ brandName, place }) => ({ find: place || brandName }),
  useOpen: useOpenEsim,
  line,
};

export function esimControl(esim: Esim, { t }: StepWords): StepControl {
  const { state, dispatch } = esim;
  switch (state.step) {
    case "place":
      return pickerControl(esim.placePicker, { choose: t("counter.next.place"), t }, true);
    case "plan":
      return {
        ...pickerControl(esim.planPicker, { choose: t("counter.next.plan"), t }, false),
        letter: (letter) => {
          if (letter === "g") {
            dispatch({
              type: "data-filtered",
              data: nextChoice(esim.dataChoices, state.dataFilter),
            });
          } else if (letter === "d") {
            dispatch({
              type: "days-filtered",
              days: nextChoice(esim.dayChoices, state.dayFilter),
            });
          }
        },
      };
    case "iccid":
      return {
        typing: "digits",
        next: {
          label: t("counter.next.plans"),
          ready: esim.held.data !== undefined,
          ...(state.iccidText === "" && { missing: t("counter.needed.field") }),
        },
        ...(isAwaited(esim.held) && { waits: "here" }),
        proceed: esim.enterIccid,
        type: (edit) => dispatch({ type: "iccid-typed", text: iccidDigits(edit(state.iccidText)) }),
      };
    case "device":
      return {
        typing: "none",
        next: {
          label: t("counter.esim.deviceYes"),
          ready: !state.isUnfit,
          missing: t("counter.esim.deviceTitle"),
        },
        proceed: esim.confirmDevice,
        letter: (letter) => {
          if (letter === "n") {
            dispatch({ type: "device-unfit" });
          }
        },
      };
  }
}

interface EsimStepProps {
  readonly esim: Esim;
  readonly till: Till;
  readonly control: StepControl;
}

function FoldedEsim({ esim, onUndo }: { readonly esim: Esim; readonly onUndo: () => void }) {
  const { t } = useTranslation();
  const words = usePlanWords();
  const { state, nameOf } = esim;
  const { place, own, plan, step } = state;
  if (step === "iccid") {
    return (
      <FoldedLine
        picture={<IconQrcode size="1.75rem" aria-hidden="true" />}
        title={t("counter.esim.own")}
        facts=""
        onUndo={onUndo}
      />
    );
  }
  if (step === "place" || !place) {
    return null;
  }
  const facts = own ? groupOfFour(own.iccid) : t("counter.esim.new");
  return (
    <FoldedLine
      picture={
        place.kind === "country" ? (
          <Flag country={place.country} />
        ) : (
          <IconDeviceMobileCheck size="1.75rem" aria-hidden="true" />
        )
      }
      title={plan && step === "device" ? `${nameOf(place)} · ${words.title(plan)}` : nameOf(place)}
      facts={facts}
      onUndo={onUndo}
    />
  );
}

function OpenStep({ esim, control, till }: EsimStepProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = usePlanWords();
  switch (esim.state.step) {
    case "place":
      return (
        <PickerStep
          picker={esim.placePicker}
          title={t("counter.esim.title")}
          search={t("counter.esim.search")}
          none={t("counter.esim.none")}
          aside={
            <LinkButton
              icon={<IconQrcode size="1.25rem" aria-hidden="true" />}
              shortcut="Alt+I"
              onPress={() => esim.dispatch({ type: "iccid-opened" })}
            >
              {t("counter.esim.own")}
            </LinkButton>
          }
          tile={({ place, fromPrice }) => (
            <PlaceTile
              {...(place.kind === "country" && { country: place.country })}
              name={esim.nameOf(place)}
              details={t("counter.esim.from", {
                price: format.money(fromPrice, till.currency, till.currencyDivisor),
              })}
            />
          )}
        />
      );
    case "plan":
      return (
        <>
          {esim.state.own && esim.held.data ? <PlanUsage held={esim.held.data} /> : null}
          <PickerStep
            picker={esim.planPicker}
            title={t("counter.esim.planTitle")}
            none={t("counter.esim.noPlans")}
            promos={esim.promosOn.promos}
            isOff={(plan) => esim.pauseOfBrand(plan.brand)?.byHand ?? false}
            aside={<PlanFilters esim={esim} />}
            tile={(plan) => (
              <OfferFace
                face={words.title(plan)}
                details={[plan.brandName, words.details(plan)].filter(Boolean).join(" · ")}
                price={offerPrice(plan, format)}
                pause={esim.pauseOfBrand(plan.brand)}
                promo={esim.promosOn.of(plan.offerId)}
                isShort={esim.planPicker.cannotPay?.(plan) ?? false}
              />
            )}
          />
        </>
      );
    case "iccid":
      return <IccidStep esim={esim} control={control} />;
    case "device":
      return <DeviceStep esim={esim} control={control} />;
  }
}

function DeviceStep({ esim, control }: Omit<EsimStepProps, "till">) {
  const { t } = useTranslation();
  return (
    <section className={stepClasses.card} aria-labelledby="device-title">
      <h1 id="device-title" className="size-heading leading-120">
        {t("counter.esim.deviceTitle")}
      </h1>
      <p className={deviceStepClasses.code} translate="no">
        *#06#
      </p>
      <p className="size-label">{t("counter.esim.deviceAsk")}</p>
      {esim.state.isUnfit ? (
        <Notice tone="stop" loud>
          <strong>{t("counter.esim.unfit")}</strong>
        </Notice>
      ) : (
        <div className="flex wrap gap-3">
          <button
            type="button"
            className={deviceStepClasses.answer}
            onClick={() => control.proceed()}
          >
            {t("counter.esim.deviceYes")} <KeyCap>Enter</KeyCap>
          </button>
          <button
            type="button"
            className={deviceStepClasses.answer}
            onClick={() => control.letter?.("n")}
          >
            {t("counter.esim.deviceNo")} <KeyCap>N</KeyCap>
          </button>
        </div>
      )}
    </section>
  );
}

function IccidStep({ esim, control }: Omit<EsimStepProps, "till">) {
  const { t } = useTranslation();
  const id = useId();
  const [keypadShown] = useKeypadShown();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const digits = esim.state.iccidText;
  const problem = digits === "" ? undefined : iccidProblem(digits);
  // While the clerk is typing, too few digits are no error.
  const isOff = problem !== undefined && problem !== "short";
  return (
    <section className={stepClasses.card} aria-labelledby={`${id}-title`}>
      <h1 id={`${id}-title`} className="size-heading leading-120">
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
      {keypadShown ? <Keypad control={control} /> : null}
    </section>
  );
}

function HeldEsim({ esim }: { readonly esim: Esim }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = esim.held;
  const error = troubleOf(esim.held);
  if (error) {
    return hasErrorCode(error, "ICCID_NOT_FOUND") ? (
      <Notice tone="wait" loud>
        {t("counter.esim.notSoldHere")}
      </Notice>
    ) : (
      <ErrorNotice words={errorWords(error, t, format)} />
    );
  }
  return data ? <PlanUsage held={data} /> : null;
}

function PlanFilters({ esim }: { readonly esim: Esim }) {
  const { t } = useTranslation();
  const words = usePlanWords();
  const { state, dispatch, dataChoices, dayChoices } = esim;
  return (
    <div className="flex wrap gap-2-4">
      <label className="inline-row gap-2 soft medium">
        <span>{t("counter.esim.data")}</span> <KeyCap>G</KeyCap>
        <select
          className={planFiltersBarClasses.select}
          value={state.dataFilter ?? ""}
          onChange={({ currentTarget }) => {
            dispatch({ type: "data-filtered", data: currentTarget.value || undefined });
            restOnScreen();
          }}
        >
          <option value="">{t("counter.esim.all")}</option>
          {dataChoices.map((choice) => (
            <option key={choice} value={choice}>
              {words.data(choice)}
            </option>
          ))}
        </select>
      </label>
      <label className="inline-row gap-2 soft medium">
        <span>{t("counter.esim.days")}</span> <KeyCap>D</KeyCap>
        <select
          className={planFiltersBarClasses.select}
          value={state.dayFilter ?? ""}
          onChange={({ currentTarget }) => {
            const days = Number(currentTarget.value);
            dispatch({ type: "days-filtered", days: days || undefined });
            restOnScreen();
          }}
        >
          <option value="">{t("counter.esim.all")}</option>
          {dayChoices.map((choice) => (
            <option key={choice} value={choice}>
              {words.days(choice)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function isUsable({ unlimited, remainingDataGB }: PosEsim["plans"][number]): boolean {
  return unlimited || remainingDataGB > 0;
}

/** Omits the brand, which is shown above. */
function titleOf(
  { description }: PosEsim["plans"][number],
  { brandName }: PosEsim,
  format: Format,
): string {
  const start = `${brandName} `;
  const title = description.startsWith(start) ? description.slice(start.length) : description;
  return format.contents(title);
}

function PlanUsage({ held }: { readonly held: PosEsim }) {
  const { t } = useTranslation();
  const format = useFormat();
  const said = useRef<HTMLElement>(null);
  useAnnouncedElement(said, held.iccid);
  return (
    <section ref={said} className={planUsageClasses.usage} aria-label={t("counter.esim.usage")}>
      <p className="size-label">
        <strong>
          <bdi>{held.brandName}</bdi>
        </strong>
        {held.country ? ` · ${format.country(held.country)}` : null}
        <span className="soft">
          {" "}
          {t("counter.esim.soldAt", format.when(held.soldAt))}
          {" · "}
          {held.firstInstalledAt === ""
            ? t("counter.esim.notInstalled")
            : t("counter.esim.installed", format.when(held.firstInstalledAt))}
        </span>
      </p>
      {held.plans.some(isUsable) ? null : <p>{t("counter.esim.nothingLeft")}</p>}
      <ul className="stack gap-3">
        {held.plans.map((plan) => (
          <li key={`${plan.offerId} ${plan.startAt} ${plan.endAt}`} className="grid gap-1">
            <span className="medium">{titleOf(plan, held, format)}</span>
            {plan.unlimited ? null : (
              <meter
                className={planUsageClasses.meter}
                min={0}
                max={Math.max(plan.initialDataGB, 0.001)}
                value={plan.remainingDataGB}
                aria-label={titleOf(plan, held, format)}
              />
            )}
            <span>
              {plan.unlimited
                ? t("counter.dataUnlimited")
                : t("counter.esim.left", {
                    left: format.number(plan.remainingDataGB),
                    of: format.number(plan.initialDataGB),
                  })}
              {plan.endAt === "" ? null : ` · ${t("counter.esim.until", format.when(plan.endAt))}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
