import type { Language } from "../../server/contract/pos/setup.ts";

const EN = {
  sendingTitle: "Tillgate is sending sales right now.",
  sendingNext: "Wait half a minute, then close Tillgate.",
  waitingTitle: "Sales are still waiting to be delivered.",
  waitingNext:
    "While Tillgate is closed nothing is sent. Sending resumes when it is started again.",
  purchasesTitle: "Sales of other programs are still pending.",
  purchases: "Purchases under way: {{number}}",
  shiftTitle: "Shifts are still open.",
  shiftNext: "Close them first (F7), or continue with them at the next start.",
  unsentTitle: "A paid sale has not been recorded yet.",
  unsentNext: "It is kept, and sent when Tillgate is started again.",
  ok: "OK",
  stay: "Stay open",
  leave: "Close anyway",
};

export type LeaveWords = typeof EN;

/**
 * Texts of the dialogs before the program ends, separate from the page, which may already be
 * closed.
 */
export const LEAVE_WORDS: Record<Language, LeaveWords> = {
  en: EN,
  es: {
    sendingTitle: "Se están enviando ventas en este momento.",
    sendingNext: "Espere medio minuto y cierre Tillgate.",
    waitingTitle: "Hay ventas que aún esperan su entrega.",
    waitingNext:
      "Con Tillgate cerrado no se envía nada. El envío continúa cuando se vuelva a iniciar.",
    purchasesTitle: "Hay ventas de otros programas pendientes.",
    purchases: "Compras en curso: {{number}}",
    shiftTitle: "Hay turnos abiertos.",
    shiftNext: "Ciérrelos primero (F7) o siga con ellos en el próximo inicio.",
    unsentTitle: "Una venta pagada aún no se ha registrado.",
    unsentNext: "Se guarda y se envía cuando Tillgate se inicie de nuevo.",
    ok: "Aceptar",
    stay: "Mantener abierto",
    leave: "Cerrar de todos modos",
  },
  fr: {
    sendingTitle: "Des ventes sont en cours d’envoi.",
    sendingNext: "Attendez une demi-minute, puis fermez Tillgate.",
    waitingTitle: "Des ventes attendent encore d’être livrées.",
    waitingNext:
      "Rien n’est envoyé tant que Tillgate est fermé. L’envoi reprend dès qu’il est relancé.",
    purchasesTitle: "Des ventes d’autres programmes sont encore en attente.",
    purchases: "Achats en cours : {{number}}",
    shiftTitle: "Des sessions de caisse sont encore ouvertes.",
    shiftNext: "Clôturez-les d’abord (F7), ou reprenez-les au prochain démarrage.",
    unsentTitle: "Une vente payée n’a pas encore été enregistrée.",
    unsentNext: "Elle est gardée, et envoyée au prochain démarrage de Tillgate.",
    ok: "OK",
    stay: "Rester ouvert",
    leave: "Fermer quand même",
  },
  pt: {
    sendingTitle: "Há vendas sendo enviadas neste momento.",
    sendingNext: "Espere meio minuto e depois feche o Tillgate.",
    waitingTitle: "Há vendas aguardando entrega.",
    waitingNext:
      "Com o Tillgate fechado, nada é enviado. O envio continua quando ele for iniciado de novo.",
    purchasesTitle: "Há vendas de outros programas pendentes.",
    purchases: "Compras em andamento: {{number}}",
    shiftTitle: "Há turnos abertos.",
    shiftNext: "Feche-os primeiro (F7) ou continue com eles no próximo início.",
    unsentTitle: "Uma venda paga ainda não foi registrada.",
    unsentNext: "Fica guardada e é enviada quando o Tillgate for iniciado de novo.",
    ok: "OK",
    stay: "Manter aberto",
    leave: "Fechar mesmo assim",
  },
  ar: {
    sendingTitle: "يجري الآن إرسال مبيعات.",
    sendingNext: "انتظر نصف دقيقة ثم أغلق Tillgate.",
    waitingTitle: "ما زالت مبيعات تنتظر التسليم.",
    waitingNext: "لا يُرسل شيء ما دام Tillgate مغلقًا. يُستأنف الإرسال فور تشغيله من جديد.",
    purchasesTitle: "ما زالت مبيعات برامج أخرى قيد التأكيد.",
    purchases: "عمليات شراء جارية: {{number}}",
    shiftTitle: "ما زالت ورديات مفتوحة.",
    shiftNext: "أغلقها أولًا (F7) أو تابعها عند التشغيل القادم.",
    unsentTitle: "عملية بيع مدفوعة لم تُسجَّل بعد.",
    unsentNext: "هي محفوظة وتُرسل عند تشغيل Tillgate من جديد.",
    ok: "حسنًا",
    stay: "إبقاؤه مفتوحًا",
    leave: "إغلاقه رغم ذلك",
  },
};
