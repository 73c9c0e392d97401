import { Button } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RecoveryKit } from "../../server/contract/pos/backups.ts";
import { DOTS_PER_MM, printedModuleDots, qrPath } from "../lib/qr-matrix.ts";
import { useFormat } from "../lib/use-format.ts";
import { Notice } from "./notice.tsx";
import classes from "./recovery-sheet.module.css";

const A4 = { paperWidthMm: 210, paperHeightMm: 297 } as const;

interface RecoverySheetProps {
  readonly kit: RecoveryKit;
  readonly shopName: string;
}

/** The recovery phrase as numbered words and a QR code. Shown once, to be printed. */
export function RecoverySheet({ kit, shopName }: RecoverySheetProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { phrase, madeAt } = kit;
  return (
    <>
      <Notice tone="wait" loud>
        {t("recovery.once")}
      </Notice>
      <section className={classes.sheet} aria-label={t("recovery.title")} data-recovery-sheet>
        <h2 className="size-heading">{t("recovery.title")}</h2>
        <p>
          <bdi>{shopName}</bdi> · <bdi>{format.date(madeAt)}</bdi> ·{" "}
          <bdi>{format.time(madeAt)}</bdi>
        </p>
        <p>{t("recovery.use", { open: t("restore.open") })}</p>
        <ol className={classes.words} dir="ltr" lang="en" data-secret>
          {phrase.split(" ").map((word, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice, so only its position identifies it.
            <li key={position}>{word}</li>
          ))}
        </ol>
        <SheetCode content={phrase} label={t("recovery.qr")} />
        <p>{t("recovery.keep")}</p>
      </section>
      <Button
        leftSection={<IconPrinter size="1.25rem" aria-hidden="true" />}
        onClick={() => void printSheet()}
      >
        {t("recovery.print")}
      </Button>
    </>
  );
}

const CODE_MM = 50;

/**
 * Draws a whole number of dots per module, as on a receipt, because any printer may print the
 * sheet.
 */
function SheetCode({ content, label }: { readonly content: string; readonly label: string }) {
  const { path, size } = qrPath(content);
  const width = `${(size * printedModuleDots(size, CODE_MM)) / DOTS_PER_MM}mm`;
  return (
    <svg
      role="img"
      aria-label={label}
      data-qr
      style={{ width, height: width }}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

async function printSheet(): Promise<void> {
  if (window.tillgate === undefined) {
    window.print();
  } else {
    await window.tillgate.print(A4);
  }
}
