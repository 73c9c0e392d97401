export { findCashCustomerRefund } from "./cash-customer-refund.ts";
export { createCustomerRefundsModule } from "./module.ts";
