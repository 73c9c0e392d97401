import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { kindWords } from "../../../../lib/kind-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { AmountStep } from "../../picker/amount/amount-step.tsx";
import { FieldStep } from "../../picker/fields/field-step.tsx";
import { givenFields } from "../../picker/fields/fields-state.ts";
import { PickerStep } from "../../picker/tiles/picker-step.tsx";
import { BrandTile, PlaceTile } from "../../picker/tiles/tiles.tsx";
import { FoldedLine } from "../../ui/folded-line.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import classes from "../../ui/open-step.module.css";
import type { StepControl } from "../../ui/step-control.ts";
import { BillAmountStep } from "./bill-amount-step.tsx";
import { canChangeCountry } from "./bill-machine.ts";
import type { BillPayment } from "./use-bill.ts";

interface BillStepsProps {
  readonly bill: BillPayment;
  readonly control: StepControl;
  readonly onUndo: () => void;
}

/** A bill payment while it is composed: the finished steps in a line, the open one below. */
export function BillSteps(props: BillStepsProps) {
  const { state } = props.bill;
  return (
    <>
      <FoldedBill bill={props.bill} onUndo={props.onUndo} />
      <div className={classes.step} key={state.step}>
        <OpenStep {...props} />
      </div>
    </>
  );
}

function FoldedBill({ bill, onUndo }: Pick<BillStepsProps, "bill" | "onUndo">) {
  const { t } = useTranslation();
  const format = useFormat();
  const { biller, country, offer, step, fields } = bill.state;
  if (step === "biller" || !biller) {
    return null;
  }
  const given =
    offer && step === "amount"
      ? givenFields(fields, offer.requiredFields).map(({ shown }) => shown)
      : [];
  const facts = [
    country ? format.country(country) : "",
    kindWords(offer?.subTypes[0] ?? "", t),
    ...given,
  ];
  return (
    <FoldedLine
      picture={<BrandFace brand={biller.brand} name={biller.brandName} color={biller.brandColor} />}
      title={biller.brandName}
      facts={facts.filter((fact) => fact !== "").join(" · ")}
      aside={
        canChangeCountry(bill.state) ? (
          <LinkButton shortcut="Alt+C" onPress={() => bill.dispatch({ type: "country-opened" })}>
            {t("counter.voucher.changeCountry")}
          </LinkButton>
        ) : null
      }
      onUndo={onUndo}
    />
  );
}

function OpenStep({ bill, control }: BillStepsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { brandName } = bill.state.biller ?? { brandName: "" };
  switch (bill.state.step) {
    case "biller":
      return (
        <PickerStep
          picker={bill.billerPicker}
          title={t("counter.bill.title")}
          search={t("counter.bill.search")}
          none={t("counter.bill.none")}
          tile={(biller) => (
            <BrandTile brand={biller} details={kindWords(biller.subTypes[0] ?? "", t)} />
          )}
        />
      );
    case "country":
      return (
        <PickerStep
          picker={bill.countryPicker}
          title={t("counter.voucher.country", { brand: brandName })}
          search={t("counter.voucher.searchCountry")}
          none=""
          tile={(country) => (
            <PlaceTile country={country} name={format.country(country)} details="" />
          )}
        />
      );
    case "service":
      return (
        <PickerStep
          picker={bill.servicePicker}
          title={t("counter.bill.service", { brand: brandName })}
          none={t("counter.noOffers", { brand: brandName })}
          isOff={() => bill.pause?.byHand ?? false}
          tile={(service) => (
            <PlaceTile
              name={kindWords(service.subTypes[0] ?? service.title, t)}
              details={service.notes}
              isShort={bill.servicePicker.cannotPay?.(service) ?? false}
            />
          )}
        />
      );
    case "field":
      return <FieldStep fields={bill.fields} control={control} />;
    case "amount":
      return bill.isRetrieved ? (
        <BillAmountStep payment={bill} control={control} />
      ) : (
        <AmountStep
          amount={bill.amount}
          control={control}
          arrives={t("family.BILL_PAY.delivers")}
        />
      );
  }
}
