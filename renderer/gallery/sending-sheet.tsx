import { MailForm, MessageForm } from "../components/receipt-sending-forms.tsx";
import { SendReceipt } from "../components/send-receipt.tsx";
import { SendReceiptButton } from "../components/send-receipt-button.tsx";
import { SentReceipts } from "../components/sent-receipts.tsx";
import { Panel, Sheet } from "./gallery-sheet.tsx";
import { WAYS } from "./testing/sample-answers.ts";
import { aLine, aSale } from "./testing/sample-sales.ts";

const SALE = aSale(140, [aLine()]);

export function SendingSheet() {
  return (
    <Sheet name="Sending a receipt">
      <Panel>
        <SendReceiptButton sale={SALE} />
      </Panel>
      <Panel>
        <SendReceipt sale={SALE} ways={{ ...WAYS, reach: "NETWORK", warned: true, mail: false }} />
      </Panel>
      <Panel>
        <SendReceipt sale={SALE} ways={{ ...WAYS, reach: "NONE" }} />
      </Panel>
      <Panel>
        <MailForm saleId={SALE.saleId} />
      </Panel>
      <Panel>
        <MessageForm sale={SALE} receiver="mensajes.tiendasol.example" />
      </Panel>
      <Panel>
        <SentReceipts saleId={SALE.saleId} />
      </Panel>
    </Sheet>
  );
}
