type Field = HTMLInputElement | HTMLTextAreaElement;

/** Types where the caret stands, as a keyboard would: the field hears of it and may change it. */
export function insertText(field: Field, text: string): void {
  field.focus({ preventScroll: true });
  document.execCommand("insertText", false, text);
}

export function eraseText(field: Field): void {
  field.focus({ preventScroll: true });
  document.execCommand("delete");
}

/** The field after this one, in the same form or dialog, or else on the screen. */
export function nextField(field: Field): HTMLElement | undefined {
  const around = field.closest("form, [role=dialog], main") ?? document.body;
  const fields = [
    ...around.querySelectorAll<Field>("input:not([type=hidden], [hidden]), textarea"),
  ].filter((one) => !one.disabled && !one.readOnly && one.checkVisibility());
  return fields[fields.indexOf(field) + 1];
}
