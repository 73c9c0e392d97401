import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../../../components/key-cap.tsx";
import { letGo } from "../../../../../lib/rest-focus.ts";
import { useScreenCommand } from "../../../../../lib/screen-commands.ts";
import { favouritesQuery, nameOf } from "../../../api/favourite-queries.ts";
import stepClasses from "../../../ui/step.module.css";
import { NameEditor } from "./name-editor.tsx";

interface NameButtonProps {
  readonly number: string;
  readonly formatted: string;
  /** True if other numbers also have a button. The label then states the number. */
  readonly ofSeveral?: boolean;
}

/** Opens the name editor, as Alt+N does. */
export function NameButton({ number, formatted, ofSeveral = false }: NameButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(favouritesQuery());
  const name = nameOf(data?.list, number);
  useScreenCommand("name-number", () => setOpen(true), { enabled: !isOpen });
  if (isOpen) {
    return <NameEditor customer={{ number, formatted, name }} onDone={() => setOpen(false)} />;
  }
  const Icon = name === undefined ? IconStar : IconStarFilled;
  return (
    <button
      type="button"
      className={`${stepClasses.link} ${stepClasses.flush}`}
      title={name === undefined ? undefined : t("counter.favourites.rename", { name })}
      onClick={(event) => {
        letGo(event);
        setOpen(true);
      }}
    >
      <Icon size="1.25rem" aria-hidden="true" />
      <bdi>{name ?? t("counter.favourites.keep")}</bdi>
      {ofSeveral ? <bdi dir="ltr">{formatted}</bdi> : null} <KeyCap>Alt+N</KeyCap>
    </button>
  );
}
