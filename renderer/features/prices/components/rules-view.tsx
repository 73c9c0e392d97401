import { Button, Switch } from "@mantine/core";
import { IconCopy, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useContext, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type PriceListState,
  priceOperations,
} from "../../../../server/contract/pos/price-lists.ts";
import {
  byPrecedence,
  findClashes,
  type PriceRule,
} from "../../../../server/contract/pos/prices.ts";
import { Notice } from "../../../components/notice.tsx";
import { useNow } from "../../../lib/gateway-clock.ts";
import { newId } from "../../../lib/new-id.ts";
import { offerTitle } from "../../../lib/offer-title.ts";
import { operationQuery } from "../../../lib/operation-query.ts";
import {
  pricingWords,
  type RuleSaying,
  ruleWords,
  targetWords,
} from "../../../lib/price-rule-words.ts";
import { ShopTimeZoneContext, useFormat } from "../../../lib/use-format.ts";
import { soldOffersQuery } from "../api/price-queries.ts";
import { withoutRule, withRule } from "../list-draft.ts";
import { usePricesEnvironment } from "../prices-environment.ts";
import { emptyForm, formOf, type RuleForm } from "../rule-form.ts";
import { countReach, NO_RULE, type RuleReach } from "../rule-reach.ts";
import type { CurrentDraft } from "../use-list-draft.ts";
import { useRuleSaying } from "../use-rule-saying.ts";
import classes from "./prices.module.css";
import { RuleDialog } from "./rule-dialog.tsx";
import { PlannedNotice } from "./versions-view.tsx";

const MINUTE_MS = 60_000;

interface RulesViewProps {
  readonly state: PriceListState;
  readonly draft: CurrentDraft;
}

export function RulesView({ state, draft }: RulesViewProps) {
  const { t } = useTranslation();
  const saying = useRuleSaying(state);
  const timeZone = useContext(ShopTimeZoneContext);
  const [open, setOpen] = useState<RuleForm>();
  const { list } = draft;
  const rules = list.rules.toSorted(byPrecedence);
  const unit = { currencyDivisor: state.currencyDivisor, timeZone };
  const copyOf = (rule: PriceRule) => ({ ...formOf(rule, unit), ruleId: newId() });
  const environment = usePricesEnvironment();
  const { data: index } = useQuery(soldOffersQuery(environment));
  const now = useNow(MINUTE_MS);
  const reach = useMemo(
    () => (index ? countReach(list.rules, index, now) : undefined),
    [list.rules, index, now],
  );
  const losses = new Map(state.losses.map(({ ruleId, lost }) => [ruleId, lost]));
  return (
    <>
      <div className={classes.intro}>
        <p className="soft">{t("office.prices.rules.intro")}</p>
        <Button
          leftSection={<IconPlus size="1.25rem" aria-hidden="true" />}
          onClick={() => setOpen(emptyForm(newId()))}
        >
          {t("office.prices.rules.add")}
        </Button>
      </div>
      {state.newest === 0 ? <Notice tone="info">{t("office.prices.rules.none")}</Notice> : null}
      <PlannedNotice state={state} />
      <Clashes rules={list.rules} saying={saying} />
      <ol className="stack gap-2" aria-label={t("office.prices.rules.list")}>
        {rules.map((rule, index) => (
          <RuleCard
            key={rule.ruleId}
            rule={rule}
            place={index + 1}
            saying={saying}
            lost={losses.get(rule.ruleId)}
            reach={reach?.get(rule.ruleId)}
            isSaved={!draft.isChanged}
            onOpen={() => setOpen(formOf(rule, unit))}
            onCopy={() => setOpen(copyOf(rule))}
            onChange={(changed) => draft.change(withRule(list, changed))}
            onRemove={() => draft.change(withoutRule(list, rule.ruleId))}
          />
        ))}
        <Otherwise
          isFirst={state.newest === 0}
          isAlone={rules.length === 0}
          reach={reach?.get(NO_RULE)}
        />
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

interface ClashesProps {
  readonly rules: readonly PriceRule[];
  readonly saying: RuleSaying;
}

/** Pairs of rules with equal precedence for the same products. */
function Clashes({ rules, saying }: ClashesProps) {
  const { t } = useTranslation();
  return findClashes(rules).map(([one, other]) => {
    const [first, second] = [rules[one], rules[other]];
    return first && second ? (
      <Notice key={`${first.ruleId} ${second.ruleId}`} tone="bad">
        <strong>{t("office.prices.rules.clash")}</strong>
        <ul className="stack gap-2">
          <li>{ruleWords(first, saying)}</li>
          <li>{ruleWords(second, saying)}</li>
        </ul>
      </Notice>
    ) : null;
  });
}

interface OtherwiseProps {
  readonly isFirst: boolean;
  readonly isAlone: boolean;
  readonly reach: RuleReach | undefined;
}

/** Price of offers without a rule. Before the first rule exists, no minimum protects their cost. */
function Otherwise({ isFirst, isAlone, reach }: OtherwiseProps) {
  const { t } = useTranslation();
  return (
    <li className={classes.last}>
      <div>
        <p>{t(isAlone ? "office.prices.rules.lastAlone" : "office.prices.rules.last")}</p>
        <p className="soft">
          {t(isFirst ? "office.prices.rules.lastHintFirst" : "office.prices.rules.lastHint")}
        </p>
      </div>
      <ProductCount reach={reach} />
    </li>
  );
}

/** Keeps its place free until the offers are loaded. */
function ProductCount({ reach }: { readonly reach: RuleReach | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className={classes.figure}>
      {reach ? (
        <>
          <strong className="medium">{format.number(reach.count)}</strong>
          <small className="faint size-caption">
            {t("office.prices.rules.products", { count: reach.count })}
          </small>
        </>
      ) : null}
    </span>
  );
}

interface ExampleProps {
  /** Undefined until the offers are loaded, and for a rule that no offer fits. */
  readonly offerId: string | undefined;
}

/** Keeps its line free until the example is loaded, so that the rules below do not move. */
function Example({ offerId = "" }: ExampleProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const environment = usePricesEnvironment();
  const { data } = useQuery({
    ...operationQuery(priceOperations.explain, { params: { environment }, body: { offerId } }),
    enabled: offerId !== "",
  });
  if (!data || data.price === undefined) return <p aria-hidden="true">{"\u00A0"}</p>;
  const { brandName, title, price, currency, currencyDivisor, marginPercent } = data;
  return (
    <p className="soft">
      {t("office.prices.rules.example", {
        name: offerTitle(brandName, format.contents(title), format.locale),
        price: format.money(price, currency, currencyDivisor),
        margin: format.percent(marginPercent),
      })}
    </p>
  );
}

interface RuleCardProps {
  readonly rule: PriceRule;
  readonly place: number;
  readonly saying: RuleSaying;
  /** Money lost by sales at this rule's prices, in minor units. */
  readonly lost: number | undefined;
  readonly reach: RuleReach | undefined;
  /** True if the rules are saved as shown, so that the examples' prices are correct. */
  readonly isSaved: boolean;
  readonly onOpen: () => void;
  readonly onCopy: () => void;
  readonly onChange: (rule: PriceRule) => void;
  readonly onRemove: () => void;
}

function RuleCard(props: RuleCardProps) {
  const { rule, place, saying, lost, reach, isSaved, onOpen, onCopy, onChange, onRemove } = props;
  const { t } = useTranslation();
  const target = targetWords(rule, saying);
  return (
    <li className={classes.rule} data-off={!rule.enabled}>
      <span className={classes.place} aria-hidden="true">
        {place}
      </span>
      <div className="stack gap-1 min-w-0">
        <p className={classes.words}>
          <strong>{target}</strong>
          <span>{pricingWords(rule, saying)}</span>
        </p>
        {rule.enabled && isSaved ? <Example offerId={reach?.example} /> : null}
        {rule.note ? <p className="soft">{rule.note}</p> : null}
        {rule.belowCost ? (
          <p className="soft">
            {t("office.prices.rules.lost", {
              reason: rule.belowCost.reason,
              lost: money(lost ?? 0, saying),
              budget: money(rule.belowCost.budget, saying),
            })}
          </p>
        ) : null}
        <Marks rule={rule} />
      </div>
      <ProductCount reach={reach} />
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
    <p className="flex wrap gap-2">
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
