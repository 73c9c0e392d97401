import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { staffOperations } from "../../../../server/contract/pos/staff-operations.ts";
import { Notice } from "../../../components/notice.tsx";
import { operationQuery } from "../../../lib/operation-query.ts";
import type { SettingsPlace } from "../settings-views.ts";
import classes from "./settings-screen.module.css";

/** The way to the staff and the audit trail, and why a second owner is worth having. */
export function PeopleView({ onPlace }: { readonly onPlace: (place: SettingsPlace) => void }) {
  const { t } = useTranslation();
  const staff = useQuery(operationQuery(staffOperations.list));
  const owners = staff.data?.list.filter(({ role, active }) => role === "owner" && active) ?? [];
  return (
    <>
      <p className={classes.hint}>{t("office.settings.people.intro")}</p>
      {owners.length === 1 ? (
        <Notice tone="wait">{t("office.settings.people.second")}</Notice>
      ) : null}
      <div className={classes.buttons}>
        <Button onClick={() => onPlace("/staff")}>{t("office.settings.people.open")}</Button>
        <Button variant="default" onClick={() => onPlace("/audit-trail")}>
          {t("audit.title")}
        </Button>
      </div>
    </>
  );
}
