/**
 * In order of progress: a status never moves backwards, whatever the order of the updates. `unknown` and
 * `failed` are outside this order: a message that WhatsApp refused after sending has failed unless a later
 * tick proves otherwise.
 */
export const deliveryStatuses = [
  'pending',
  'sending',
  'unknown',
  'sent',
  'failed',
  'delivered',
  'read',
  'played',
] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]
