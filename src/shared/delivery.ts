/**
 * In the order of progress: a status never moves backwards, whatever order the updates arrive in. `unknown`
 * and `failed` are side exits: a message that WhatsApp refused after it was sent has failed unless a later
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
