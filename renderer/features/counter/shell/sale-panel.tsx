import { Button } from "@mantine/core";
import { IconReceipt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getExampleNumber, isSupportedCountry } from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import { Fragment, type ReactNode, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ReceiptLanguage } from "../../../components/receipt-language.tsx";
import { useAnnounced } from "../../../lib/announcer.ts";
import { dismissFirstSteps, useFirstSteps } from "../../../lib/first-steps.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";
import { usePrintSettings } from "../../../lib/print-settings.ts";
import { letGo } from "../../../lib/rest-focus.ts";
import { PLUGINS } from "../families/index.ts";
import type { CurrentSale } from "../sale/basket/use-sale.ts";
import { BasketSummary } from "../sale/confirm/basket-summary.tsx";
import { EntryField } from "../sale/confirm/entry-field.tsx";
import { SALE_IN_SHORT_ID, SaleInShort } from "../sale/confirm/sale-in-short.tsx";
import { TenderBox } from "../sale/confirm/tender-box.tsx";
import { HoldButton } from "../sale/held/hold-button.tsx";
import { SaleMatters } from "../sale/shown/sale-matters.tsx";
import { SaleStrip, ShownSale } from "../sale/shown/shown-sale.tsx";
import { useOwedSales } from "../sale/shown/use-owed-sales.ts";
import { PauseNotice } from "../ui/brand-pause.tsx";
import { setKeypadRoom } from "../ui/keypad-room.ts";
import firstStepsClasses from "./first-steps.module.css";
import primaryActionClasses from "./primary-action.module.css";
import classes from "./sale-panel.module.css";
import type { Counter } from "./use-counter.ts";

/** Anybody's in the test environment: nothing real is sent. */
const SAMPLE = "+502 5123 4567";

const NEWEST_STRIPS = 2;

interface SalePanelProps {
  readonly counter: Counter;
  /** What has to be done before Enter goes on, once it was pressed. */
  readonly missing: string | undefined;
  readonly onPrint: (saleId: string) => Promise<void>;
  /** Where the sale that was just paid stands. */
  readonly receipt: Ref<HTMLDivElement>;
}

/**
 * The right side: how a sale is paid while it is confirmed, the basket while it grows, then the
 * live receipt. Older sales of this round stay as strips while a new one is made. What the customer
 * is owed, their receipt and the one primary button are always at the foot; all else may be scrolled.
 */
export function SalePanel({ counter, missing, onPrint, receipt }: SalePanelProps) {
  const { t } = useTranslation();
  const { sale } = counter;
  const isSelling = sale.lines.length > 0;
  const [latest, ...older] = sale.shownSales;
  const owed = useOwedSales(sale);
  // They say that nothing real is sent.
  const isNew = useFirstSteps() && counter.till.environment === "test";
  // A customer who is owed money is not forgotten behind those who came later.
  const strips = (isSelling ? sale.shownSales : older).filter(
    (saleId, index) => index < NEWEST_STRIPS || owed.includes(saleId),
  );
  return (
    <aside className={classes.panel} aria-label={t("counter.panel")}>
      {/* Another sale begins at its top. */}
      <div ref={receipt} className={classes.content} key={isSelling ? "selling" : `sale ${latest}`}>
        {isSelling ? <Selling counter={counter} /> : null}
        {!isSelling && latest ? (
          <ShownSale key={latest} saleId={latest} sale={sale} below={soldParts} />
        ) : null}
        {!isSelling && !latest && isNew ? <FirstSteps country={counter.till.country} /> : null}
        {!isSelling && !latest && !isNew ? (
          <EmptyPanel family={counter.isUntouched ? counter.state.family : undefined} />
        ) : null}
        {isSelling ? null : <HoldButton held={counter.held} sale={sale} flush />}
        {strips.length > 0 ? (
          <ul className={classes.strips}>
            {strips.map((saleId) => (
              <SaleStrip key={saleId} saleId={saleId} sale={sale} hasKey={owed[0] === saleId} />
            ))}
          </ul>
        ) : null}
      </div>
      <div className={classes.end}>
        {!isSelling && latest ? (
          <SaleMatters
            key={latest}
            saleId={latest}
            sale={sale}
            hasKey={owed[0] === latest}
            onPrint={onPrint}
          />
        ) : null}
        <div ref={setKeypadRoom} />
        <PrimaryAction counter={counter} missing={missing} />
      </div>
    </aside>
  );
}

function Selling({ counter }: { readonly counter: Counter }) {
  if (counter.sale.state.entry) {
    return <EntryField sale={counter.sale} control={counter.control} />;
  }
  return counter.sale.state.confirming ? (
    <Paying counter={counter} />
  ) : (
    <BasketSummary sale={counter.sale} held={counter.held} />
  );
}

/** How it is paid, and in which language its receipt will be: where each is printed by itself, too. */
function Paying({ counter: { sale } }: { readonly counter: Counter }) {
  const { rule } = usePrintSettings();
  const { attempt } = sale.state;
  return (
    <>
      <TenderBox sale={sale} />
      {attempt && rule !== "never" ? <ReceiptLanguage saleId={attempt.saleId} /> : null}
    </>
  );
}

/** What each family offers to do with what was sold of it. */
function soldParts({ lines }: Sale): ReactNode {
  return FAMILIES.map((family) => {
    const { Sold } = PLUGINS[family];
    const ofFamily = lines.filter(({ productType }) => productType === family);
    return Sold && ofFamily.length > 0 ? <Sold key={family} lines={ofFamily} /> : null;
  });
}

/** @param family the one that is open, whose first step it names until something was typed or chosen */
function EmptyPanel({ family }: { readonly family: Family | undefined }) {
  const { t } = useTranslation();
  const hint = family && PLUGINS[family].hint?.(t);
  return (
    <div className={classes.empty}>
      <IconReceipt size="2.5rem" stroke={1.25} aria-hidden="true" />
      <p>{t("counter.panelEmpty")}</p>
      {hint === undefined ? null : <p className={classes.hint}>{hint}</p>}
    </div>
  );
}

/** What a new owner tries first, shown where later the sale stands; others are told what they can do themselves. */
function FirstSteps({ country }: { readonly country: string }) {
  const { t } = useTranslation();
  const isOwner = useQuery(sessionQuery()).data?.staff.role === "owner";
  const number = isSupportedCountry(country)
    ? (getExampleNumber(country, examples)?.formatInternational() ?? SAMPLE)
    : SAMPLE;
  return (
    <section className={firstStepsClasses.steps} aria-labelledby="first-steps">
      <h2 id="first-steps" className={firstStepsClasses.title}>
        {t("firstSteps.title")}
      </h2>
      <ol className={firstStepsClasses.list}>
        <li>{t("firstSteps.sell", { number })}</li>
        <li>{t("firstSteps.print")}</li>
        <li>{t("firstSteps.close")}</li>
        {isOwner ? (
          <>
            <li>{t("firstSteps.staff")}</li>
            <li>{t("firstSteps.live")}</li>
          </>
        ) : null}
      </ol>
      <Button variant="default" h="2.75rem" onClick={dismissFirstSteps}>
        {t("firstSteps.done")}
      </Button>
    </section>
  );
}

interface PrimaryActionProps {
  readonly counter: Counter;
  readonly missing: string | undefined;
}

/** The one primary button: it names what Enter does next. */
function PrimaryAction({ counter, missing }: PrimaryActionProps) {
  const { control, sale, pause } = counter;
  useAnnounced(missing, { urgency: "assertive" });
  return (
    <div className={primaryActionClasses.foot}>
      <div aria-live="polite">{pause ? <PauseNotice pause={pause} boxed /> : null}</div>
      {sale.state.confirming ? <SaleInShort sale={sale} /> : null}
      {missing === undefined ? null : <p className={primaryActionClasses.missing}>{missing}</p>}
      <button
        type="button"
        className={primaryActionClasses.primary}
        data-primary
        disabled={!control.next.ready}
        aria-describedby={sale.state.confirming ? SALE_IN_SHORT_ID : undefined}
        onClick={(event) => {
          letGo(event);
          control.proceed();
        }}
      >
        {/* Another label is another button to the eye: it appears, and nothing of the old one moves. */}
        <Fragment key={control.next.label}>
          <span>{control.next.label}</span>
          <KeyCap>Enter</KeyCap>
        </Fragment>
      </button>
      {sale.state.confirming &&
      sale.confirmsFirst &&
      !sale.isStopped &&
      !sale.walletShort &&
      !sale.state.paying ? (
        <SellAgain sale={sale} />
      ) : null}
    </div>
  );
}

/** Apart from Enter and named: a second sale is never the next step by itself, only a deliberate choice. */
function SellAgain({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const kind = sale.verdict?.kind === "being-sent" ? "beingSent" : "sameAgain";
  return (
    <button
      type="button"
      className={primaryActionClasses.again}
      data-sells
      disabled={!sale.tendered?.isEnough}
      onClick={(event) => {
        letGo(event);
        void sale.pay("again");
      }}
    >
      <span>{t(`counter.sellAgain.${kind}`)}</span>
      <KeyCap>F8</KeyCap>
    </button>
  );
}
