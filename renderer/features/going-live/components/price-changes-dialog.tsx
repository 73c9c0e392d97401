import { Button, Skeleton } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { LivePriceChanges } from "../../../../server/contract/pos/till-environment.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { confirmSeen, GOING_LIVE_ANSWERS, priceChangesQuery } from "../api/going-live-queries.ts";
import classes from "./going-live-screen.module.css";

export function PriceChangesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data, error } = useQuery(priceChangesQuery());
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
