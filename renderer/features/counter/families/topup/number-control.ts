import { numberProblem } from "../../../../lib/phone-format.ts";
import type { NextThing, StepControl, StepWords } from "../../ui/step-control.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import { endOf } from "./end-of.ts";
import { type FieldChoice, isNamed, picksAfter } from "./field-choices.ts";
import { needsChoice } from "./topup-state.ts";
import { readTyped } from "./typed-text.ts";
import type { Topup } from "./use-topup.ts";

/** What the keys do in the one field: a number is typed there, or words that name what is wanted. */
export function numberControl(topup: Topup, words: StepWords): StepControl {
  const { state, dispatch, focused, openRead } = topup;
  return {
    typing: "number",
    holdsNumber: state.digits !== "",
    holdsName: state.query !== "",
    next: nextOf(topup, words),
    // With no answer to be had, the number may be changed.
    ...(state.wantsOn && !topup.phoneAway && !topup.phoneFailed && { waits: "next" }),
    ...(topup.isBehind && { waits: "here" }),
    ...(focused && !openRead && { needsLook: !isNamed(focused, state.query) }),
    proceed: () => {
      if (openRead) {
        openRead();
      } else if (focused) {
        topup.choose(focused);
      } else {
        dispatch({ type: "number-entered" });
      }
    },
    type: (edit) => dispatch(readTyped(edit(state.query || state.digits), state)),
    ...(state.query !== "" && pickingOf(topup)),
    ...movingOf(topup),
  };
}

/** Digits pick of what the words fit. */
function pickingOf({
  state,
  choices,
  choose,
  isBegun,
}: Topup): Pick<StepControl, "pick" | "picksDigit"> {
  return {
    pick: (index) => {
      const choice = choices[index];
      if (choice) {
        choose(choice);
      }
    },
    picksDigit: (digit) =>
      choices.length >= Number(digit) && picksAfter(state.query, digit, isBegun),
  };
}

/** The arrows go through what is listed, and out of it at either end. */
function movingOf({ choices, focused, dispatch }: Topup): Pick<StepControl, "move" | "moveTo"> {
  const moveTo = (choice: FieldChoice | undefined) =>
    dispatch(
      choice && !("known" in choice)
        ? { type: "tile-focused", id: choice.id }
        : { type: "known-focused", number: choice?.id },
    );
  return {
    move: (step) => {
      const first = step === 1 ? 0 : choices.length - 1;
      moveTo(choices[focused ? choices.indexOf(focused) + step : first]);
    },
    moveTo: (end) => moveTo(endOf(choices, end)),
  };
}

function nextOf(topup: Topup, words: StepWords): NextThing {
  const { t, inShop } = words;
  const { state, focused, openRead } = topup;
  if (openRead) {
    return { label: t("counter.next.plans"), ready: true };
  }
  if (focused && "sale" in focused) {
    const number = focused.sale.saleNumber;
    return { label: t("counter.next.sale", { number }), ready: true };
  }
  if (focused && "thing" in focused) {
    const title = titleOf(focused.thing, topup.homeCountry, words);
    return { label: t("counter.next.offerPicked", { title }), ready: true };
  }
  if (focused?.known.lastSale) {
    const price = inShop(focused.known.lastSale.price);
    return { label: t("counter.next.again", { price }), ready: true };
  }
  if (needsChoice(state.phone) && !focused) {
    return { label: t("counter.next.whichNumber"), ready: true };
  }
  const takesTopups = state.phone?.valid === true && state.phone.mobile;
  const ready = focused !== undefined || (state.query === "" && takesTopups);
  const missing = ready ? undefined : whatIsMissing(topup, t);
  return { label: t("counter.next.number"), ready, ...(missing && { missing }) };
}

/** Many a card is sold for several countries: one of another than the shop's is named with it. */
function titleOf(
  { brandName, country, offer }: SoldThing,
  home: string,
  { contents, country: named }: StepWords,
): string {
  const isAbroad = country !== "" && country !== home;
  return [brandName, offer && contents(offer.title), isAbroad && named(country)]
    .filter(Boolean)
    .join("\u00a0· ");
}

/** No action while the gateway has not answered for what was typed. */
function whatIsMissing(
  { state: { digits, phone }, homeCountry }: Topup,
  t: StepWords["t"],
): string | undefined {
  if (digits === "") {
    return t("counter.needed.number");
  }
  if (phone?.valid) {
    return phone.mobile ? undefined : t("counter.problem.fixedLine");
  }
  return phone && t(`counter.problem.${numberProblem(digits, homeCountry)}`);
}
