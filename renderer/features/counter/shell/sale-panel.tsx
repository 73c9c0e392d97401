import { IconReceipt } from "@tabler/icons-react";
import type { ReactNode, Ref } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { ReceiptLanguage } from "../../../components/receipt-language.tsx";
import { useFirstSteps } from "../../../lib/first-steps.ts";
import { usePrintSettings } from "../../../lib/print-settings.ts";
import { PLUGINS } from "../families/index.ts";
import { BasketSummary } from "../sale/confirm/basket-summary.tsx";
import { EntryField } from "../sale/confirm/entry-field.tsx";
import { TenderBox } from "../sale/confirm/tender-box.tsx";
import { HoldButton } from "../sale/held/hold-button.tsx";
import { SaleMatters } from "../sale/shown/sale-matters.tsx";
import { SaleStrip, ShownSale } from "../sale/shown/shown-sale.tsx";
import { useOwedSales } from "../sale/shown/use-owed-sales.ts";
import { setKeypadRoom } from "../ui/keypad-room.ts";
import { FirstSteps } from "./first-steps.tsx";
import { PrimaryAction } from "./primary-action.tsx";
import classes from "./sale-panel.module.css";
import type { Counter } from "./use-counter.ts";

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
