export { BillService } from "./bill-service.ts";
export { createBillpayModule } from "./module.ts";
