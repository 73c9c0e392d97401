import { IconX } from "@tabler/icons-react";
import { useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { restFocus } from "../../../../lib/rest-focus.ts";
import { useScreenCommand } from "../../../../lib/screen-commands.ts";
import { tenderName } from "../../../../lib/tender-name.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import type { OtherTender } from "../tender/tender.ts";
import classes from "./recorded-tenders.module.css";

/** What is paid otherwise than in cash, each with a reference to find it again. */
export function RecordedTenders({ sale }: { readonly sale: CurrentSale }) {
  const { others } = sale.state.tender;
  if (others.length === 0) {
    return null;
  }
  return (
    <ul className={classes.list}>
      {others.map((other, index) => (
        <Recorded
          // biome-ignore lint/suspicious/noArrayIndexKey: tenders are told apart by their place
          key={index}
          sale={sale}
          other={other}
          index={index}
        />
      ))}
    </ul>
  );
}

interface RecordedProps {
  readonly sale: CurrentSale;
  readonly other: OtherTender;
  readonly index: number;
}

function Recorded({ sale, other, index }: RecordedProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const reference = useRef<HTMLInputElement>(null);
  useScreenCommand("tender-reference", () => reference.current?.focus());
  const { currency, currencyDivisor } = sale.till;
  const kind = tenderName(other, t);
  return (
    <li className={classes.tender}>
      <span className={classes.kind} dir="auto">
        {kind}
      </span>
      <span className={classes.amount}>
        {format.money(other.amount, currency, currencyDivisor)}
      </span>
      <button
        type="button"
        className={classes.remove}
        aria-label={t("counter.tender.remove", { kind })}
        disabled={sale.state.paying}
        onClick={() => sale.dispatch({ type: "tender-removed", index })}
      >
        <IconX size="1.25rem" aria-hidden="true" />
      </button>
      <label htmlFor={id} className="spoken">
        {t("counter.tender.reference")}
      </label>
      <input
        id={id}
        className={classes.reference}
        type="text"
        maxLength={64}
        autoComplete="off"
        ref={reference}
        placeholder={t("counter.tender.reference")}
        readOnly={sale.state.paying}
        value={other.reference ?? ""}
        onChange={({ currentTarget }) =>
          sale.dispatch({ type: "reference-typed", index, text: currentTarget.value })
        }
        onKeyDown={(event) => {
          // Done with the reference: the next Enter pays.
          if (event.key === "Enter" || event.key === "Escape") {
            event.preventDefault();
            restFocus();
          }
        }}
      />
    </li>
  );
}
