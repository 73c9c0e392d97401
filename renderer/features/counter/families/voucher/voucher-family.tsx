import { IconGift } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { kindWords } from "../../../../lib/kind-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { AmountStep } from "../../picker/amount/amount-step.tsx";
import { offerFace, offerPrice } from "../../picker/amount/offer-words.ts";
import { amountControl } from "../../picker/amount/use-amount.ts";
import { FieldStep } from "../../picker/fields/field-step.tsx";
import { fieldsControl } from "../../picker/fields/fields-control.ts";
import { pickerControl } from "../../picker/tiles/picker-control.ts";
import { isFreshPicker } from "../../picker/tiles/picker-state.ts";
import { PickerStep } from "../../picker/tiles/picker-step.tsx";
import { BrandTile, OfferFace, PlaceTile } from "../../picker/tiles/tiles.tsx";
import type { LineDetails } from "../../sale/attempt/line-item.ts";
import { FoldedLine, StepFrame } from "../../ui/folded-line.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import classes from "../../ui/open-step.module.css";
import type { StepControl, StepWords } from "../../ui/step-control.ts";
import type { FamilyContext, FamilyPlugin, OpenFamily } from "../interface/family.ts";
import { wantedOf } from "../interface/sold-thing.ts";
import {
  type BrandScope,
  canChangeCountry,
  INITIAL_VOUCHER,
  useVoucher,
  type Voucher,
  type VoucherState,
  type VoucherTypes,
  voucherReducer,
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
    steps: (control) => (
      <StepFrame
        family="VOUCHER"
        step={state.step}
        folded={<FoldedVoucher voucher={voucher} onUndo={undo} />}
      >
        <OpenStep voucher={voucher} control={control} />
      </StepFrame>
    ),
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

interface VoucherStepProps {
  readonly voucher: Voucher;
}

function FoldedVoucher({ voucher, onUndo }: VoucherStepProps & { readonly onUndo: () => void }) {
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

interface OpenStepProps extends VoucherStepProps {
  readonly control: StepControl;
}

function OpenStep({ voucher, control }: OpenStepProps) {
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

function BrandStep({ voucher }: VoucherStepProps) {
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
function BrandScopes({ voucher }: VoucherStepProps) {
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

function BrandKinds({ voucher }: VoucherStepProps) {
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
