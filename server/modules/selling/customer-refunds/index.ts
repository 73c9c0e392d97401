export { findDrawerCustomerRefund } from "./customer-refund-service.ts";
export { createCustomerRefundsModule } from "./module.ts";
