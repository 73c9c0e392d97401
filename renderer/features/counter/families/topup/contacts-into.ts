import type { ClipboardEvent, DragEvent } from "react";
import { readContacts } from "./contact-text.ts";
import type { Topup } from "./use-topup.ts";

/** A contact file is a few lines; more is something else. */
const LARGEST_FILE = 1_000_000;

/** The field takes contacts that are pasted or dropped: one number is typed, several are to be chosen from. */
export function contactsInto({ homeCountry, dispatch }: Pick<Topup, "homeCountry" | "dispatch">) {
  function take(text: string): boolean {
    const contacts = readContacts(text, homeCountry);
    if (contacts.length > 0) {
      dispatch({ type: "contacts-read", contacts });
    }
    return contacts.length > 0;
  }

  return {
    onPaste: (event: ClipboardEvent) => {
      if (take(event.clipboardData.getData("text"))) {
        event.preventDefault();
      }
    },
    onDragOver: (event: DragEvent) => {
      // Without, the browser would open a file that is dropped.
      event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      const text = event.dataTransfer.getData("text");
      if (file) {
        event.preventDefault();
        if (file.size <= LARGEST_FILE) {
          void file.text().then(take);
        }
      } else if (take(text)) {
        event.preventDefault();
      }
    },
  };
}
