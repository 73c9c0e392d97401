import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  favouriteOperations,
  LONGEST_FAVOURITE_NAME,
} from "../../../../../../server/contract/pos/favourites.ts";
import { KeyCap } from "../../../../../components/key-cap.tsx";
import { ErrorNotice } from "../../../../../components/notice.tsx";
import { call } from "../../../../../lib/api-client.ts";
import { errorWords } from "../../../../../lib/error-words.ts";
import { restFocus } from "../../../../../lib/rest-focus.ts";
import { useFormat } from "../../../../../lib/use-format.ts";
import { putFavourites } from "../../../api/favourite-queries.ts";
import classes from "./name-editor.module.css";

export interface NamedNumber {
  /** E.164. */
  readonly number: string;
  readonly formatted: string;
  readonly name?: string | undefined;
}

interface NameEditorProps {
  readonly customer: NamedNumber;
  readonly onDone: () => void;
}

export function NameEditor({ customer, onDone }: NameEditorProps) {
  const { number, formatted, name } = customer;
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const queryClient = useQueryClient();
  const [text, setText] = useState(name ?? "");
  const change = useMutation({
    mutationFn: (wanted: string) =>
      wanted === ""
        ? call(favouriteOperations.remove, { params: { number } })
        : call(favouriteOperations.save, { params: { number }, body: { name: wanted } }),
    onSuccess: (all) => {
      putFavourites(queryClient, all);
      done();
    },
  });

  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  function done() {
    onDone();
    restFocus();
  }

  function save() {
    if (text.trim() !== "" && !change.isPending) {
      change.mutate(text.trim());
    }
  }

  return (
    <form
      className={classes.editor}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          done();
        }
      }}
    >
      <label className="medium" htmlFor={id}>
        {t("counter.favourites.nameOf", { number: formatted })}
      </label>
      <input
        ref={field}
        id={id}
        className="min-w-0 touch pad-0-3 field round ink size-label"
        type="text"
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST_FAVOURITE_NAME}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className="flex wrap gap-2">
        <Button
          type="submit"
          rightSection={<KeyCap>Enter</KeyCap>}
          disabled={text.trim() === "" || change.isPending}
        >
          {t("counter.favourites.save")}
        </Button>
        {name === undefined ? null : (
          <Button variant="default" disabled={change.isPending} onClick={() => change.mutate("")}>
            {t("counter.favourites.remove")}
          </Button>
        )}
        <Button variant="default" rightSection={<KeyCap>Esc</KeyCap>} onClick={done}>
          {t("common.cancel")}
        </Button>
      </div>
      {change.error ? <ErrorNotice words={errorWords(change.error, t, format)} /> : null}
    </form>
  );
}
