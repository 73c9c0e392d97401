import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForward,
  IconDiscount,
  IconHelpCircle,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { BillAmounts } from "../../../../components/bill-amounts.tsx";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { Dialog } from "../../../../components/dialog/dialog.tsx";
import { FitText } from "../../../../components/fit-text.tsx";
import { Flag } from "../../../../components/flag.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { WorksIn } from "../../../../components/works-in.tsx";
import { hasErrorCode } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { kindWords } from "../../../../lib/kind-words.ts";
import { offerContents } from "../../../../lib/offer-title.ts";
import { sessionQuery } from "../../../../lib/pos-queries.ts";
import { useScreenCommand } from "../../../../lib/screen-commands.ts";
import { useLineTitle } from "../../../../lib/sold-title.ts";
import { type Format, useFormat } from "../../../../lib/use-format.ts";
import { useIsNarrow } from "../../../../lib/use-is-narrow.ts";
import { fieldLabel } from "../../picker/fields/field-label.ts";
import { Keypad, useKeypadShown } from "../../ui/keypad.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { type Pause, PauseMark } from "../../ui/pause.tsx";
import { PromoNotes } from "../../ui/promo.tsx";
import stepClasses from "../../ui/step.module.css";
import type { StepControl } from "../../ui/step-control.ts";
import { WalletNotice } from "../../ui/wallet.tsx";
import {
  type AttemptLine,
  type LineDetails,
  type LineItem,
  recipientOf,
  toPricedBill,
} from "../attempt/line-item.ts";
import type { NumberAsk } from "../basket/sale-checks.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { EarlierNotice } from "../earlier/earlier-notice.tsx";
import { HoldButton } from "../held/hold-button.tsx";
import type { Held } from "../held/use-held.ts";
import classes from "./confirm-step.module.css";

/** Loaded on demand, because few people have the permission. */
const WhyPrice = lazy(async () => ({
  default: (await import("../../../../components/why-price.tsx")).WhyPrice,
}));

interface ConfirmStepProps {
  readonly sale: CurrentSale;
  readonly control: StepControl;
  readonly held: Held;
  readonly detailsOf: (item: LineItem) => LineDetails;
  readonly onUndo: () => void;
  readonly children: ReactNode;
}

export function ConfirmStep({
  sale,
  control,
  held,
  detailsOf,
  onUndo,
  children,
}: ConfirmStepProps) {
  const [keypadShown] = useKeypadShown();
  const isNarrow = useIsNarrow();
  const { t } = useTranslation();
  const { openLine, state } = sale;
  return (
    <section className={stepClasses.card} aria-labelledby="confirm-title">
      <div className={`${stepClasses.head} ${classes.head}`}>
        <h1 id="confirm-title" className="size-heading leading-120">
          {t("counter.confirmTitle")}
        </h1>
        {/* The sheet of a single item has no header for this button. */}
        {isNarrow && sale.lines.length === 1 ? <HoldButton held={held} sale={sale} /> : null}
        <LinkButton
          icon={<IconArrowBackUp size="1.25rem" aria-hidden="true" />}
          shortcut="Esc"
          disabled={state.paying}
          onPress={onUndo}
        >
          {t("counter.undo")}
        </LinkButton>
      </div>
      {openLine ? (
        <OpenItem
          line={openLine}
          details={detailsOf(openLine.item)}
          pause={sale.pauseOfLine(openLine)}
          told={state.moved[openLine.transactionId]}
          toldSend={state.movedSends[openLine.transactionId]}
        />
      ) : null}
      {openLine ? (
        <p className={classes.warning}>
          <IconAlertTriangle className="flex-none" size="1.25rem" aria-hidden="true" />
          {t(`family.${openLine.item.productType}.warning`)}
        </p>
      ) : null}
      {/* Messages and promotions use the space above the footer, so that nothing moves. */}
      <ConfirmWarnings sale={sale} />
      {openLine ? (
        <div aria-live="polite">
          <PromoNotes promos={sale.checks.get(openLine.transactionId)?.promos ?? []} />
        </div>
      ) : null}
      <div className={classes.foot}>
        <div className="stack flex-none gap-2 min-w-0">
          <ConfirmActions sale={sale} />
          <h2 className={stepClasses.groupTitle}>{t("counter.basket.another")}</h2>
          {children}
        </div>
        {keypadShown ? <Keypad control={control} withPoint /> : null}
      </div>
    </section>
  );
}

function ConfirmActions({ sale }: Pick<ConfirmStepProps, "sale">) {
  const { t } = useTranslation();
  const { state } = sale;
  return (
    <div className={classes.actions}>
      <LinkButton
        icon={<IconDiscount size="1.25rem" aria-hidden="true" />}
        shortcut="D"
        disabled={state.paying}
        onPress={sale.openDiscount}
      >
        {t("counter.entry.discount")}
      </LinkButton>
      {sale.openLine ? <WhyPriceButton item={sale.openLine.item} /> : null}
    </div>
  );
}

interface OpenItemProps {
  readonly line: AttemptLine;
  readonly details: LineDetails;
  readonly pause: Pause | undefined;
  /** Price that the customer was told first, if the price has changed. */
  readonly told: number | undefined;
  /** Like `told`, for the delivered amount. */
  readonly toldSend: number | undefined;
}

function OpenItem({ line, details, pause, told, toldSend }: OpenItemProps) {
  const { item } = line;
  const { t } = useTranslation();
  const format = useFormat();
  const head = details.headOf(item, t);
  return (
    <div className="card">
      <div className={classes.recipient}>
        <p className="row wrap gap-2 soft">
          {item.country ? (
            <>
              <Flag country={item.country} /> {format.country(item.country)}
              <span className={classes.dot} aria-hidden="true" />
            </>
          ) : null}
          <BrandFace brand={item.brand} name={item.brandName} color={item.brandColor} />
          {head === item.brandName ? null : (
            <strong>
              <bdi>{item.brandName}</bdi>
            </strong>
          )}
          {details.Beside ? <details.Beside item={item} /> : null}
          {pause ? <PauseMark pause={pause} /> : null}
        </p>
        <p className="size-hero strong tracking-tight leading-115 nowrap">
          <FitText>{head}</FitText>
        </p>
        {details.Below ? <details.Below item={item} /> : null}
        <GivenFields item={item} />
      </div>
      <ItemAmounts line={line} told={told} toldSend={toldSend} />
    </div>
  );
}

function ItemAmounts({ line, told, toldSend }: Pick<OpenItemProps, "line" | "told" | "toldSend">) {
  const { item, discount = 0 } = line;
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const money = (minor: number) =>
    format.money(minor, item.priceCurrency, item.priceCurrencyDivisor);
  const struck = (amount: string) => (
    <del className="block wait size-body regular tracking-0">
      <span className="spoken">{t("counter.before")} </span>
      {amount}
    </del>
  );
  const before = told === undefined ? null : struck(money(told));
  const bill = toPricedBill(item);
  if (bill) {
    const isDue = item.due === undefined || item.due === item.send;
    return (
      <div className={classes.bill}>
        <BillAmounts
          bill={bill}
          discount={discount}
          beside={before}
          {...(!isDue && { label: t("family.BILL_PAY.delivers") })}
        />
      </div>
    );
  }
  return (
    <dl className={classes.facts}>
      <div>
        <dt className="soft">{t(`family.${item.productType}.delivers`)}</dt>
        <dd className="size-figure strong tracking-tight leading-130">
          {toldSend === undefined ? null : struck(delivered({ ...item, send: toldSend }, format))}
          <FitText>{delivered(item, format)}</FitText>
        </dd>
        <dd className="faint size-caption">{lineTitle(item)}</dd>
      </div>
      <div>
        <dt className="soft">{t("counter.customerPays")}</dt>
        <dd className="size-figure strong tracking-tight leading-130">
          {before}
          <FitText>{money(item.price - discount)}</FitText>
        </dd>
        {discount > 0 ? (
          <dd className="faint size-caption">
            {t("counter.discounted", { price: money(item.price), discount: money(discount) })}
          </dd>
        ) : null}
      </div>
    </dl>
  );
}

function GivenFields({ item }: { readonly item: LineItem }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { area, fields, service, due, send, sendCurrency, sendCurrencyDivisor } = item;
  if (area) {
    return <WorksIn area={area} />;
  }
  if (!fields) {
    return null;
  }
  return (
    <dl className={classes.given}>
      {service === undefined ? null : (
        <div>
          <dt className="faint size-caption">{t("counter.bill.service")}</dt>
          <dd className="medium break-anywhere">{kindWords(service, t)}</dd>
        </div>
      )}
      {due !== undefined && due !== send && sendCurrency && sendCurrencyDivisor ? (
        <div>
          <dt className="faint size-caption">{t("sale.bill.due")}</dt>
          <dd className="medium break-anywhere">
            {format.money(due, sendCurrency, sendCurrencyDivisor, "code")}
          </dd>
        </div>
      ) : null}
      {fields.map(({ key, label, shown }) => (
        <div key={key}>
          <dt className="faint size-caption">{fieldLabel(label, t)}</dt>
          <dd className="medium break-anywhere">{shown}</dd>
        </div>
      ))}
    </dl>
  );
}

function delivered(item: LineItem, format: Format): string {
  const contents = item.value === undefined ? offerContents(item.title) : undefined;
  if (contents !== undefined) {
    return format.contents(contents);
  }
  const { send, sendCurrency, sendCurrencyDivisor } = item;
  return send && sendCurrency && sendCurrencyDivisor
    ? format.money(send, sendCurrency, sendCurrencyDivisor, "code")
    : item.title;
}

function WhyPriceButton({ item }: { readonly item: LineItem }) {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery());
  const [isOpen, setOpen] = useState(false);
  const mayAsk = session?.rights.seeFigures === true;
  useScreenCommand("why-price", () => setOpen(true), { enabled: mayAsk });
  if (!session || !mayAsk) {
    return null;
  }
  const { environment } = session;
  return (
    <>
      <LinkButton
        icon={<IconHelpCircle size="1.25rem" aria-hidden="true" />}
        shortcut="W"
        onPress={() => setOpen(true)}
      >
        {t("priceReason.title")}
      </LinkButton>
      {isOpen ? (
        <Dialog opened onClose={() => setOpen(false)} size="lg" title={t("priceReason.title")}>
          <Suspense fallback={null}>
            <WhyPrice environment={environment} offerId={item.offerId} value={item.value} />
          </Suspense>
        </Dialog>
      ) : null}
    </>
  );
}

/** The most serious warning has the strongest tone. */
function ConfirmWarnings({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const { state, till } = sale;
  const { currency, currencyDivisor: divisor } = till;
  const isPriceChange =
    Object.keys(state.moved).length > 0 &&
    (!state.error || hasErrorCode(state.error, "PRICE_CHANGED"));
  return (
    <>
      {sale.numberAsk ? <NumberAskNotice ask={sale.numberAsk} /> : null}
      {sale.walletShort ? <WalletNotice short={sale.walletShort} stops /> : null}
      {state.error && !isPriceChange ? (
        <ErrorNotice words={errorWords(state.error, t, format, { currency, divisor })} />
      ) : null}
      {isPriceChange ? <PriceNotice sale={sale} /> : null}
      <DeliveryNotices sale={sale} />
      {sale.lines
        .filter(({ belowCost }) => belowCost)
        .map(({ transactionId, item }) => (
          <Notice key={transactionId} tone="wait">
            {t("counter.belowCost", { title: lineTitle(item) })}
          </Notice>
        ))}
      <EarlierNotice verdict={sale.verdict} />
    </>
  );
}

/** If several lines changed, each line shows its own prices. */
function PriceNotice({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const { state, till, total, lines } = sale;
  const money = (minor: number) => format.money(minor, till.currency, till.currencyDivisor);
  const [only, ...others] = lines.filter(({ transactionId }) => transactionId in state.moved);
  return (
    <Notice tone="wait" loud>
      {only && others.length === 0
        ? t("counter.priceMoved", {
            title: lineTitle(only.item),
            before: money(state.moved[only.transactionId] ?? 0),
            price: money(only.item.price),
          })
        : t("counter.pricesMoved", { total: money(total) })}
    </Notice>
  );
}

/** One notice for each line that delivers another amount at the same or a new price. */
function DeliveryNotices({ sale: { state, lines } }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  return lines.flatMap(({ transactionId, item }) => {
    const before = state.movedSends[transactionId];
    return before === undefined
      ? []
      : [
          <Notice key={transactionId} tone="wait" loud>
            {t("counter.deliveryMoved", {
              who: recipientOf(item) || item.brandName,
              before: delivered({ ...item, send: before }, format),
              amount: delivered(item, format),
            })}
          </Notice>,
        ];
  });
}

function NumberAskNotice({ ask }: { readonly ask: NumberAsk }) {
  const { t } = useTranslation();
  const number = recipientOf(ask.line.item);
  return (
    <Notice tone="wait" loud>
      <strong>
        {t(ask.isShown ? "counter.numberAsk.waits" : "counter.numberAsk.notShown", { number })}
      </strong>{" "}
      <LinkButton
        icon={<IconArrowForward size="1.25rem" aria-hidden="true" />}
        shortcut="F8"
        onPress={ask.skip}
      >
        {t("counter.numberAsk.skip")}
      </LinkButton>
    </Notice>
  );
}
