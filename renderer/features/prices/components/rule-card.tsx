import { Button, Switch } from "@mantine/core";
import { IconCopy, IconPencil, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { PriceRule } from "../../../../server/contract/pos/prices.ts";
import { pricingWords, type RuleSaying, targetWords } from "../../../lib/price-rule-words.ts";
import { useNow } from "../../../lib/use-now.ts";
import classes from "./prices.module.css";

interface RuleCardProps {
  readonly rule: PriceRule;
  readonly place: number;
  readonly saying: RuleSaying;
  /** What sales by it have lost, minor units. */
  readonly lost: number | undefined;
  readonly onOpen: () => void;
  readonly onCopy: () => void;
  readonly onChange: (rule: PriceRule) => void;
  readonly onRemove: () => void;
}

/** A rule as a sentence, what it is for, and what may be done with it. */
export function RuleCard(props: RuleCardProps) {
  const { rule, place, saying, lost, onOpen, onCopy, onChange, onRemove } = props;
  const { t } = useTranslation();
  const target = targetWords(rule, saying);
  return (
    <li className={classes.rule} data-off={!rule.enabled}>
      <span className={classes.place} aria-hidden="true">
        {place}
      </span>
      <div className={classes.sentence}>
        <p className={classes.words}>
          <strong>{target}</strong>
          <span>{pricingWords(rule, saying)}</span>
        </p>
        {rule.note ? <p className={classes.soft}>{rule.note}</p> : null}
        {rule.belowCost ? (
          <p className={classes.soft}>
            {t("office.prices.rules.lost", {
              reason: rule.belowCost.reason,
              lost: money(lost ?? 0, saying),
              budget: money(rule.belowCost.budget, saying),
            })}
          </p>
        ) : null}
        <Marks rule={rule} />
      </div>
      <div className={classes.actions}>
        <Switch
          label={t("office.prices.rules.on")}
          aria-label={t("office.prices.rules.onFor", { target })}
          checked={rule.enabled}
          onChange={({ currentTarget }) => onChange({ ...rule, enabled: currentTarget.checked })}
        />
        <Button
          variant="subtle"
          aria-label={t("office.prices.rules.changeFor", { target })}
          onClick={onOpen}
        >
          <IconPencil size="1.25rem" aria-hidden="true" />
        </Button>
        <Button
          variant="subtle"
          aria-label={t("office.prices.rules.copyFor", { target })}
          onClick={onCopy}
        >
          <IconCopy size="1.25rem" aria-hidden="true" />
        </Button>
        <Button
          variant="subtle"
          aria-label={t("office.prices.rules.removeFor", { target })}
          onClick={onRemove}
        >
          <IconTrash size="1.25rem" aria-hidden="true" />
        </Button>
      </div>
    </li>
  );
}

const MINUTE_MS = 60_000;

/** What is special about a rule: a promotion, off, over, not begun. */
function Marks({ rule }: Pick<RuleCardProps, "rule">) {
  const { t } = useTranslation();
  const now = useNow(MINUTE_MS);
  const isOver = rule.until !== undefined && Date.parse(rule.until) <= now;
  const isAhead = rule.from !== undefined && Date.parse(rule.from) > now;
  const marks = [
    ...(rule.class === "PROMOTION" ? (["promotion"] as const) : []),
    ...(rule.enabled ? [] : (["off"] as const)),
    ...(isOver ? (["over"] as const) : []),
    ...(isAhead ? (["ahead"] as const) : []),
  ];
  return marks.length === 0 ? null : (
    <p className={classes.marks}>
      {marks.map((mark) => (
        <span key={mark} className={classes.mark} data-mark={mark}>
          {t(`office.prices.rules.mark.${mark}`)}
        </span>
      ))}
    </p>
  );
}

function money(minor: number, { format, currency, currencyDivisor }: RuleSaying): string {
  return format.money(minor, currency, currencyDivisor);
}
