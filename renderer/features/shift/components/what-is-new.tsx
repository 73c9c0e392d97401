import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import { WhatIsNewList } from "../../../components/what-is-new-list.tsx";
import { sessionQuery, statusQuery } from "../../../lib/pos-queries.ts";
import {
  compareVersions,
  noteSeen,
  seenVersion,
  whatIsNewQuery,
} from "../../../lib/what-is-new.ts";
import classes from "./what-is-new.module.css";

/**
 * After an update, once for each person and device: what it brought, below the form that opens a shift. An
 * update comes while none is open, so this is where everybody passes, and no sale is near.
 */
export function WhatIsNew() {
  const { data: session } = useQuery(sessionQuery());
  const { data: status } = useQuery(statusQuery());
  return session && status ? (
    <News key={session.staff.staffId} staffId={session.staff.staffId} version={status.version} />
  ) : null;
}

interface NewsProps {
  readonly staffId: string;
  readonly version: string;
}

function News({ staffId, version }: NewsProps) {
  const { t, i18n } = useTranslation();
  const [seen, setSeen] = useState(() => {
    const known = seenVersion(staffId);
    // To a person who begins here, nothing is new.
    if (known === undefined) noteSeen(staffId, version);
    return known ?? version;
  });
  const { data = [] } = useQuery({
    ...whatIsNewQuery(i18n.language),
    enabled: compareVersions(seen, version) < 0,
  });
  const versions = data.filter(
    (one) => compareVersions(seen, one.version) < 0 && compareVersions(one.version, version) <= 0,
  );
  if (versions.length === 0 || compareVersions(seen, version) >= 0) {
    return null;
  }
  return (
    <Notice tone="info">
      <div className={classes.news}>
        <WhatIsNewList versions={versions} />
        <Button
          variant="default"
          className={classes.close ?? ""}
          onClick={() => {
            noteSeen(staffId, version);
            setSeen(version);
          }}
        >
          {t("shift.whatIsNew.close")}
        </Button>
      </div>
    </Notice>
  );
}
