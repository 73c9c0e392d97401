import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { Readiness, TillState } from "../../../../server/contract/pos/till-environment.ts";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form, FormButtons } from "../../../components/form.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { amountText } from "../../../lib/amount-text.ts";
import { ApiError, hasErrorCode } from "../../../lib/api-client.ts";
import { fractionDigits, parseAmount } from "../../../lib/money.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { readPin, SHORTEST_PIN } from "../../../lib/pin.ts";
import { sessionQuery, statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  endPilot,
  GOING_LIVE_ANSWERS,
  movePilot,
  putTillEnvironment,
} from "../api/going-live-queries.ts";
import classes from "./going-live-screen.module.css";

/** Default limits of the pilot, in units of the wallet's currency and in sales per day. */
const USUAL_PER_SALE = 20;
const USUAL_SALES_A_DAY = 10;
/** Number of delivered sales after which the limits end. */
const NEEDED = 20;

interface SwitchDialogProps {
  readonly to: Environment;
  readonly state: TillState;
  readonly readiness: Readiness;
  readonly onClose: () => void;
}

/** Switching to live also asks for the shop's name. */
export function SwitchDialog({ to, state, readiness, onClose }: SwitchDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={onClose} title={t(`goLive.ask.${to}.title`)} size="lg">
      <SwitchForm to={to} state={state} readiness={readiness} onClose={onClose} />
    </Dialog>
  );
}

function SwitchForm({ to, state, readiness, onClose }: SwitchDialogProps) {
  const { t } = useTranslation();
  const { data: status } = useQuery(statusQuery());
  const { data: session } = useQuery(sessionQuery());
  const [shopName, setShopName] = useState("");
  const [pin, setPin] = useState("");
  const caps = usePilotCaps(state);
  const needsName = to === "live";
  const isTyped =
    pin.length >= SHORTEST_PIN && (!needsName || (shopName.trim() !== "" && caps.typed));
  const change = useSwitch({
    onSwitched: onClose,
    onFailed: () => setPin(""),
  });
  const fields = change.error instanceof ApiError ? change.error.fields : {};
  return (
    <Form
      className="stack gap-4"
      onSubmit={() => {
        if (isTyped && !change.isPending) {
          change.mutate({
            to,
            pin,
            ...(needsName && { shopName, ...(caps.typed && { pilot: caps.typed }) }),
          });
        }
      }}
    >
      <WhatChanges to={to} readiness={readiness} />
      {needsName ? (
        <TextInput
          data-autofocus
          label={t("goLive.ask.shopName", { name: status?.shopName ?? "" })}
          autoComplete="off"
          dir="auto"
          value={shopName}
          error={fields.shopName ? t("goLive.ask.shopNameWrong") : undefined}
          onChange={({ currentTarget }) => {
            change.reset();
            setShopName(currentTarget.value);
          }}
        />
      ) : null}
      {needsName ? <PilotFields caps={caps} currency={state.currency} /> : null}
      <PinField
        {...(!needsName && { "data-autofocus": true })}
        label={t("goLive.ask.pin")}
        value={pin}
        onChange={({ currentTarget }) => setPin(readPin(currentTarget.value))}
        autoComplete="off"
      />
      {change.error && !fields.shopName ? (
        <ApprovalTrouble error={change.error} person={session?.staff} />
      ) : null}
      <FormButtons onCancel={onClose} loading={change.isPending} disabled={!isTyped}>
        {t(`goLive.ask.${to}.submit`)}
      </FormButtons>
    </Form>
  );
}

function WhatChanges({ to, readiness }: Omit<SwitchDialogProps, "onClose" | "state">) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <p className="size-label strong">{t(`goLive.ask.${to}.what`)}</p>
      <dl className="grid gap-3">
        <div>
          <dt className="strong">{t("goLive.ask.separate")}</dt>
          <dd>{t("goLive.ask.separateWhat")}</dd>
        </div>
        <div>
          <dt className="strong">{t("goLive.ask.shared")}</dt>
          <dd>{t("goLive.ask.sharedWhat")}</dd>
        </div>
      </dl>
      <p className="soft">{t("goLive.ask.baskets")}</p>
      {readiness.underWay > 0 ? (
        <p>{t("goLive.ask.underWay", { number: format.number(readiness.underWay) })}</p>
      ) : null}
    </>
  );
}

interface SwitchEnds {
  readonly onSwitched: () => void;
  readonly onFailed: () => void;
}

function useSwitch({ onSwitched, onFailed }: SwitchEnds) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: putTillEnvironment,
    onSuccess: async () => {
      onSwitched();
      await queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
      await invalidateAnswers(queryClient, GOING_LIVE_ANSWERS);
    },
    onError: (error) => {
      onFailed();
      // The state has changed since the dialog opened. The list under the dialog shows the reason.
      if (hasErrorCode(error, "TILL_NOT_READY")) {
        void invalidateAnswers(queryClient, GOING_LIVE_ANSWERS);
      }
    },
  });
}

interface PilotCaps {
  readonly perSale: string;
  readonly perDay: string;
  readonly onPerSale: (text: string) => void;
  readonly onPerDay: (text: string) => void;
  /** In minor units of the shop's currency. Undefined while a field is empty. */
  readonly typed: { readonly mostPerSale: number; readonly mostPerDay: number } | undefined;
}

function usePilotCaps({ currencyDivisor, rate }: TillState): PilotCaps {
  const digits = fractionDigits(currencyDivisor);
  const usual = Math.ceil(USUAL_PER_SALE * Number(rate?.rate ?? 1));
  const [perSale, setPerSale] = useState(String(usual));
  const [perDay, setPerDay] = useState(String(usual * USUAL_SALES_A_DAY));
  const mostPerSale = parseAmount(perSale, currencyDivisor) ?? 0;
  const mostPerDay = parseAmount(perDay, currencyDivisor) ?? 0;
  return {
    perSale,
    perDay,
    onPerSale: (text) => setPerSale(amountText(text, digits)),
    onPerDay: (text) => setPerDay(amountText(text, digits)),
    typed: mostPerSale > 0 && mostPerDay > 0 ? { mostPerSale, mostPerDay } : undefined,
  };
}

interface PilotFieldsProps {
  readonly caps: PilotCaps;
  readonly currency: string;
}

function PilotFields({ caps, currency }: PilotFieldsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <p className="soft">{t("office.live.pilot.begin", { needed: format.number(NEEDED) })}</p>
      <div>
        <TextInput
          label={t("office.live.pilot.perSale", { currency })}
          inputMode="decimal"
          autoComplete="off"
          value={format.typedAmount(caps.perSale)}
          onChange={({ currentTarget }) => caps.onPerSale(currentTarget.value)}
        />
        <TextInput
          label={t("office.live.pilot.perDay", { currency })}
          inputMode="decimal"
          autoComplete="off"
          value={format.typedAmount(caps.perDay)}
          onChange={({ currentTarget }) => caps.onPerDay(currentTarget.value)}
        />
      </div>
    </>
  );
}

export function PilotSection({ state }: { readonly state: TillState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [isEnding, setEnding] = useState(false);
  const move = useMutation({
    mutationFn: movePilot,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
      await invalidateAnswers(queryClient, GOING_LIVE_ANSWERS);
    },
  });
  const { pilot, currency, currencyDivisor } = state;
  if (!pilot) {
    return null;
  }
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  const name = pilot.till || pilot.chosenBy;
  return (
    <section className={classes.card} aria-labelledby="live-pilot">
      <h2 id="live-pilot" className="ink size-body tracking-0">
        {t("office.live.pilot.title")}
      </h2>
      <p>
        {t("office.live.pilot.what", {
          sale: money(pilot.mostPerSale),
          day: money(pilot.mostPerDay),
          good: format.number(pilot.goodSales),
          needed: format.number(pilot.needed),
        })}{" "}
        {pilot.isHere ? t("office.live.pilot.isHere") : t("office.live.pilot.isThere", { name })}
      </p>
      <Trouble error={move.error} />
      <div className="row wrap justify-end gap-2 push-end">
        {pilot.isHere ? null : (
          <Button variant="default" loading={move.isPending} onClick={() => move.mutate()}>
            {t("office.live.pilot.here")}
          </Button>
        )}
        <Button variant="default" onClick={() => setEnding(true)}>
          {t("office.live.pilot.end")}
        </Button>
      </div>
      {isEnding ? <PilotEndDialog onClose={() => setEnding(false)} /> : null}
    </section>
  );
}

/** Asks for the owner's PIN. */
function PilotEndDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={onClose} title={t("office.live.pilot.end")}>
      <PilotEndForm onClose={onClose} />
    </Dialog>
  );
}

function PilotEndForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery());
  const [pin, setPin] = useState("");
  const end = useMutation({
    mutationFn: () => endPilot(pin),
    onSuccess: async () => {
      onClose();
      await queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
      await invalidateAnswers(queryClient, GOING_LIVE_ANSWERS);
    },
    onError: () => setPin(""),
  });
  const isTyped = pin.length >= SHORTEST_PIN;
  return (
    <Form
      className="stack gap-4"
      onSubmit={() => {
        if (isTyped && !end.isPending) {
          end.mutate();
        }
      }}
    >
      <p>{t("office.live.pilot.endWhat")}</p>
      <PinField
        data-autofocus
        label={t("goLive.ask.pin")}
        value={pin}
        onChange={({ currentTarget }) => setPin(readPin(currentTarget.value))}
        autoComplete="off"
      />
      {end.error ? <ApprovalTrouble error={end.error} person={session?.staff} /> : null}
      <FormButtons onCancel={onClose} loading={end.isPending} disabled={!isTyped}>
        {t("office.live.pilot.end")}
      </FormButtons>
    </Form>
  );
}
