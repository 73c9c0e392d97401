export function saveText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  // A browser saves a file only through a link.
  link.dispatchEvent(new MouseEvent("click"));
  // By the next task the browser has started to read the object URL.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
