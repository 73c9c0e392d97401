import { Radio, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FirstSaleOffer } from "../../../../server/contract/pos/till-environment.ts";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { FormButtons } from "../../../components/dialog/form-buttons.tsx";
import { Notice } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { latinDigits } from "../../../lib/direction.ts";
import { newId } from "../../../lib/new-id.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  firstSaleOffersQuery,
  GOING_LIVE_ANSWERS,
  makeFirstSale,
} from "../api/going-live-queries.ts";
import classes from "./going-live-screen.module.css";

const SHORTEST_PIN = 4;

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
    <form
      className="stack gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
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
        onChange={({ currentTarget }) =>
          setPin(latinDigits(currentTarget.value).replaceAll(/\D/g, ""))
        }
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
    </form>
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
