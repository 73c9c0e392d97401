import { Button } from "@mantine/core";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { storageOperations } from "../../server/contract/pos/storage.ts";
import { Notice } from "../components/notice.tsx";
import { call } from "../lib/api-client.ts";
import { operationQuery } from "../lib/operation-query.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./shell.module.css";

const ASK_EVERY_MS = 30_000;

function storageQuery() {
  return queryOptions({
    ...operationQuery(storageOperations.get),
    refetchInterval: ASK_EVERY_MS,
  });
}

/**
 * Reports failures of the database, so that no clerk takes money for a sale that cannot be stored.
 */
export function StorageNotices() {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data } = useQuery(storageQuery());
  const seen = useMutation({
    mutationFn: () => call(storageOperations.settleMissing),
    onSuccess: (answer) => queryClient.setQueryData(storageQuery().queryKey, answer),
  });
  if (!data) {
    return null;
  }
  const { fault, missing, booksBroken } = data;
  return (
    <>
      {fault ? (
        <div className={classes.notice}>
          <Notice tone="stop" loud>
            <strong>{t("app.storage.stopped")}</strong> {t(`app.storage.fault.${fault}`)}
          </Notice>
        </div>
      ) : null}
      {missing ? (
        <div className={classes.notice}>
          <Notice tone="bad" loud>
            <strong>
              {missing.transactions > 0
                ? t("app.storage.missing", { count: missing.transactions })
                : t("app.storage.missingSomething")}
            </strong>{" "}
            {t("app.storage.missingWhen", {
              since: format.moment(missing.since),
              until: format.moment(missing.until),
            })}{" "}
            <Button variant="default" loading={seen.isPending} onClick={() => seen.mutate()}>
              {t("app.storage.seen")}
            </Button>
          </Notice>
        </div>
      ) : null}
      {booksBroken ? (
        <div className={classes.notice}>
          <Notice tone="bad" loud>
            <strong>{t("app.storage.books")}</strong>{" "}
            {t("app.storage.booksNext", { time: format.moment(booksBroken.foundAt) })}
          </Notice>
        </div>
      ) : null}
    </>
  );
}
