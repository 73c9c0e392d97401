import { Button, Skeleton } from "@mantine/core";
import { IconHistory, IconUserPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { StaffMember } from "../../../../server/contract/pos/staff.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { changeStaff, staffQuery } from "../api/staff-queries.ts";
import { AddStaffDialog } from "./add-staff-dialog.tsx";
import { IdleLockSetting } from "./idle-lock-setting.tsx";
import { ResetPinDialog } from "./reset-pin-dialog.tsx";
import { RightsDialog } from "./rights-dialog.tsx";
import { StaffRow } from "./staff-row.tsx";
import classes from "./staff-screen.module.css";

interface StaffScreenProps {
  readonly ownStaffId: string;
  readonly onTrail: () => void;
}

/** Who may sell here; for the owner. */
export function StaffScreen({ ownStaffId, onTrail }: StaffScreenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const staff = useQuery(staffQuery());
  const [isAdding, setIsAdding] = useState(false);
  const [pinFor, setPinFor] = useState<StaffMember>();
  const [rightsOf, setRightsOf] = useState<StaffMember>();
  const { data: unit } = useQuery(statusQuery());
  const refresh = () => queryClient.invalidateQueries({ queryKey: staffQuery().queryKey });
  const activate = useMutation({ mutationFn: changeStaff, onSuccess: refresh });

  return (
    <main className={classes.screen}>
      <div className={classes.card}>
        <div className={classes.head}>
          <div>
            <h1 className={classes.title}>{t("staff.title")}</h1>
            <p className={classes.intro}>{t("staff.intro")}</p>
          </div>
          <Button
            variant="default"
            className={classes.trail}
            leftSection={<IconHistory size="1.25rem" aria-hidden="true" />}
            onClick={onTrail}
          >
            {t("audit.title")}
          </Button>
          <Button
            leftSection={<IconUserPlus size="1.25rem" aria-hidden="true" />}
            onClick={() => setIsAdding(true)}
          >
            {t("staff.add")}
          </Button>
        </div>
        {activate.error ? <ErrorNotice words={errorWords(activate.error, t, format)} /> : null}
        <QueryTrouble query={staff} />
        {staff.isPending && !troubleOf(staff) ? <LoadingStaff /> : null}
        {staff.data ? (
          <ul className={classes.list} aria-label={t("staff.list")}>
            {staff.data.list.map((member) => (
              <StaffRow
                key={member.staffId}
                member={member}
                isSelf={member.staffId === ownStaffId}
                busy={activate.isPending}
                onRights={() => setRightsOf(member)}
                onResetPin={() => setPinFor(member)}
                onActive={(active) =>
                  activate.mutate({ staffId: member.staffId, change: { active } })
                }
              />
            ))}
          </ul>
        ) : null}
        <IdleLockSetting />
      </div>
      <AddStaffDialog opened={isAdding} onClose={() => setIsAdding(false)} onAdded={refresh} />
      {rightsOf && unit ? (
        <RightsDialog
          member={rightsOf}
          isSelf={rightsOf.staffId === ownStaffId}
          unit={unit}
          onClose={() => setRightsOf(undefined)}
          onSaved={refresh}
        />
      ) : null}
      <ResetPinDialog member={pinFor} onClose={() => setPinFor(undefined)} />
    </main>
  );
}

function LoadingStaff() {
  const { t } = useTranslation();
  return (
    <div className={classes.list} role="status" aria-busy="true" aria-label={t("common.loading")}>
      <Skeleton height="4rem" radius="md" />
      <Skeleton height="4rem" radius="md" />
    </div>
  );
}
