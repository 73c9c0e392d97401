import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useScreenCommand } from "../../../../../lib/screen-commands.ts";
import { favouritesQuery, nameOf } from "../../../api/favourite-queries.ts";
import { LinkButton } from "../../../ui/link-button.tsx";
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
    <LinkButton
      icon={<Icon size="1.25rem" aria-hidden="true" />}
      shortcut="Alt+N"
      flush
      title={name === undefined ? undefined : t("counter.favourites.rename", { name })}
      onPress={() => setOpen(true)}
    >
      <bdi>{name ?? t("counter.favourites.keep")}</bdi>
      {ofSeveral ? <bdi dir="ltr">{formatted}</bdi> : null}
    </LinkButton>
  );
}
