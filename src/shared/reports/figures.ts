/** What ends a conversation. */
export const enders = ['person', 'inactivity', 'blocked', 'anonymized'] as const
export type Ender = (typeof enders)[number]

/**
 * Every figure of a report that counts conversations. Each stands for the conversations that it counts, so
 * the list behind a figure has as many rows as the figure says.
 */
export const figures = [
  'total',
  'waiting_client',
  'waiting_operator',
  'in_queue',
  /** Open and assigned to somebody, and of these the ones that wait for them. */
  'active',
  'active_waiting',
  'completed',
  /** Completed on the day on which it began, and not. */
  'same_day',
  'left_open',
  'first_reply',
  'queue',
  'handling',
  'rated',
  'commented',
  'by_person',
  'by_inactivity',
  /** Answered first, and ended, within their targets or not; open ones that are late already are not. */
  'reply_kept',
  'reply_broken',
  'end_kept',
  'end_broken',
] as const
export type Figure = (typeof figures)[number]

/** Those whose conversations have a time, in milliseconds. */
export const timeFigures = ['first_reply', 'queue', 'handling'] as const
export type TimeFigure = (typeof timeFigures)[number]

export const isTimeFigure = (figure: Figure): figure is TimeFigure =>
  (timeFigures as readonly Figure[]).includes(figure)

/** What the conversations of a report are grouped by. */
export const groupings = [
  'operator',
  'category',
  'company',
  'tag',
  'sector',
  'reason',
  'hour',
  'conversationTag',
] as const
export type Grouping = (typeof groupings)[number]

/** The key of those in no group: no category and no tag is blank. */
export const noGroup = ' '
/** Of operators: assigned to somebody who is none, or to nobody. */
export const otherGroup = 'others'
