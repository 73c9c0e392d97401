import { ActionIcon } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import { groupOfFour, writePin } from "../lib/group-of-four.ts";
import classes from "./delivered-details.module.css";
import { QrCode } from "./qr-code.tsx";

type VoucherDetails = NonNullable<SaleLine["voucher"]>;
type EsimDetails = NonNullable<SaleLine["esim"]>;

const INSTALL_STEPS = ["wifi", "open", "scan", "roaming"] as const;

interface DeliveredLine {
  readonly details?: SaleLine["details"];
  readonly iccid?: string;
  readonly voucher?: Pick<VoucherDetails, "epin" | "serialNumber" | "redemptionUrl" | "accountId">;
  readonly esim?: Pick<EsimDetails, "qrContent" | "smdpAddress" | "activationCode" | "iccid">;
}

/**
 * Shows the delivered PIN or eSIM: without a printer, the clerk reads the PIN out, or the
 * customer's phone scans the eSIM. Empty for other lines.
 */
export function DeliveredDetails({
  line: { details, voucher, esim, iccid },
}: {
  readonly line: DeliveredLine;
}) {
  const { t } = useTranslation();
  if (details === "ERASED" || details === "UNREADABLE" || details === "MISSING") {
    return <p className={classes.details}>{t(`sale.reveal.${details}`)}</p>;
  }
  if (esim && iccid !== undefined) {
    return <p className={classes.details}>{t("sale.details.added", { last: iccid.slice(-4) })}</p>;
  }
  if (esim) {
    return (
      <div className={`${classes.details} ${classes.esim}`}>
        <div className={classes.scan}>
          <p className="strong">{t("sale.details.scan")}</p>
          <QrCode content={esim.qrContent} label={t("sale.details.scan")} className={classes.qr} />
        </div>
        <div className={classes.scan}>
          <p className="strong">{t("sale.details.onPhone")}</p>
          <ol className={classes.steps}>
            {INSTALL_STEPS.map((step) => (
              <li key={step}>{t(`sale.details.step.${step}`)}</li>
            ))}
          </ol>
          <p className="strong">{t("sale.details.byHand")}</p>
          <dl className="stack divided">
            <Code label={t("sale.details.smdp")} value={esim.smdpAddress} />
            <Code label={t("sale.details.activation")} value={esim.activationCode} />
            <Code label={t("sale.details.iccid")} value={groupOfFour(esim.iccid)} />
          </dl>
        </div>
      </div>
    );
  }
  if (!voucher) {
    return null;
  }
  const { epin, serialNumber, redemptionUrl, accountId } = voucher;
  if (epin + serialNumber + redemptionUrl + accountId === "") {
    return null;
  }
  return (
    <div className={classes.details}>
      {epin === "" ? null : (
        <p className={classes.pin}>
          <span className={classes.label}>{t("sale.details.pin")}</span>
          <bdi className="mono" dir="ltr">
            {writePin(epin)}
          </bdi>
        </p>
      )}
      <dl className="stack gap-2 hide-empty">
        <Fact label={t("sale.details.serial")} value={serialNumber} />
        <Fact label={t("sale.details.account")} value={accountId} />
        <Fact label={t("sale.details.redeemAt")} value={redemptionUrl} />
      </dl>
    </div>
  );
}

/** Typical details of each product: they reserve the space while a line is being sent. */
const USUAL: Partial<Record<SaleLine["productType"], DeliveredLine>> = {
  VOUCHER: {
    voucher: {
      epin: "0000000000000000",
      serialNumber: "0000000000",
      redemptionUrl: "",
      accountId: "",
    },
  },
  ESIM: {
    esim: {
      qrContent: "LPA:1$rsp.example.com$00000-00000-00000-00000",
      smdpAddress: "rsp.example.com",
      activationCode: "00000-00000-00000-00000",
      iccid: "0000000000000000000",
    },
  },
};

export function AwaitedDetails({ line }: { readonly line: SaleLine }) {
  const { productType, iccid } = line;
  // A plan for an existing eSIM shows one line instead of a code.
  const usual = iccid === undefined ? USUAL[productType] : { ...USUAL[productType], iccid };
  return usual ? (
    <div className={classes.awaited} aria-hidden="true">
      <DeliveredDetails line={usual} />
    </div>
  ) : null;
}

/** A code to type in. The button copies the code without the spaces between its groups. */
function Code({ label, value }: { readonly label: string; readonly value: string }) {
  const { t } = useTranslation();
  const clipboard = useClipboard();
  return value === "" ? null : (
    <div className={classes.code}>
      <dt className={classes.label}>{label}</dt>
      <dd className="row justify-between gap-2 touch medium break-anywhere">
        <bdi className="min-w-0 mono" dir="ltr">
          {value}
        </bdi>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="var(--touch)"
          aria-label={t(clipboard.copied ? "sale.details.copied" : "sale.details.copy", { label })}
          onClick={() => clipboard.copy(value.replaceAll(" ", ""))}
        >
          {clipboard.copied ? (
            <IconCheck size="1.25rem" aria-hidden="true" />
          ) : (
            <IconCopy size="1.25rem" aria-hidden="true" />
          )}
        </ActionIcon>
      </dd>
    </div>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return value === "" ? null : (
    <div>
      <dt className={classes.label}>{label}</dt>
      <dd className="medium break-anywhere">
        <bdi dir="ltr">{value}</bdi>
      </dd>
    </div>
  );
}
