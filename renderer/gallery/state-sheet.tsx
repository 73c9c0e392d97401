import { PasswordInput, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AmountField } from "../components/amount-field.tsx";
import { ChangeBox } from "../components/change-box.tsx";
import { FitText } from "../components/fit-text.tsx";
import { KeyCap } from "../components/key-cap.tsx";
import { Notice } from "../components/notice.tsx";
import { OutcomeBadge } from "../components/outcome-badge.tsx";
import { QrCode } from "../components/qr-code.tsx";
import { ViewTabs } from "../components/view-tabs.tsx";
import { WorksIn } from "../components/works-in.tsx";
import classes from "./gallery.module.css";
import { Sheet } from "./gallery-sheet.tsx";

const OUTCOMES = ["SENDING", "STILL_SENDING", "DELIVERED", "NOT_DELIVERED"] as const;
const AREA = { regions: ["Europe"], countries: ["ES", "FR", "PT", "IT"] };

export function StateSheet() {
  const { t } = useTranslation();
  const next = t("sale.total");
  return (
    <>
      <Sheet name="Keys">
        <span>
          <KeyCap>F1</KeyCap> <KeyCap>Enter</KeyCap> <KeyCap>3</KeyCap>
        </span>
      </Sheet>
      <Sheet name="Fields">
        <Fields />
      </Sheet>
      <Sheet name="Notices">
        {(["info", "wait", "bad", "offline", "stop"] as const).map((tone) => (
          <Notice key={tone} tone={tone}>
            {next}
          </Notice>
        ))}
      </Sheet>
      <Sheet name="Outcomes">
        {OUTCOMES.map((outcome) => (
          <span key={outcome} className={classes.pair}>
            <OutcomeBadge outcome={outcome} size="large" />
            <OutcomeBadge outcome={outcome} />
            <OutcomeBadge outcome={outcome} of={[{ productType: "BILL_PAY" }]} />
          </span>
        ))}
        <OutcomeBadge outcome="NOT_DELIVERED" of={[{ productType: "ESIM", canceled: true }]} />
      </Sheet>
      <Sheet name="Change">
        {(["plain", "short", "absurd"] as const).map((tone) => (
          <ChangeBox key={tone} label={t("sale.change")} amount="Q 73.65" tone={tone} isSilent />
        ))}
        <span className={classes.narrow}>
          <FitText>+502 5123 4567</FitText>
        </span>
        <QrCode content="LPA:1$smdp.example$CODE" label="QR" className={classes.code} />
        <WorksIn area={AREA} />
      </Sheet>
    </>
  );
}

function Fields() {
  const { t } = useTranslation();
  const [text, setText] = useState("100");
  const [view, setView] = useState<"a" | "b">("a");
  const label = t("setup.shopName");
  return (
    <>
      <TextInput label={label} placeholder="Tienda Sol" />
      <TextInput label={label} error={t("setup.required")} />
      <TextInput label={label} disabled value="Tienda Sol" readOnly />
      <PasswordInput label="PIN" value="1234" readOnly />
      <Select label={label} data={["A", "B"]} defaultValue="A" />
      <AmountField label={t("sale.total")} text={text} currencyDivisor={100} onText={setText} />
      <ViewTabs
        label={label}
        views={[
          { value: "a", label },
          { value: "b", label: t("sale.total") },
        ]}
        view={view}
        onView={setView}
      />
    </>
  );
}
