import { useTranslation } from "react-i18next";
import type { PriceList } from "../../../../server/contract/pos/prices.ts";
import type { MoneyUnit } from "../../../lib/money.ts";
import { ruleWords, settingSayer } from "../../../lib/price-rule-words.ts";
import { countOf, type ListChanges } from "../list-draft.ts";
import { useRuleSaying } from "../use-rule-saying.ts";
import listClasses from "./price-lists.module.css";

interface ChangeListProps {
  readonly changes: ListChanges;
  readonly state: MoneyUnit;
  readonly list: PriceList;
}

export function ChangeList({ changes, state, list }: ChangeListProps) {
  const { t } = useTranslation();
  const saying = useRuleSaying(state);
  const settingWords = settingSayer(saying);
  const { added, changed, removed, settings } = changes;
  if (countOf(changes) === 0) {
    return <p className="soft">{t("office.prices.changes.none")}</p>;
  }
  return (
    <ul className={listClasses.changes} aria-label={t("office.prices.changes.list")}>
      {added.map((rule) => (
        <li key={rule.ruleId} data-kind="added">
          <span className="block soft size-caption medium">{t("office.prices.changes.added")}</span>
          {ruleWords(rule, saying)}
        </li>
      ))}
      {changed.map(({ before, after }) => {
        const [was, is] = [ruleWords(before, saying), ruleWords(after, saying)];
        const kind = after.enabled ? "on" : "off";
        return (
          <li key={after.ruleId} data-kind="changed">
            <span className="block soft size-caption medium">
              {before.enabled === after.enabled
                ? t("office.prices.changes.changed")
                : t(`office.prices.changes.${kind}`)}
            </span>
            {was === is ? is : <del className="soft">{was}</del>}{" "}
            {was === is ? null : <ins className="undecorated">{is}</ins>}
          </li>
        );
      })}
      {removed.map((rule) => (
        <li key={rule.ruleId} data-kind="removed">
          <span className="block soft size-caption medium">
            {t("office.prices.changes.removed")}
          </span>
          <del className="soft">{ruleWords(rule, saying)}</del>
        </li>
      ))}
      {settings.map((name) => (
        <li key={name} data-kind="changed">
          <span className="block soft size-caption medium">
            {t(`office.prices.setting.${name}`)}
          </span>
          {settingWords(name, list)}
        </li>
      ))}
    </ul>
  );
}
