import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PriceListState } from "../../../../server/contract/pos/price-lists.ts";
import { byPrecedence, findClashes } from "../../../../server/contract/pos/price-rule-order.ts";
import type { PriceRule } from "../../../../server/contract/pos/prices.ts";
import { Notice } from "../../../components/notice.tsx";
import { newId } from "../../../lib/new-id.ts";
import { ruleWords } from "../../../lib/price-rule-words.ts";
import { ShopTimeZoneContext } from "../../../lib/use-format.ts";
import { withoutRule, withRule } from "../list-draft.ts";
import { emptyForm, formOf, type RuleForm } from "../rule-form.ts";
import type { CurrentDraft } from "../use-list-draft.ts";
import { useRuleSaying } from "../use-rule-saying.ts";
import { PlannedNotice } from "./planned-notice.tsx";
import classes from "./prices.module.css";
import { RuleCard } from "./rule-card.tsx";
import { RuleDialog } from "./rule-dialog.tsx";

interface RulesViewProps {
  readonly state: PriceListState;
  readonly draft: CurrentDraft;
}

/** The rules in the order in which they win, each as a sentence. */
export function RulesView({ state, draft }: RulesViewProps) {
  const { t } = useTranslation();
  const saying = useRuleSaying(state);
  const timeZone = useContext(ShopTimeZoneContext);
  const [open, setOpen] = useState<RuleForm>();
  const { list } = draft;
  const rules = list.rules.toSorted(byPrecedence);
  const unit = { currencyDivisor: state.currencyDivisor, timeZone };
  const copyOf = (rule: PriceRule) => ({ ...formOf(rule, unit), ruleId: newId() });
  const losses = new Map(state.losses.map(({ ruleId, lost }) => [ruleId, lost]));
  return (
    <>
      <div className={classes.intro}>
        <p className={classes.soft}>{t("office.prices.rules.intro")}</p>
        <Button
          leftSection={<IconPlus size="1.25rem" aria-hidden="true" />}
          onClick={() => setOpen(emptyForm(newId()))}
        >
          {t("office.prices.rules.add")}
        </Button>
      </div>
      {state.newest === 0 ? <Notice tone="info">{t("office.prices.rules.none")}</Notice> : null}
      <PlannedNotice state={state} />
      {findClashes(list.rules).map(([one, other]) => {
        const [first, second] = [list.rules[one], list.rules[other]];
        return first && second ? (
          <Notice key={`${first.ruleId} ${second.ruleId}`} tone="bad">
            <strong>{t("office.prices.rules.clash")}</strong>
            <ul className={classes.clash}>
              <li>{ruleWords(first, saying)}</li>
              <li>{ruleWords(second, saying)}</li>
            </ul>
          </Notice>
        ) : null;
      })}
      <ol className={classes.rules} aria-label={t("office.prices.rules.list")}>
        {rules.map((rule, index) => (
          <RuleCard
            key={rule.ruleId}
            rule={rule}
            place={index + 1}
            saying={saying}
            lost={losses.get(rule.ruleId)}
            onOpen={() => setOpen(formOf(rule, unit))}
            onCopy={() => setOpen(copyOf(rule))}
            onChange={(changed) => draft.change(withRule(list, changed))}
            onRemove={() => draft.change(withoutRule(list, rule.ruleId))}
          />
        ))}
        <Otherwise isFirst={state.newest === 0} />
      </ol>
      {open ? (
        <RuleDialog
          form={open}
          isNew={!list.rules.some(({ ruleId }) => ruleId === open.ruleId)}
          saying={saying}
          onClose={() => setOpen(undefined)}
          onDone={(rule) => {
            draft.change(withRule(list, rule));
            setOpen(undefined);
          }}
        />
      ) : null}
    </>
  );
}

/** What has no rule of its own; before there is a first one nothing keeps it above its cost. */
function Otherwise({ isFirst }: { readonly isFirst: boolean }) {
  const { t } = useTranslation();
  return (
    <li className={classes.last}>
      <p>{t("office.prices.rules.last")}</p>
      <p className={classes.soft}>
        {t(isFirst ? "office.prices.rules.lastHintFirst" : "office.prices.rules.lastHint")}
      </p>
    </li>
  );
}
