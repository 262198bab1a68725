import { sql } from 'drizzle-orm'
import { index, integer, jsonb, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { appNow, at, rowId } from './columns.ts'
import { momentary } from './declare/backup.ts'
import { month, since } from './declare/ends.ts'
import { table } from './declare/table.ts'
import { users } from './users.ts'

/** Troubles of the installation, a row for each occurrence. */
export const notices = table(
  'notices',
  {
    id: rowId(),
    kind: text('kind').notNull(),
    /** What of its kind is in trouble, such as the number or the machine; '' if there is only one. */
    subject: text('subject').notNull(),
    /** A `NoticeFact`, perhaps of a later version. */
    fact: jsonb('fact').$type<unknown>().notNull(),
    since: at('since').notNull().default(appNow),
    /** Later than `since` if it was over for a short while. */
    begunAt: at('begun_at').notNull().default(appNow),
    /** When it had lasted long enough to be shown. */
    shownAt: at('shown_at'),
    /** When a process last found it. */
    seenAt: at('seen_at').notNull().default(appNow),
    endedAt: at('ended_at'),
  },
  {
    backup: momentary,
    ends: { trimmed: { by: 'trim-notices', after: month, since: since('ended_at') } },
    waits: { past: ['begunAt', 'seenAt'], where: sql`t.ended_at is null` },
    other: 'id kind subject fact since begunAt shownAt seenAt endedAt',
  },
  (t) => [
    uniqueIndex('notices_open')
      .on(t.kind, t.subject)
      .where(sql`${t.endedAt} is null`),
    index('notices_ended').on(t.endedAt),
  ],
)

/** Who wants to hear no more of an occurrence for a day. */
export const noticeDismissals = table(
  'notice_dismissals',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    noticeId: integer('notice_id')
      .notNull()
      .references(() => notices.id, { onDelete: 'cascade' }),
    dismissedAt: at('dismissed_at').notNull().default(appNow),
  },
  {
    backup: momentary,
    ends: {
      trimmed: {
        by: 'trim-notices',
        after: month,
        since: sql`(select n.ended_at from notices n where n.id = t.notice_id)`,
      },
    },
    other: 'userId noticeId dismissedAt',
  },
  (t) => [primaryKey({ columns: [t.userId, t.noticeId] }), index('notice_dismissals_notice').on(t.noticeId)],
)
