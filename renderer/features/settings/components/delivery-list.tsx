import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { webhookOperations } from "../../../../server/contract/pos/webhook-operations.ts";
import type { WebhookDelivery } from "../../../../server/contract/pos/webhooks.ts";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { deliveriesQuery } from "../api/settings-queries.ts";
import classes from "./settings-screen.module.css";
import { Trouble } from "./trouble.tsx";
import { kindWords } from "./webhook-words.ts";

/** The newest deliveries, each with its last answer. */
export function DeliveryList() {
  const { t } = useTranslation();
  const deliveries = useQuery(deliveriesQuery());
  return (
    <>
      <h3 className={classes.name}>{t("office.settings.hooks.deliveries")}</h3>
      <QueryTrouble query={deliveries} />
      {deliveries.data?.list.length === 0 ? <p>{t("office.settings.hooks.noDeliveries")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.settings.hooks.deliveries")}>
        {deliveries.data?.list.map((delivery) => (
          <DeliveryRow key={delivery.deliveryId} delivery={delivery} />
        ))}
      </ul>
    </>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { deliveryId, transactionId, environment, kind, state, attempts, createdAt } = delivery;
  const last = attempts.at(-1);
  const resend = useMutation({
    mutationFn: () => call(webhookOperations.resend, { params: { deliveryId } }),
    onSuccess: () => invalidateAnswers(queryClient, [webhookOperations.listDeliveries]),
  });
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        <bdi className={classes.name} dir="ltr">
          {transactionId}
        </bdi>
        <span className={classes.small}>
          {t(`office.settings.hooks.state.${state}`)} · {t(`office.settings.env.${environment}`)} ·{" "}
          {kindWords(kind, t)} · {format.moment(createdAt)} ·{" "}
          {t("office.settings.hooks.attempts", { number: attempts.length })}
        </span>
        {last ? (
          <bdi className={classes.small}>
            {last.status ?? ""} {last.error ?? last.answer?.slice(0, 200) ?? ""}
          </bdi>
        ) : null}
      </span>
      <Button
        variant="default"
        loading={resend.isPending}
        aria-label={t("office.settings.hooks.resendFor", { id: transactionId })}
        onClick={() => resend.mutate()}
      >
        {t("office.settings.hooks.resend")}
      </Button>
      <Trouble error={resend.error} />
    </li>
  );
}
