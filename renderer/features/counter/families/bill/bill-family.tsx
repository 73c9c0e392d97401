import { Skeleton } from "@mantine/core";
import { IconFileInvoice } from "@tabler/icons-react";
import { useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PosBill } from "../../../../../server/contract/pos/counter.ts";
import { BillAmounts } from "../../../../components/bill-amounts.tsx";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { amountText } from "../../../../lib/amount-text.ts";
import { hasErrorCode } from "../../../../lib/api-client.ts";
import { joinParts } from "../../../../lib/direction.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { kindWords } from "../../../../lib/kind-words.ts";
import { fractionDigits, toDecimal } from "../../../../lib/money.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { AmountStep } from "../../picker/amount/amount-step.tsx";
import { amountControl } from "../../picker/amount/use-amount.ts";
import { FieldStep } from "../../picker/fields/field-step.tsx";
import { fieldsControl } from "../../picker/fields/fields-control.ts";
import { givenFields } from "../../picker/fields/fields-state.ts";
import { pickerControl } from "../../picker/tiles/picker-control.ts";
import { isFreshPicker } from "../../picker/tiles/picker-state.ts";
import { PickerStep } from "../../picker/tiles/picker-step.tsx";
import { BrandTile, PlaceTile } from "../../picker/tiles/tiles.tsx";
import type { LineDetails } from "../../sale/attempt/line-item.ts";
import { askingAgain, hasFailed, isAwaited } from "../../ui/asked.ts";
import { FoldedLine, StepFrame } from "../../ui/folded-line.tsx";
import { Keypad, modeBeside, useKeypadShown } from "../../ui/keypad.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import stepClasses from "../../ui/step.module.css";
import {
  type NextThing,
  OWN_FIELD,
  type StepControl,
  type StepWords,
} from "../../ui/step-control.ts";
import { WalletNotice, walletNext } from "../../ui/wallet.tsx";
import { WideInput } from "../../ui/wide-input.tsx";
import type { FamilyContext, FamilyPlugin, LineDraft, OpenFamily } from "../interface/family.ts";
import { wantedOf } from "../interface/sold-thing.ts";
import {
  type BillPayment,
  type BillState,
  type BillTypes,
  billReducer,
  canChangeCountry,
  INITIAL_BILL,
  ruleOf,
  useBill,
} from "./bill-state.ts";

const line: LineDetails = {
  headOf: ({ fields: [first] = [], brandName }) => first?.shown ?? brandName,
};

function useOpenBill(context: FamilyContext<BillTypes>): OpenFamily {
  const { state, dispatch, words, undo } = context;
  const bill = useBill(context);
  return {
    control: billControl(bill, words),
    pause: state.step === "biller" ? undefined : bill.pause,
    openOthers: () => dispatch({ type: "country-opened" }),
    draft: draftOf(state, words),
    steps: (control) => (
      <StepFrame
        family="BILL_PAY"
        step={state.step}
        folded={<FoldedBill bill={bill} onUndo={undo} />}
      >
        <OpenStep bill={bill} control={control} />
      </StepFrame>
    ),
  };
}

function draftOf({ biller, offer }: BillState, { t }: StepWords): LineDraft | undefined {
  if (!biller) {
    return undefined;
  }
  const { brand, brandName, brandColor } = biller;
  const service = kindWords(offer?.subTypes[0] ?? "", t);
  const title = [brandName, service].filter((part) => part !== "").join(" · ");
  return { brand, brandName, brandColor, title };
}

export const billFamily: FamilyPlugin<BillTypes> = {
  Icon: IconFileInvoice,
  initial: INITIAL_BILL,
  reduce: billReducer,
  back: (state) => billReducer(state, { type: "back" }),
  isUntouched: ({ step, billers, wanted }) =>
    step === "biller" && isFreshPicker(billers) && wanted === undefined,
  underArrows: ({ step, billers, tiles }) => (step === "biller" ? billers : tiles).focused,
  typed: ({ billers, tiles, amount, fields }) => [billers, tiles, amount, fields],
  restored: () => INITIAL_BILL,
  prefill: ({ find = "" }) => ({ type: "billers", event: { type: "query-typed", text: find } }),
  wishFor: ({ brandName }) => ({ find: brandName }),
  opens: (thing) => ({ type: "wanted", wanted: wantedOf(thing) }),
  useOpen: useOpenBill,
  line,
};

export function billControl(bill: BillPayment, words: StepWords): StepControl {
  const control = stepControl(bill, words);
  const { wanted, step } = bill.state;
  // Delays keys until the wanted product opens, because they are meant for that product.
  return wanted && step === "biller" && !control.asksAgain
    ? { ...control, waits: "here" }
    : control;
}

function stepControl(bill: BillPayment, words: StepWords): StepControl {
  const { t } = words;
  switch (bill.state.step) {
    case "biller":
      return pickerControl(bill.billerPicker, { choose: t("counter.next.biller"), t }, true);
    case "country":
      return pickerControl(bill.countryPicker, { choose: t("counter.next.country"), t }, true);
    case "service":
      return pickerControl(bill.servicePicker, { choose: t("counter.next.service"), t }, false);
    case "field":
      return fieldsControl(
        bill.fields,
        t,
        bill.state.offer?.supportsBillRetrieval
          ? t("counter.next.due")
          : t("counter.next.amountMissing"),
      );
    case "amount":
      return {
        ...amountControl(bill.amount, words, bill.enterAmount),
        next: amountNext(bill, words),
        ...(isAwaited(bill.bill) && { waits: "here" }),
        proceed: bill.enterAmount,
        ...(bill.isRetrieved &&
          hasFailed(bill.bill) &&
          !isRefused(bill.bill.error) &&
          askingAgain(t)),
      };
  }
}

function amountNext(payment: BillPayment, words: StepWords): NextThing {
  const { bill, isRetrieved, pays, problem, walletShort } = payment;
  const { t, inShop } = words;
  if (pays && walletShort) {
    return walletNext(t);
  }
  if (problem !== undefined) {
    return { label: t("counter.next.amountOther"), ready: false };
  }
  if (pays) {
    return { label: t("counter.next.amountPriced", { price: inShop(pays.price) }), ready: true };
  }
  if (!isRetrieved) {
    return amountControl(payment.amount, words, payment.enterAmount).next;
  }
  if (bill.data) {
    return { label: t("counter.next.amount"), ready: false };
  }
  return {
    label: t(isRefused(bill.error) ? "counter.next.dueMissing" : "counter.next.dueAwaited"),
    ready: false,
  };
}

/** Returns whether the biller does not know the bill. A retry would return the same answer. */
function isRefused(error: unknown): boolean {
  return hasErrorCode(error, "BILL_NOT_FOUND");
}

interface FoldedBillProps {
  readonly bill: BillPayment;
  readonly onUndo: () => void;
}

function FoldedBill({ bill, onUndo }: FoldedBillProps) {
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

interface OpenStepProps {
  readonly bill: BillPayment;
  readonly control: StepControl;
}

function OpenStep({ bill, control }: OpenStepProps) {
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
        <BillAmountStep bill={bill} control={control} />
      ) : (
        <AmountStep
          amount={bill.amount}
          control={control}
          arrives={t("family.BILL_PAY.delivers")}
        />
      );
  }
}

function BillAmountStep({ bill: payment, control }: OpenStepProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [keypadShown] = useKeypadShown();
  const { data } = payment.bill;
  const error = troubleOf(payment.bill);
  const { offer } = payment.state;
  const rule = offer ? ruleOf(offer) : "exact";
  return (
    <section className={stepClasses.card} aria-labelledby="bill-title">
      <h1 id="bill-title" className="size-heading leading-120">
        {t("counter.bill.due")}
      </h1>
      {isRefused(error) ? (
        <Notice tone="wait" loud>
          <strong>{t("counter.bill.notFound")}</strong>
        </Notice>
      ) : null}
      {error && !isRefused(error) ? <ErrorNotice words={errorWords(error, t, format)} /> : null}
      {payment.bill.isPending && !error ? <Skeleton height="12rem" radius="md" /> : null}
      {data ? (
        <>
          <Retrieved payment={payment} bill={data} />
          <p className="soft">{t(`counter.bill.rule.${rule}`)}</p>
          {rule === "exact" ? null : <OtherAmount payment={payment} bill={data} />}
          {keypadShown && rule !== "exact" ? <Keypad control={control} withPoint /> : null}
          {payment.walletShort ? <WalletNotice short={payment.walletShort} /> : null}
          {payment.problem ? (
            <Notice tone="wait" loud>
              {t(`counter.bill.problem.${payment.problem}`)}
            </Notice>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

function Retrieved({ payment, bill }: { readonly payment: BillPayment; readonly bill: PosBill }) {
  const { t } = useTranslation();
  const { pays } = payment;
  const format = useFormat();
  const due = format.money(bill.send, bill.sendCurrency, bill.sendCurrencyDivisor, "code");
  const isOther = pays !== undefined && pays.send !== bill.send;
  const other = {
    label: t("family.BILL_PAY.delivers"),
    note: joinParts([t("sale.bill.due"), due], format.locale),
  };
  return <BillAmounts bill={pays} {...(isOther && other)} />;
}

function OtherAmount({ payment, bill }: { readonly payment: BillPayment; readonly bill: PosBill }) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [keypadShown] = useKeypadShown();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const { state, dispatch } = payment;
  return (
    <div>
      <label htmlFor={id}>{t("counter.bill.other", { currency: bill.sendCurrency })}</label>
      <WideInput
        {...OWN_FIELD}
        ref={field}
        id={id}
        type="text"
        inputMode={modeBeside(keypadShown, "decimal")}
        autoComplete="off"
        placeholder={format.typedAmount(toDecimal(bill.send, bill.sendCurrencyDivisor))}
        value={format.typedAmount(state.amount.text)}
        onChange={({ currentTarget }) =>
          dispatch({
            type: "amount-typed",
            text: amountText(currentTarget.value, fractionDigits(bill.sendCurrencyDivisor)),
          })
        }
      />
    </div>
  );
}
