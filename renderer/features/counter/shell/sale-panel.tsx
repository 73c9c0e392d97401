import { Button } from "@mantine/core";
import { IconChevronRight, IconPlayerPause, IconShoppingBag } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getExampleNumber, isSupportedCountry } from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../components/brand-face.tsx";
import { FitText } from "../../../components/fit-text.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ReceiptLanguage } from "../../../components/receipt-language.tsx";
import { useAnnounced } from "../../../lib/announcer.ts";
import { dismissFirstSteps, useFirstSteps } from "../../../lib/first-steps.ts";
import { sessionQuery, useCachedSales } from "../../../lib/pos-queries.ts";
import { usePrintSettings } from "../../../lib/print-settings.ts";
import { letGo } from "../../../lib/rest-focus.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { FIRST_FAMILY } from "../families/family-address.ts";
import { PLUGINS } from "../families/index.ts";
import type { CurrentSale } from "../sale/basket/use-sale.ts";
import { BasketLines } from "../sale/confirm/basket-lines.tsx";
import { EntryField } from "../sale/confirm/entry-field.tsx";
import { SALE_IN_SHORT_ID, SaleInShort } from "../sale/confirm/sale-in-short.tsx";
import { TenderBox } from "../sale/confirm/tender-box.tsx";
import { HoldButton } from "../sale/held/hold-button.tsx";
import { OwedOfSeveral, SaleButtons, SaleRow, SoldAside } from "../sale/shown/sale-result.tsx";
import { setKeypadRoom } from "../ui/keypad.tsx";
import { PauseNotice } from "../ui/pause.tsx";
import firstStepsClasses from "./first-steps.module.css";
import primaryActionClasses from "./primary-action.module.css";
import classes from "./sale-panel.module.css";
import type { Counter } from "./use-counter.ts";

const SAMPLE = "+502 5123 4567";

const NEWEST_ROWS = 1;

interface SalePanelProps {
  readonly counter: Counter;
  readonly missing: string | undefined;
  readonly onPrint: (saleId: string) => Promise<void>;
}

/** Shows the tenders during a payment, then the receipt buttons. The primary button never moves. */
export function SalePanel({ counter, missing, onPrint }: SalePanelProps) {
  const { t } = useTranslation();
  const { rule } = usePrintSettings();
  const { sale, result } = counter;
  const isSelling = sale.lines.length > 0;
  const prints = rule !== "never";
  const paying = sale.state.confirming ? "paying" : "selling";
  return (
    // A result has its own panel, so that nothing moves if it comes late on a phone.
    <aside
      key={result ? "result" : "sale"}
      className={classes.panel}
      aria-label={t("counter.panel")}
      data-paying={sale.state.confirming}
      data-lines={sale.lines.length}
      data-empty={!isSelling && !result && counter.isUntouched}
    >
      {result ? (
        <div className={classes.body} key={`sold ${result.saleId}`}>
          <SoldAside saleId={result.saleId} sale={sale} prints={prints} />
        </div>
      ) : (
        <>
          <header className={classes.head}>
            <div className="flex-1 min-w-0">
              <h2 className="size-title">{t("counter.panel")}</h2>
              {isSelling ? (
                <span className="faint size-caption">
                  {t("counter.items", { count: sale.lines.length })}
                </span>
              ) : null}
            </div>
            {isSelling ? <HoldButton held={counter.held} sale={sale} /> : null}
          </header>
          <div className={classes.body}>
            <BasketLines sale={sale} lines={sale.lines} />
            <Draft counter={counter} />
            {isSelling && prints && sale.state.confirming && !sale.state.entry ? (
              <SaleChoices counter={counter} />
            ) : null}
            {isSelling || !counter.isUntouched || counter.state.family !== FIRST_FAMILY ? null : (
              <NoItems counter={counter} />
            )}
          </div>
        </>
      )}
      {result ? (
        <OwedOfSeveral saleId={result.saleId} sale={sale} className={classes.foot} />
      ) : null}
      {/* A payment and a result each have their own footer, so that nothing moves when they appear. */}
      <div className={classes.foot} key={`foot ${result?.saleId ?? paying}`}>
        <Foot counter={counter} prints={prints} onPrint={onPrint} />
        <div ref={setKeypadRoom} />
        <PrimaryAction counter={counter} missing={missing} />
      </div>
    </aside>
  );
}

function Foot({
  counter,
  prints,
  onPrint,
}: Pick<SalePanelProps, "counter" | "onPrint"> & { readonly prints: boolean }) {
  const { sale, result, control } = counter;
  if (result) {
    return <SaleButtons saleId={result.saleId} sale={sale} prints={prints} onPrint={onPrint} />;
  }
  if (sale.state.entry) {
    return <EntryField sale={sale} control={control} />;
  }
  if (sale.state.confirming) {
    return <TenderBox sale={sale} />;
  }
  const isSelling = sale.lines.length > 0;
  return (
    <>
      {isSelling ? null : <Waiting counter={counter} />}
      {isSelling || !counter.isUntouched ? <Total sale={sale} /> : null}
    </>
  );
}

function Total({ sale: { lines, total, till } }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className={classes.total} aria-live="polite">
      <span>{t("counter.total")}</span>
      <strong
        className={`${lines.length === 0 ? "faint" : "ink"} flex-1 min-w-0 size-amount tracking-tight leading-120 text-end`}
      >
        <FitText>{format.money(total, till.currency, till.currencyDivisor)}</FitText>
      </strong>
    </div>
  );
}

function Draft({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const { draft, state, control, isUntouched } = counter;
  const { family } = state;
  if (state.sale.confirming || (isUntouched && family === FIRST_FAMILY)) {
    return null;
  }
  const { Icon } = PLUGINS[family];
  return (
    <div className={classes.draft}>
      {draft ? (
        <BrandFace brand={draft.brand} name={draft.brandName} color={draft.brandColor} />
      ) : (
        <span className={classes.draftIcon} aria-hidden="true">
          <Icon size="1.125rem" aria-hidden="true" />
        </span>
      )}
      <span className="stack flex-1 min-w-0">
        <strong className="medium">
          <bdi>{draft?.title ?? t(`family.${family}.one`)}</bdi>
        </strong>
        <small className="faint size-caption">{control.next.missing ?? control.next.label}</small>
      </span>
    </div>
  );
}

function SaleChoices({ counter: { sale } }: { readonly counter: Counter }) {
  const { attempt } = sale.state;
  return attempt ? (
    <div className={classes.choices}>
      <ReceiptLanguage saleId={attempt.saleId} />
    </div>
  ) : null;
}

function NoItems({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  // The first steps already state that test sales send nothing.
  const isNew = useFirstSteps() && counter.till.environment === "test";
  if (isNew) {
    return <FirstSteps country={counter.till.country} />;
  }
  return (
    <div className={classes.empty}>
      <span className={classes.ring} aria-hidden="true">
        <IconShoppingBag size="1.5rem" stroke={1.75} />
      </span>
      <strong className="ink">{t("counter.panelEmpty")}</strong>
      <p>{t("counter.panelEmptyHint")}</p>
    </div>
  );
}

function Waiting({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sale, held, openResult } = counter;
  const owed = useOwedSales(sale);
  const { currency, currencyDivisor } = sale.till;
  const sum = held.list.reduce((total, one) => total + one.total, 0);
  // A sale with an owed refund stays visible below newer sales.
  const rows = sale.shownSales.filter(
    (saleId, index) => index < NEWEST_ROWS || owed.includes(saleId),
  );
  return (
    <div className={classes.waiting}>
      {held.list.length === 0 ? null : (
        <button
          type="button"
          className={classes.held}
          onClick={(event) => {
            letGo(event);
            held.open();
          }}
        >
          <IconPlayerPause className="flex-none faint" size="1.25rem" aria-hidden="true" />
          <strong className="flex-1">{t("counter.held.show", { count: held.list.length })}</strong>
          <strong>{format.money(sum, currency, currencyDivisor)}</strong>
          <IconChevronRight className="flex-none faint" size="1rem" aria-hidden="true" />
          <KeyCap>Alt H</KeyCap>
        </button>
      )}
      {rows.map((saleId, index) => (
        <SaleRow
          key={saleId}
          saleId={saleId}
          sale={sale}
          label={t(index === 0 ? "counter.lastSale" : "sale.refundTitle")}
          onOpen={() => openResult(saleId)}
        />
      ))}
    </div>
  );
}

/** Shown instead of the empty sale. Only the owner sees the owner's steps. */
function FirstSteps({ country }: { readonly country: string }) {
  const { t } = useTranslation();
  const isOwner = useQuery(sessionQuery()).data?.staff.role === "owner";
  const number = isSupportedCountry(country)
    ? (getExampleNumber(country, examples)?.formatInternational() ?? SAMPLE)
    : SAMPLE;
  return (
    <section className={firstStepsClasses.steps} aria-labelledby="first-steps">
      <h2 id="first-steps" className="size-label">
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
      <Button variant="default" onClick={dismissFirstSteps}>
        {t("firstSteps.done")}
      </Button>
    </section>
  );
}

/** Ids of sales with an owed refund, newest first. */
function useOwedSales({ outbox, shownSales }: CurrentSale): readonly string[] {
  const known = useCachedSales(shownSales);
  const isRefused = (saleId: string) =>
    outbox.entries.some(({ attempt, error }) => attempt.saleId === saleId && error !== undefined);
  return shownSales.filter(
    (saleId) =>
      isRefused(saleId) || known.some((sale) => sale.saleId === saleId && sale.refundDue > 0),
  );
}

interface PrimaryActionProps {
  readonly counter: Counter;
  readonly missing: string | undefined;
}

function PrimaryAction({ counter, missing }: PrimaryActionProps) {
  const { control, sale, pause, result } = counter;
  // If the sale needs a refund, the refund is the primary action.
  const isQuiet = useOwedSales(sale).some((saleId) => saleId === result?.saleId);
  useAnnounced(missing, { urgency: "assertive" });
  return (
    <>
      <div aria-live="polite">{pause ? <PauseNotice pause={pause} boxed /> : null}</div>
      {sale.state.confirming ? <SaleInShort sale={sale} /> : null}
      {missing === undefined ? null : <p className={primaryActionClasses.missing}>{missing}</p>}
      <button
        type="button"
        className={primaryActionClasses.primary}
        data-primary
        data-quiet={isQuiet}
        disabled={!control.next.ready}
        aria-busy={sale.state.paying}
        aria-describedby={sale.state.confirming ? SALE_IN_SHORT_ID : undefined}
        onClick={(event) => {
          letGo(event);
          control.proceed();
        }}
      >
        {/* A new label replaces the old label without moving it. */}
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
    </>
  );
}

/** Enter does not press this button, so that a duplicate is always deliberate. */
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
