import { IconGift } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { kindWords } from "../../../../lib/kind-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { amountReducer, NO_AMOUNT } from "../../picker/amount/amount-state.ts";
import { AmountStep } from "../../picker/amount/amount-step.tsx";
import { offerFace, offerPrice } from "../../picker/amount/offer-words.ts";
import { amountControl } from "../../picker/amount/use-amount.ts";
import { FieldStep } from "../../picker/fields/field-step.tsx";
import { fieldsControl } from "../../picker/fields/fields-control.ts";
import { enterField, NO_FIELDS, typeField } from "../../picker/fields/fields-state.ts";
import { pickerControl } from "../../picker/tiles/picker-control.ts";
import { isFreshPicker, NO_PICKER, pickerReducer } from "../../picker/tiles/picker-state.ts";
import { PickerStep } from "../../picker/tiles/picker-step.tsx";
import { BrandTile, OfferFace, PlaceTile } from "../../picker/tiles/tiles.tsx";
import type { LineDetails } from "../../sale/confirm/line-details.ts";
import { FoldedLine } from "../../ui/folded-line.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import classes from "../../ui/open-step.module.css";
import type { StepControl, StepWords } from "../../ui/step-control.ts";
import type { FamilyContext, FamilyPlugin, OpenFamily } from "../interface/family.ts";
import { wantedOf } from "../interface/sold-thing.ts";
import { useVoucher, type Voucher } from "./use-voucher.ts";
import {
  type BrandScope,
  fieldsAsked,
  INITIAL_VOUCHER,
  type VoucherEvent,
  type VoucherState,
  type VoucherStep,
  type VoucherTypes,
} from "./voucher-state.ts";

const ACCOUNT_KEY = /msisdn|phone|account|meter|player/i;

const line: LineDetails = {
  headOf: ({ fields = [], brandName }) =>
    fields.find(({ key }) => ACCOUNT_KEY.test(key))?.shown ?? brandName,
};

function useOpenVoucher(context: FamilyContext<VoucherTypes>): OpenFamily {
  const { state, dispatch, words, undo } = context;
  const voucher = useVoucher(context);
  return {
    control: voucherControl(voucher, words),
    pause: state.step === "brand" ? undefined : voucher.pause,
    openOthers: () => dispatch({ type: "country-opened" }),
    steps: (control) => <VoucherSteps voucher={voucher} control={control} onUndo={undo} />,
  };
}

export const voucherFamily: FamilyPlugin<VoucherTypes> = {
  Icon: IconGift,
  initial: INITIAL_VOUCHER,
  reduce: voucherReducer,
  back: (state) => voucherReducer(state, { type: "back" }),
  isUntouched: ({ step, brands, wanted }) =>
    step === "brand" && isFreshPicker(brands) && wanted === undefined,
  underArrows: ({ step, brands, tiles }) => (step === "brand" ? brands : tiles).focused,
  typed: ({ brands, tiles, amount, fields }) => [brands, tiles, amount, fields],
  restored: () => INITIAL_VOUCHER,
  prefill: ({ find = "" }) => ({ type: "brands", event: { type: "query-typed", text: find } }),
  wishFor: ({ brandName }) => ({ find: brandName }),
  opens: (thing) => ({ type: "wanted", wanted: wantedOf(thing) }),
  useOpen: useOpenVoucher,
  line,
};

export function voucherControl(voucher: Voucher, words: StepWords): StepControl {
  const control = stepControl(voucher, words);
  // Delays keys until the wanted product opens, because they are meant for that product.
  return voucher.state.wanted && !control.asksAgain ? { ...control, waits: "here" } : control;
}

function stepControl(voucher: Voucher, words: StepWords): StepControl {
  const { t } = words;
  switch (voucher.state.step) {
    case "brand":
      return pickerControl(voucher.brandPicker, { choose: t("counter.next.brand"), t }, true);
    case "country":
      return pickerControl(voucher.countryPicker, { choose: t("counter.next.country"), t }, true);
    case "offer":
      return pickerControl(voucher.offerPicker, { choose: t("counter.next.offer"), t }, false);
    case "amount":
      return amountControl(voucher.amount, words, voucher.enterAmount);
    case "field":
      return fieldsControl(voucher.fields, t, afterFields(voucher.state, words));
  }
}

function afterFields({ offer, quote }: VoucherState, { t, inShop }: StepWords): string {
  const price = quote?.price ?? offer?.price.fixed;
  return price === undefined
    ? t("counter.next.amount")
    : t("counter.next.amountPriced", { price: inShop(price) });
}

interface VoucherStepsProps {
  readonly voucher: Voucher;
  readonly control: StepControl;
  readonly onUndo: () => void;
}

function VoucherSteps(props: VoucherStepsProps) {
  const { state } = props.voucher;
  return (
    <>
      <FoldedVoucher voucher={props.voucher} onUndo={props.onUndo} />
      <div className={classes.step} key={state.step}>
        <OpenStep {...props} />
      </div>
    </>
  );
}

function FoldedVoucher({ voucher, onUndo }: Pick<VoucherStepsProps, "voucher" | "onUndo">) {
  const { t } = useTranslation();
  const format = useFormat();
  const { brand, country, offer, step } = voucher.state;
  if (step === "brand" || !brand) {
    return null;
  }
  const facts = [
    country ? format.country(country) : undefined,
    offer && step === "field" ? offerFace(offer, format) : undefined,
    offer && step === "amount" ? t("counter.anyAmount") : undefined,
  ];
  return (
    <FoldedLine
      picture={<BrandFace brand={brand.brand} name={brand.brandName} color={brand.brandColor} />}
      title={brand.brandName}
      facts={facts.filter((fact) => fact !== undefined).join(" · ")}
      onUndo={onUndo}
    />
  );
}

function OpenStep({ voucher, control }: VoucherStepsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { brandName } = voucher.state.brand ?? { brandName: "" };
  switch (voucher.state.step) {
    case "brand":
      return <BrandStep voucher={voucher} />;
    case "country":
      return (
        <PickerStep
          picker={voucher.countryPicker}
          title={t("counter.voucher.country", { brand: brandName })}
          search={t("counter.voucher.searchCountry")}
          none=""
          tile={(country) => (
            <PlaceTile country={country} name={format.country(country)} details="" />
          )}
        />
      );
    case "offer":
      return (
        <PickerStep
          picker={voucher.offerPicker}
          title={t("counter.offersTitle")}
          none={t("counter.noOffers", { brand: brandName })}
          promos={voucher.promosOn.promos}
          isOff={() => voucher.pause?.byHand ?? false}
          aside={
            canChangeCountry(voucher.state) ? (
              <LinkButton
                shortcut="Alt+C"
                onPress={() => voucher.dispatch({ type: "country-opened" })}
              >
                {t("counter.voucher.changeCountry")}
              </LinkButton>
            ) : null
          }
          tile={(offer) => (
            <OfferFace
              face={offerFace(offer, format)}
              details={offer.priceType === "RANGE" ? t("counter.anyAmount") : ""}
              price={offerPrice(offer, format)}
              promo={voucher.promosOn.of(offer.offerId)}
              isShort={voucher.offerPicker.cannotPay?.(offer) ?? false}
            />
          )}
        />
      );
    case "amount":
      return (
        <AmountStep
          amount={voucher.amount}
          control={control}
          arrives={t("counter.voucher.worth")}
        />
      );
    case "field":
      return <FieldStep fields={voucher.fields} control={control} />;
  }
}

function BrandStep({ voucher }: Pick<VoucherStepsProps, "voucher">) {
  const { t } = useTranslation();
  return (
    <PickerStep
      picker={voucher.brandPicker}
      title={t("counter.voucher.title")}
      search={t("counter.voucher.search")}
      none={t("counter.voucher.none")}
      aside={<BrandScopes voucher={voucher} />}
      filters={<BrandKinds voucher={voucher} />}
      tile={(brand) => <BrandTile brand={brand} details={kindWords(brand.subTypes[0] ?? "", t)} />}
    />
  );
}

/** A search covers every brand, so it hides the filters. */
function BrandScopes({ voucher }: Pick<VoucherStepsProps, "voucher">) {
  const { t } = useTranslation();
  const { state, dispatch, brandFilters } = voucher;
  const { counts, scope } = brandFilters;
  if (state.brands.query !== "" || counts.here === 0 || counts.here === counts.everywhere) {
    return null;
  }
  return (
    <FilterGroup
      label={t("counter.voucher.scope")}
      choices={SCOPES.map((one) => ({
        id: one,
        text: `${t(`counter.voucher.${one}`)} ${counts[one]}`,
        isOn: scope === one,
        choose: () => dispatch({ type: "scope-chosen", scope: one }),
      }))}
    />
  );
}

function BrandKinds({ voucher }: Pick<VoucherStepsProps, "voucher">) {
  const { t } = useTranslation();
  const { state, dispatch, brandFilters } = voucher;
  if (state.brands.query !== "" || brandFilters.kinds.length < 2) {
    return null;
  }
  return (
    <FilterGroup
      label={t("counter.voucher.kind")}
      choices={[undefined, ...brandFilters.kinds].map((kind) => ({
        id: kind ?? "all",
        text: kind === undefined ? t("counter.voucher.allKinds") : kindWords(kind, t),
        isOn: state.kind === kind,
        choose: () => dispatch({ type: "kind-chosen", kind }),
      }))}
    />
  );
}

const SCOPES: readonly BrandScope[] = ["here", "everywhere"];

interface FilterGroupProps {
  readonly label: string;
  readonly choices: readonly {
    readonly id: string;
    readonly text: string;
    readonly isOn: boolean;
    readonly choose: () => void;
  }[];
}

function FilterGroup({ label, choices }: FilterGroupProps) {
  return (
    <fieldset className={classes.filters}>
      <legend className="spoken">{label}</legend>
      {choices.map(({ id, text, isOn, choose }) => (
        <button
          key={id}
          type="button"
          className={classes.filter}
          aria-pressed={isOn}
          // A press with the mouse leaves the focus in the search field, for the next letter.
          onMouseDown={(event) => event.preventDefault()}
          onClick={choose}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}

/**
 * Composes one voucher:
 *
 *   brand ─► country ─► offer ─► amount ─► field, one after another ─► (the line)
 *
 * The country is skipped if there is only one, or if the brand is sold for the shop's own country;
 * a key opens the other countries. A FIXED offer skips the amount, and an offer without required
 * fields skips the fields.
 */
function voucherReducer(state: VoucherState, event: VoucherEvent): VoucherState {
  switch (event.type) {
    case "wanted":
      return { ...INITIAL_VOUCHER, wanted: event.wanted };
    case "wanted-gone":
      return { ...state, wanted: undefined };
    case "brands":
      return { ...state, brands: pickerReducer(state.brands, event.event) };
    case "scope-chosen":
      return { ...state, scope: event.scope, kind: undefined, brands: NO_PICKER };
    case "kind-chosen":
      return { ...state, kind: event.kind, brands: NO_PICKER };
    case "tiles":
      return { ...state, tiles: pickerReducer(state.tiles, event.event) };
    case "brand-picked": {
      const { brand, home } = event;
      const [only = "", ...others] = brand.countries;
      const alone = others.length === 0 ? only : "";
      const known = brand.countries.includes(home) ? home : alone;
      const step = known === "" ? "country" : "offer";
      const wanted = state.wanted?.offerId === undefined ? undefined : state.wanted;
      return { ...state, step, brand, country: known, tiles: NO_PICKER, wanted };
    }
    case "country-opened":
      return state.step === "offer" && canChangeCountry(state)
        ? { ...state, step: "country", tiles: NO_PICKER }
        : state;
    case "country-picked":
      return { ...state, step: "offer", country: event.country, tiles: NO_PICKER };
    case "offer-picked": {
      const { offer } = event;
      const fresh = {
        ...state,
        wanted: undefined,
        offer,
        amount: NO_AMOUNT,
        quote: undefined,
        fields: NO_FIELDS,
      };
      return offer.priceType === "RANGE" ? { ...fresh, step: "amount" } : beginFields(fresh);
    }
    case "amount-typed":
    case "amount-side":
      return { ...state, amount: amountReducer(state.amount, event) };
    case "amount-entered":
      return state.step === "amount" ? beginFields({ ...state, quote: event.quote }) : state;
    case "field-typed":
      return { ...state, fields: typeField(state.fields, fieldsAsked(state), event) };
    case "field-entered": {
      // After the last field the line is complete. The field stays open for undo.
      const fields = enterField(state.fields, fieldsAsked(state));
      return fields.index < fieldsAsked(state).length ? { ...state, fields } : state;
    }
    case "back":
      return back({ ...state, wanted: undefined });
  }
}

function canChangeCountry({ brand }: Pick<VoucherState, "brand">): boolean {
  return (brand?.countries.length ?? 0) > 1;
}

/** Opens the fields. Without fields the line is already complete, so the step does not change. */
function beginFields(state: VoucherState): VoucherState {
  return fieldsAsked(state).length === 0 ? state : { ...state, step: "field", fields: NO_FIELDS };
}

function back(state: VoucherState): VoucherState {
  switch (state.step) {
    case "brand":
      return INITIAL_VOUCHER;
    case "country":
      return { ...state, step: "brand", brand: undefined };
    case "offer":
      return { ...state, step: "brand", brand: undefined, tiles: NO_PICKER };
    case "amount":
      return { ...state, step: "offer", offer: undefined };
    case "field": {
      const { fields } = state;
      return fields.index > 0
        ? { ...state, fields: { ...fields, index: fields.index - 1 } }
        : { ...state, step: stepBeforeFields(state) };
    }
  }
}

function stepBeforeFields({ offer }: VoucherState): VoucherStep {
  return offer?.priceType === "RANGE" ? "amount" : "offer";
}
