import { IconDialpad, IconReplace, IconSearch, IconX } from "@tabler/icons-react";
import {
  type CSSProperties,
  memo,
  type RefObject,
  useContext,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import type { PosPhone } from "../../../../../server/contract/pos/counter.ts";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { Flag } from "../../../../components/flag.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { TYPING_MS, useAnnouncedElement } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import type { Translate } from "../../../../lib/i18n.ts";
import { expects } from "../../../../lib/key-edge.ts";
import {
  caretAfterDigits,
  groupPhone,
  groupTyped,
  numberProblem,
  phoneDigits,
  type ShownNumber,
} from "../../../../lib/phone-format.ts";
import { letGo } from "../../../../lib/rest-focus.ts";
import { typeLetters } from "../../../../lib/typing-by-touch.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { FamilyButtonsContext, ResultContext } from "../../ui/family-buttons.ts";
import { Keypad, modeBeside, useIsPhone, useKeypadShown } from "../../ui/keypad.tsx";
import { PauseNotice } from "../../ui/pause.tsx";
import stepClasses from "../../ui/step.module.css";
import { OWN_FIELD, type StepControl } from "../../ui/step-control.ts";
import { AtRest } from "./at-rest.tsx";
import carrierLineClasses from "./carrier-line.module.css";
import classes from "./number-step.module.css";
import { OffersAhead } from "./offer-step.tsx";
import { EarlierOfNumber, RecentList } from "./recent-list.tsx";
import { needsChoice } from "./topup-state.ts";
import { contactsInto, hasLetters } from "./typed-text.ts";
import type { Topup, TopupStepProps } from "./use-topup.ts";

const NUMBER_KNOWN_ID = "number-known";

/** Puts digits typed anywhere on the screen into the number field. */
export function NumberStep({ topup, control }: TopupStepProps) {
  const { t } = useTranslation();
  const [keypadShown, toggleKeypad] = useKeypadShown();
  const [isWanted, setWanted] = useState(false);
  const isPhone = useIsPhone();
  const field = useRef<HTMLInputElement>(null);
  const listed = useListed(topup);
  const families = useContext(FamilyButtonsContext);
  const result = useContext(ResultContext);
  // The keypad opens only on request in two cases: on a phone, where it replaces the navigation
  // bar, and below a result, which may grow and move the keypad under the finger.
  const comesByItself = !(isPhone || result);
  const hasKeypad = keypadShown && (comesByItself || isWanted || topup.state.digits !== "");
  return (
    <section className={stepClasses.card} aria-label={t("counter.number")}>
      <h1 className="spoken">{t("counter.title")}</h1>
      {result}
      {result && !isPhone ? (
        <h2 className="push-down size-body tracking-0">{t("counter.nextCustomer")}</h2>
      ) : null}
      {/* On a phone only "New sale" follows a result, because the result may fill the screen. */}
      {result && isPhone ? null : (
        <NumberField
          topup={topup}
          control={control}
          field={field}
          keypadShown={keypadShown}
          onWanted={() => setWanted(true)}
          onKeypad={keypadShown && !comesByItself ? () => setWanted(!isWanted) : toggleKeypad}
        />
      )}
      {result ? null : families}
      <div className={classes.below} data-result={result !== undefined}>
        {hasKeypad ? (
          <Keypad
            control={control}
            onPlus={() => control.type?.((text) => (text[0] === "+" ? text.slice(1) : `+${text}`))}
            onLetters={() => field.current && typeLetters(field.current)}
          />
        ) : null}
        {result ? null : (
          <div className="stack flex-1 gap-4 min-w-0">
            <BelowField topup={listed} />
          </div>
        )}
      </div>
    </section>
  );
}

/**
 * Draws typed text at once and its search results one frame later, so that no key waits for the
 * list. Other changes, such as a selection with the arrow keys, are drawn at once.
 */
function useListed(topup: Topup): Topup {
  const before = useDeferredValue(topup);
  const { digits, query } = topup.state;
  const isTyping = before.state.digits !== digits || before.state.query !== query;
  return isTyping ? before : topup;
}

/** Memoised, because most key presses do not change the choices. */
const BelowField = memo(function BelowField({ topup }: { readonly topup: Topup }) {
  if (topup.isAtRest) {
    return <AtRest topup={topup} />;
  }
  return (
    <>
      {topup.state.digits === "" ? null : (
        <>
          <CarrierLine topup={topup} />
          {topup.state.phone?.valid && topup.brand ? <OffersAhead topup={topup} /> : null}
          <EarlierOfNumber topup={topup} />
        </>
      )}
      <RecentList topup={topup} />
    </>
  );
});

/** Formats the typed number. Takes the country from the gateway's answer, if it has arrived. */
function shownNumber({ state, phone, homeCountry }: Topup): ShownNumber {
  const { digits } = state;
  const isLocal = state.phone?.valid ? state.phone.number !== `+${digits}` : undefined;
  const shown = groupTyped(digits, homeCountry, isLocal);
  const isInternational = shown.addsPlus || digits.startsWith("+");
  // The answer for fewer digits suffices for a hint.
  const country = isInternational ? phone?.country || shown.country : shown.country;
  return { ...shown, country };
}

/** Keeps the caret directly after the typed digit, although grouping moves the digits. */
function typeAtCaret(input: HTMLInputElement, { type }: StepControl) {
  const text = input.value;
  const caret = input.selectionStart ?? text.length;
  const digits = phoneDigits(text.slice(0, caret)).length;
  flushSync(() => type?.(() => text));
  if (!hasLetters(input.value)) {
    // A caret at the end stays there, even if "+" has replaced leading zeros of a barcode.
    const { value } = input;
    const position = caret === text.length ? value.length : caretAfterDigits(value, digits);
    input.setSelectionRange(position, position);
  }
}

function KeypadButton({ isPressed, onKeypad }: { isPressed: boolean; onKeypad: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={stepClasses.link}
      aria-label={t("counter.keypad")}
      title={t("counter.keypad")}
      aria-pressed={isPressed}
      onClick={(event) => {
        letGo(event);
        onKeypad();
      }}
    >
      <IconDialpad size="1.5rem" aria-hidden="true" />
    </button>
  );
}

interface NumberFieldProps extends TopupStepProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly keypadShown: boolean;
  readonly onWanted: () => void;
  readonly onKeypad: () => void;
}

function NumberField({ topup, control, field, keypadShown, onWanted, onKeypad }: NumberFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const { query, phone } = topup.state;
  const isOff = phone !== undefined && !phone.valid && !needsChoice(phone);
  const typed = shownNumber(topup);
  const text = query || typed.formatted;
  const { country, addsPlus } = typed;
  const isHomeKnown = topup.homeCountry !== "";
  const hint = t("counter.number");
  const letters = {
    "--letters": text.length + 1,
    "--hint-letters": hint.length,
  } as CSSProperties;

  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
  }, [field]);

  return (
    <div className="flex-none relative">
      <label className="spoken" htmlFor={id}>
        {t("counter.number")}
      </label>
      <div className={classes.field} data-field data-off={isOff}>
        <FieldSign country={query === "" ? country : undefined} />
        <span className={classes.room} style={letters} data-plus={addsPlus}>
          {addsPlus ? (
            <span className={classes.added} aria-hidden="true">
              +
            </span>
          ) : null}
          <input
            {...OWN_FIELD}
            {...expects(query === "" ? "number" : "text")}
            ref={field}
            id={id}
            className={classes.input}
            type="text"
            inputMode={modeBeside(keypadShown, "tel")}
            autoComplete="off"
            spellCheck={false}
            placeholder={hint}
            value={text}
            dir={query === "" ? undefined : "auto"}
            aria-invalid={isOff}
            aria-describedby={`${id}-country ${NUMBER_KNOWN_ID}`}
            onClick={onWanted}
            onChange={({ currentTarget }) => typeAtCaret(currentTarget, control)}
            {...contactsInto(topup)}
          />
        </span>
        {text === "" ? (
          <KeypadButton isPressed={keypadShown} onKeypad={onKeypad} />
        ) : (
          <ClearButton
            onClear={() => {
              topup.dispatch({ type: "reset" });
              field.current?.focus();
            }}
          />
        )}
      </div>
      <span id={`${id}-country`} className="spoken">
        {country
          ? format.country(country)
          : t(isHomeKnown ? "counter.localHint" : "counter.numberHint")}
      </span>
    </div>
  );
}

interface FieldSignProps {
  /** ISO 3166-1 alpha-2; undefined or empty until known. */
  readonly country: string | undefined;
}

function FieldSign({ country }: FieldSignProps) {
  if (country) {
    return (
      <span className={classes.country}>
        <Flag country={country} />
      </span>
    );
  }
  return (
    <span className={classes.plus} aria-hidden="true">
      <IconSearch size="1.5rem" />
    </span>
  );
}

function ClearButton({ onClear }: { readonly onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <button type="button" className={stepClasses.link} onClick={onClear}>
      <IconX size="1.25rem" aria-hidden="true" />
      <span className="spoken">{t("counter.clear")}</span> <KeyCap>Esc</KeyCap>
    </button>
  );
}

export function CarrierLine({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, phoneAway, phoneFailed } = topup;
  const canChoose = (state.phone?.brands.length ?? 0) > 0;
  const known = knownBrand(topup);
  const head = headWords(topup, t);
  const said = useRef<HTMLDivElement>(null);
  // The text changes with each digit, so it is announced only after a pause in typing.
  useAnnouncedElement(said, `${state.digits} ${head}`, { afterMs: TYPING_MS });
  return (
    <div className="stack gap-3">
      <div className="row wrap gap-3">
        <BrandFace
          brand={known?.brand ?? ""}
          name={known?.brandName ?? ""}
          color={known?.brandColor ?? ""}
        />
        <div ref={said} id={NUMBER_KNOWN_ID} className={carrierLineClasses.words}>
          <span className="medium">{head}</span>
          <span className="soft">
            <WhatNumber topup={topup} />
          </span>
        </div>
        {(canChoose || state.phone?.choices) && !needsChoice(state.phone) ? (
          <button type="button" className={stepClasses.link} onClick={topup.openOthers}>
            <IconReplace size="1.25rem" aria-hidden="true" />
            {t(state.phone?.choices ? "counter.which.other" : "counter.changeCarrier")}{" "}
            <KeyCap>Alt+C</KeyCap>
          </button>
        ) : null}
      </div>
      {phoneFailed && !phoneAway && !state.phone ? (
        <ErrorNotice words={errorWords(phoneFailed, t, format)} />
      ) : null}
      {state.phone?.valid && !canChoose ? (
        <Notice tone="wait">
          {t(state.phone.mobile ? "counter.noBrands" : "counter.askMobile")}
        </Notice>
      ) : null}
      {state.phone?.valid && topup.brand && topup.pause ? (
        <PauseNotice pause={topup.pause} />
      ) : null}
    </div>
  );
}

function WhatNumber({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, homeCountry } = topup;
  const { digits, phone } = state;
  if (needsChoice(phone)) {
    return phone?.choices?.map(({ number, formatted, country }) => (
      <span key={number} className={carrierLineClasses.choice}>
        <Flag country={country} /> <bdi dir="ltr">{formatted}</bdi>
      </span>
    ));
  }
  if (phone?.valid) {
    const isCompleted = phone.number !== digits && phone.number !== `+${digits}`;
    return (
      <>
        {isCompleted ? (
          <>
            <bdi dir="ltr" className="ink medium">
              {phone.formatted}
            </bdi>{" "}
            ·{" "}
          </>
        ) : null}
        {phone.country ? format.country(phone.country) : t("counter.unknownCountry")}
      </>
    );
  }
  // The message above already states this problem.
  if (phone && numberProblem(digits, homeCountry) === "noCountry") {
    return "\u00A0";
  }
  const abroad = phone?.country || groupPhone(phoneDigits(digits)).country;
  const shown = groupTyped(digits, homeCountry);
  if (digits.startsWith("+") || shown.addsPlus) {
    return abroad ? format.country(abroad) : t("counter.unknownCountry");
  }
  const home = format.country(homeCountry);
  return abroad && abroad !== homeCountry
    ? t("counter.which.maybe", { home, abroad: format.country(abroad) })
    : home;
}

/**
 * While the query runs, the carrier of the shorter number is shown, because another digit seldom
 * changes the carrier.
 */
function knownBrand({ state, phone, phoneAway, brand }: Topup): PosBrand | undefined {
  if (needsChoice(state.phone)) {
    return undefined;
  }
  return brand ?? (state.phone || phoneAway ? undefined : brandOf(phone));
}

function brandOf(phone: PosPhone | undefined): PosBrand | undefined {
  return phone?.brands.find(({ brand }) => brand === phone.detected?.brand);
}

/** Only an answer for exactly these digits decides whether the number is valid. */
function headWords(topup: Topup, t: Translate): string {
  const { state, phoneAway, brand } = topup;
  if (!state.phone) {
    return t(phoneAway ? "counter.away" : "counter.checking");
  }
  if (!state.phone.valid) {
    if (needsChoice(state.phone)) {
      if (state.phone.isRepaired) {
        return t("counter.which.repaired");
      }
      const isOne = state.phone.choices?.length === 1;
      return t(isOne ? "counter.which.maybeMissing" : "counter.which.title");
    }
    return t(`counter.problem.${numberProblem(state.digits, topup.homeCountry)}`);
  }
  if (!state.phone.mobile) {
    return t("counter.problem.fixedLine");
  }
  if (state.chosenBrand) {
    return t("counter.chosen", { brand: state.chosenBrand.brandName });
  }
  if (brand) {
    const how = state.phone.detected?.remembered ? "counter.remembered" : "counter.detected";
    return t(how, { brand: brand.brandName });
  }
  return state.phone.detected
    ? t("counter.notSoldHere", { brand: state.phone.detected.brandName })
    : t("counter.carrierUnknown");
}
