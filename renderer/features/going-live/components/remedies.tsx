import { Button, Radio, Skeleton, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { use, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type CheckedForLive,
  type FirstSaleOffer,
  type LivePriceChanges,
  type OwnerConfirmation,
  tillEnvironmentOperations,
} from "../../../../server/contract/pos/till-environment.ts";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form, FormButtons } from "../../../components/form.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { latinDigits } from "../../../lib/direction.ts";
import { newId } from "../../../lib/new-id.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { readPin, SHORTEST_PIN } from "../../../lib/pin.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";
import { PrintContext } from "../../../lib/print-context.ts";
import { printTroubleWords } from "../../../lib/print-error.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  confirmSeen,
  firstSaleOffersQuery,
  GOING_LIVE_ANSWERS,
  makeFirstSale,
  tillStateQuery,
  tryBackup,
} from "../api/going-live-queries.ts";
import { type Remedy, type RemedyScreen, type RemedySection, remediesOf } from "../remedies.ts";
import classes from "./going-live-screen.module.css";

export interface Remedies {
  readonly onScreen: (to: RemedyScreen) => void;
  readonly onSection: (section: RemedySection, view: string | undefined) => void;
  readonly onGateway: () => void;
  readonly onPrices: () => void;
  readonly onFirstSale: () => void;
}

const SCREEN_NAMES = {
  "/": "office.live.counter",
  "/shift": "nav.shift",
  "/printing": "nav.printing",
} as const;

interface RemedyButtonsProps extends Remedies {
  readonly check: CheckedForLive;
  /** True if the first button is the page's primary button. */
  readonly isNext: boolean;
}

type Variant = "filled" | "default";

export function RemedyButtons({ check, isNext, ...on }: RemedyButtonsProps) {
  const remedies = remediesOf(check);
  return remedies.length === 0 ? null : (
    <div className="row wrap justify-end gap-2 push-end">
      {remedies.map((remedy, index) => (
        <RemedyButton
          key={remedy.kind}
          remedy={remedy}
          variant={isNext && index === 0 ? "filled" : "default"}
          {...on}
        />
      ))}
    </div>
  );
}

interface RemedyButtonProps extends Remedies {
  readonly remedy: Remedy;
  readonly variant: Variant;
}

function RemedyButton({ remedy, variant, ...on }: RemedyButtonProps) {
  const { t } = useTranslation();
  const lead = (words: string, onClick: () => void) => (
    <Button variant={variant} onClick={onClick}>
      {words}
    </Button>
  );
  const opens = (screen: string, onClick: () => void) =>
    lead(t("goLive.checks.open", { screen }), onClick);
  switch (remedy.kind) {
    case "screen":
      return opens(t(SCREEN_NAMES[remedy.to]), () => on.onScreen(remedy.to));
    case "office":
      return opens(t(`office.frame.section.${remedy.section}`), () =>
        on.onSection(remedy.section, remedy.view),
      );
    case "gateway":
      return opens(t("office.live.views.gateway"), on.onGateway);
    case "prices":
      return lead(t("office.live.prices.see"), on.onPrices);
    case "first-sale":
      return lead(t("office.live.first.make"), on.onFirstSale);
    case "backup":
      return <BackupButton variant={variant} />;
    case "test-receipt":
      return <TestReceiptButton variant={variant} />;
    case "confirm":
      return <ConfirmButton what={remedy.what} variant={variant} />;
  }
}

interface ConfirmButtonProps {
  readonly what: OwnerConfirmation;
  readonly variant: Variant;
}

function ConfirmButton({ what, variant }: ConfirmButtonProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => confirmSeen(what),
    onSuccess: () => invalidateAnswers(queryClient, GOING_LIVE_ANSWERS),
  });
  return (
    <>
      <Button variant={variant} loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {t(`office.live.confirm.${what}`)}
      </Button>
      <Trouble error={confirm.error} />
    </>
  );
}

function BackupButton({ variant }: { readonly variant: Variant }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data } = useQuery(tillStateQuery());
  const begin = useMutation({
    mutationFn: tryBackup,
    onSuccess: () => invalidateAnswers(queryClient, GOING_LIVE_ANSWERS),
  });
  const trial = data?.backupTrial;
  return (
    <>
      <Button
        variant={variant}
        loading={begin.isPending || trial?.state === "RUNNING"}
        onClick={() => begin.mutate()}
      >
        {t("office.live.backup.try")}
      </Button>
      {trial?.failure === undefined ? null : (
        <p role="alert">
          {t("office.live.backup.failed")}{" "}
          <small lang="en" dir="ltr">
            {trial.failure}
          </small>
        </p>
      )}
      <Trouble error={begin.error} />
    </>
  );
}

function TestReceiptButton({ variant }: { readonly variant: Variant }) {
  const { t } = useTranslation();
  const { printTestReceipt } = use(PrintContext);
  const print = useMutation({ mutationFn: printTestReceipt });
  return (
    <>
      <Button variant={variant} loading={print.isPending} onClick={() => print.mutate()}>
        {t("office.live.testReceipt.print")}
      </Button>
      {print.error ? <p role="alert">{printTroubleWords(print.error, t)}</p> : null}
    </>
  );
}

export function PriceChangesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data, error } = useQuery(operationQuery(tillEnvironmentOperations.listPriceChanges));
  const seen = useMutation({
    mutationFn: () => confirmSeen("PRICES_SEEN"),
    onSuccess: async () => {
      onClose();
      await invalidateAnswers(queryClient, GOING_LIVE_ANSWERS);
    },
  });
  const fault = error ?? seen.error;
  return (
    <Dialog opened onClose={onClose} title={t("office.live.prices.title")} size="lg">
      <div className="stack gap-4">
        {data ? <Changes changes={data} /> : null}
        {!data && !error ? <Skeleton height="12rem" radius="md" /> : null}
        <Trouble error={fault} />
        <div className="flex wrap justify-end gap-3">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button disabled={!data} loading={seen.isPending} onClick={() => seen.mutate()}>
            {t("office.live.confirm.PRICES_SEEN")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Changes({ changes }: { readonly changes: LivePriceChanges }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency, currencyDivisor, offers, changed, largest } = changes;
  const money = (minor = 0) => format.money(minor, currency, currencyDivisor);
  return (
    <>
      <p>
        {t("office.live.prices.what", {
          changed: format.number(changed),
          offers: format.number(offers),
        })}
      </p>
      {largest.length === 0 ? null : (
        <ul>
          {largest.map((change) => (
            <li key={change.offerId} className={classes.sale}>
              <span className={classes.words}>
                <bdi>
                  {change.brandName} {change.title}
                </bdi>
                <span className={classes.small}>
                  {t("office.live.prices.suggested", { amount: money(change.old) })}
                </span>
              </span>
              <strong>{money(change.new)}</strong>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Sells the cheapest offer to the owner's own number, paid from the live wallet. */
export function FirstSaleDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={onClose} title={t("office.live.first.title")} size="lg">
      <FirstSaleForm onClose={onClose} />
    </Dialog>
  );
}

function FirstSaleForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery());
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string>();
  const [pin, setPin] = useState("");
  // A repeat after a lost response sends the same id, so that there is only one sale.
  const [transactionId] = useState(newId);
  const number = toE164(typed);
  const offers = useQuery(firstSaleOffersQuery(number));
  const list = offers.data?.list ?? [];
  const offerId = list.find((offer) => offer.offerId === chosen)?.offerId ?? list[0]?.offerId;
  const sale = useMutation({
    mutationFn: makeFirstSale,
    onSuccess: async () => {
      onClose();
      await invalidateAnswers(queryClient, GOING_LIVE_ANSWERS);
    },
    onError: () => setPin(""),
  });
  return (
    <Form
      className="stack gap-4"
      onSubmit={() => {
        if (offerId !== undefined && pin.length >= SHORTEST_PIN && !sale.isPending) {
          sale.mutate({ transactionId, offerId, recipientPhoneNumber: number, pin });
        }
      }}
    >
      <p>{t("office.live.first.what")}</p>
      <NumberField
        value={typed}
        onChange={(text) => {
          sale.reset();
          setTyped(text);
        }}
      />
      {offers.data && list.length === 0 ? (
        <Notice tone="wait">{t("office.live.first.noOffer")}</Notice>
      ) : null}
      {list.length === 0 ? null : <OfferChoice list={list} chosen={offerId} onChoose={setChosen} />}
      <PinField
        label={t("goLive.ask.pin")}
        value={pin}
        onChange={({ currentTarget }) => setPin(readPin(currentTarget.value))}
        autoComplete="off"
      />
      {sale.error ? <ApprovalTrouble error={sale.error} person={session?.staff} /> : null}
      <FormButtons
        onCancel={onClose}
        loading={sale.isPending}
        disabled={offerId === undefined || pin.length < SHORTEST_PIN}
      >
        {t("office.live.first.send")}
      </FormButtons>
    </Form>
  );
}

interface NumberFieldProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function NumberField({ value, onChange }: NumberFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      data-autofocus
      type="tel"
      label={t("office.live.first.number")}
      description={t("office.live.first.numberHint")}
      autoComplete="off"
      dir="ltr"
      maxLength={24}
      value={value}
      onChange={({ currentTarget }) => onChange(latinDigits(currentTarget.value))}
    />
  );
}

interface OfferChoiceProps {
  readonly list: readonly FirstSaleOffer[];
  readonly chosen: string | undefined;
  readonly onChoose: (offerId: string) => void;
}

function OfferChoice({ list, chosen, onChoose }: OfferChoiceProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Radio.Group
      label={t("office.live.first.offer")}
      value={chosen ?? null}
      onChange={onChoose}
      className={classes.offers ?? ""}
    >
      {list.map(({ offerId, brandName, title, cost, currency, currencyDivisor }) => (
        <Radio
          key={offerId}
          className="tick"
          value={offerId}
          label={
            <>
              <bdi>
                {brandName} {title}
              </bdi>
              {" · "}
              {format.money(cost, currency, currencyDivisor)}
            </>
          }
        />
      ))}
    </Radio.Group>
  );
}

/** A leading 00 is read as the plus sign. */
function toE164(typed: string): string {
  const digits = typed.replaceAll(/\D/g, "").replace(/^00/, "");
  return digits === "" ? "" : `+${digits}`;
}
