/**
 * Of what people are told: that a note mentions them, what happens in a conversation that they follow, that a
 * message to a client did not go out, that a conversation of theirs returned from hold, that the time to its
 * first reply, or to its end, is nearly over, or that a scheduled message was not sent.
 */
export const notificationKinds = [
  'mention',
  'follow',
  'failed_reply',
  'returned',
  'sla_reply',
  'sla_end',
  'unsent_schedule',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** 'Menções', and 'Avisos' of all other kinds. */
export const notificationTabs = ['mentions', 'updates'] as const
export type NotificationTab = (typeof notificationTabs)[number]

export const tabOf = (kind: NotificationKind): NotificationTab =>
  kind === 'mention' ? 'mentions' : 'updates'
