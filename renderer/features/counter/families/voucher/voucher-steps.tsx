import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { kindWords } from "../../../../lib/kind-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { AmountStep } from "../../picker/amount/amount-step.tsx";
import { offerFace, offerPrice } from "../../picker/amount/offer-words.ts";
import { FieldStep } from "../../picker/fields/field-step.tsx";
import { PickerStep } from "../../picker/tiles/picker-step.tsx";
import { BrandTile, OfferFace, PlaceTile } from "../../picker/tiles/tiles.tsx";
import { FoldedLine } from "../../ui/folded-line.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import classes from "../../ui/open-step.module.css";
import type { StepControl } from "../../ui/step-control.ts";
import type { Voucher } from "./use-voucher.ts";
import { canChangeCountry } from "./voucher-machine.ts";

interface VoucherStepsProps {
  readonly voucher: Voucher;
  readonly control: StepControl;
  readonly onUndo: () => void;
}

/** A voucher while it is composed: the finished steps in a line, the open one below. */
export function VoucherSteps(props: VoucherStepsProps) {
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
      return (
        <PickerStep
          picker={voucher.brandPicker}
          title={t("counter.voucher.title")}
          search={t("counter.voucher.search")}
          none={t("counter.voucher.none")}
          tile={(brand) => (
            <BrandTile brand={brand} details={kindWords(brand.subTypes[0] ?? "", t)} />
          )}
        />
      );
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
