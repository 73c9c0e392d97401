import { Skeleton } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { CatalogRow } from "../../../../server/contract/pos/office-catalog.ts";
import classes from "./catalog-screen.module.css";
import { OfferRow } from "./offer-row.tsx";

const ROW_PX = 76;
/** So many rows before the end of what is loaded the next page is asked for. */
const ROWS_AHEAD = 40;

interface OfferListProps {
  readonly rows: readonly CatalogRow[];
  readonly total: number;
  readonly isLoading: boolean;
  /** The end of what is loaded is near. */
  readonly onNear: () => void;
  readonly onSwitch: (row: CatalogRow, enabled: boolean) => void;
  readonly onPin: (row: CatalogRow) => void;
}

/** As many rows as are seen, of however many there are. */
export function OfferList({ rows, total, isLoading, onNear, onSwitch, onPin }: OfferListProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- this component is not memoized, and is cheap
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.offerId ?? index,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isNear = rows.length < total && last >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNear) onNear();
  }, [isNear, onNear]);
  if (isLoading) return <Loading />;
  if (rows.length === 0) return <p className={classes.empty}>{t("office.catalog.none")}</p>;
  return (
    <div ref={box} className={classes.box}>
      <ul className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          return row ? (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={classes.place}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={total}
              aria-posinset={index + 1}
            >
              <OfferRow row={row} onSwitch={onSwitch} onPin={onPin} />
            </li>
          ) : null;
        })}
      </ul>
    </div>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div
      className={classes.loading}
      role="status"
      aria-busy="true"
      aria-label={t("common.loading")}
    >
      <Skeleton height="4rem" radius="md" />
      <Skeleton height="4rem" radius="md" />
      <Skeleton height="4rem" radius="md" />
    </div>
  );
}
