import { Button } from "@mantine/core";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SaleLink } from "../../electron/ipc/ipc-map.ts";
import { type Sale, saleOperations } from "../../server/contract/pos/sales.ts";
import { Notice } from "../components/notice.tsx";
import { call } from "../lib/api-client.ts";
import { newId } from "../lib/new-id.ts";
import { saleQuery } from "../lib/pos-queries.ts";
import classes from "./shell.module.css";

/**
 * Opens the sale of a link in the desktop program, after sign-in if the link arrived earlier. Shows
 * a notice if the sale does not exist or the person may not see it.
 */
export function SaleLinkNotice() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [missing, setMissing] = useState<SaleLink>();
  useEffect(() => {
    async function open(link: SaleLink): Promise<void> {
      const sale = await findSale(queryClient, link);
      setMissing(sale === undefined ? link : undefined);
      if (sale) {
        const { saleId } = sale;
        await navigate({ to: "/today", search: { sale: saleId }, state: { visit: newId() } });
      }
    }
    return globalThis.window.tillgate?.onLink?.((link) => void open(link));
  }, [queryClient, navigate]);
  if (missing === undefined) {
    return null;
  }
  return (
    <div className={classes.notice}>
      <Notice tone="wait" loud>
        {t("app.link.missing", { sale: missing.number ?? missing.saleId })}{" "}
        <Button variant="default" onClick={() => setMissing(undefined)}>
          {t("app.link.close")}
        </Button>
      </Notice>
    </div>
  );
}

/**
 * Returns undefined for both a missing and a forbidden sale, so that the result does not reveal
 * which sales exist.
 */
async function findSale(
  queryClient: QueryClient,
  { number, saleId }: SaleLink,
): Promise<Sale | undefined> {
  try {
    if (saleId !== undefined) {
      return await queryClient.fetchQuery({ ...saleQuery(saleId), retry: false });
    }
    const { list } = await call(saleOperations.find, { query: { typed: String(number) } });
    return list.find(({ saleNumber }) => String(saleNumber) === number);
  } catch {
    return undefined;
  }
}
