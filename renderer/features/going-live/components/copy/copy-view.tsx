import { SegmentedControl, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../../server/contract/common.ts";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { differencesQuery } from "../../api/copy-queries.ts";
import classes from "./copy.module.css";
import { DifferenceList } from "./difference-list.tsx";

const WAYS = ["test", "live"] as const satisfies readonly Environment[];

/** Test beside live: what is one and the same, what is never copied, and what differs, line by line. */
export function CopyView() {
  const { t } = useTranslation();
  const [from, setFrom] = useState<Environment>("test");
  const differences = useQuery(differencesQuery(from));
  return (
    <>
      <dl className={classes.parts}>
        <div>
          <dt>{t("office.live.copy.same")}</dt>
          <dd>{t("office.live.copy.sameWhat")}</dd>
        </div>
        <div>
          <dt>{t("office.live.copy.apart")}</dt>
          <dd>{t("office.live.copy.apartWhat")}</dd>
        </div>
      </dl>
      <section className={classes.section} aria-labelledby="live-differences">
        <div className={classes.head}>
          <h2 id="live-differences" className={classes.legend}>
            {t("office.live.copy.title")}
          </h2>
          <SegmentedControl<Environment>
            classNames={{ root: classes.way ?? "", label: classes.wayName ?? "" }}
            aria-label={t("office.live.copy.way")}
            data={WAYS.map((value) => ({ value, label: t(`office.live.copy.from.${value}`) }))}
            value={from}
            onChange={setFrom}
          />
        </div>
        <QueryTrouble query={differences} />
        {differences.isPending && !troubleOf(differences) ? (
          <div role="status" aria-busy="true" aria-label={t("common.loading")}>
            <Skeleton height="3.5rem" radius="md" />
          </div>
        ) : null}
        {differences.data ? (
          <DifferenceList key={differences.data.from} differences={differences.data} />
        ) : null}
      </section>
    </>
  );
}
