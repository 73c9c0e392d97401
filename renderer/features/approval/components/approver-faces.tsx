import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { StaffName } from "../../../../server/contract/pos/staff.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { findByKey } from "../../../lib/find-by-key.ts";
import { initialsOf } from "../../../lib/initials.ts";
import { meaningOf } from "../../../lib/key-edge.ts";
import { signOf } from "../../../lib/key-meaning.ts";
import classes from "./approval-dialog.module.css";

interface ApproverFacesProps {
  readonly people: readonly StaffName[];
  readonly chosen: string | undefined;
  readonly onChoose: (staffId: string) => void;
}

/** The people who could approve: a digit, the first letter or a finger chooses. */
export function ApproverFaces({ people, chosen, onChoose }: ApproverFacesProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLFieldSetElement>(null);
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  return (
    <fieldset
      ref={list}
      className={classes.faces}
      aria-label={t("approval.who")}
      onKeyDown={(event) => {
        const key = signOf(meaningOf(event.nativeEvent));
        const found = key === undefined ? undefined : findByKey(people, key, chosen);
        if (found) {
          event.preventDefault();
          onChoose(found.staffId);
        }
      }}
    >
      {people.map(({ staffId, name }, index) => (
        <button
          key={staffId}
          type="button"
          data-autofocus={index === 0 ? true : undefined}
          aria-pressed={staffId === chosen}
          className={classes.face}
          onClick={() => onChoose(staffId)}
        >
          <span className={classes.initials} aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className={classes.name}>{name}</span>
          {index < 9 ? <KeyCap>{index + 1}</KeyCap> : null}
        </button>
      ))}
    </fieldset>
  );
}
