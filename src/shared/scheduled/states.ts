/** To be sent; sent; cancelled; or not sent when it was due. */
export const scheduledStates = ['pending', 'sent', 'cancelled', 'failed'] as const
export type ScheduledState = (typeof scheduledStates)[number]

/** Why it was cancelled, or could not be sent. */
export const scheduledReasons = [
  'answered',
  'by_person',
  'contact_erased',
  'author_gone',
  'author_not_allowed',
  'out_of_reach',
  'contact_blocked',
  'contact_gone',
  'number_off',
  'never_open',
  'no_value',
] as const
export type ScheduledReason = (typeof scheduledReasons)[number]
