export { findDrawerCustomerRefund } from "./customer-refund-store.ts";
export { createCustomerRefundsModule } from "./module.ts";
