import { type SQL, sql } from 'drizzle-orm'
import { check, integer, jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { appNow, at, folded, rowId } from '#server/schema/columns.ts'
import { byPeople } from '#server/schema/declare/ends.ts'
import { resourceId } from '#server/schema/declare/resource.ts'
import { isMapped, mapped } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { users } from '#server/schema/users.ts'

const isSame = (ownerId: SQL, sectorId: SQL) =>
  sql`t.shortcut_folded = s.shortcut_folded and (t.owner_id = ${ownerId} or t.sector_id = ${sectorId})`

/** The quick replies of a person alone, and of sectors; the general ones stand in the settings. */
export const quickReplies = table(
  'quick_replies',
  {
    id: rowId(),
    /** Whose alone it is, or of which sector: one of the two. */
    ownerId: integer('owner_id').references(() => users.id),
    sectorId: integer('sector_id').references(() => sectors.id),
    shortcut: text('shortcut').notNull(),
    shortcutFolded: text('shortcut_folded')
      .notNull()
      .generatedAlwaysAs((): SQL => folded(quickReplies.shortcut)),
    text: text('text').notNull(),
    file: jsonb('file').$type<QuickResponseFile>(),
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      label: 'Respostas rápidas',
      restored: {
        match: isSame(mapped('users', sql`s.owner_id`), mapped('sectors', sql`s.sector_id`)),
        matchOwn: isSame(sql`s.owner_id`, sql`s.sector_id`),
        isAdded: sql`(${isMapped('users', sql`s.owner_id`)} or ${isMapped('sectors', sql`s.sector_id`)})`,
      },
    },
    resource: {
      type: 'reply',
      name: sql`select '/' || q.shortcut from quick_replies q
                 where q.id = ${resourceId} and q.sector_id is not null`,
    },
    ends: byPeople,
    // Texts of the team, for any client.
    other: 'id ownerId sectorId shortcut shortcutFolded text file version createdAt',
  },
  (t) => [
    uniqueIndex('quick_replies_of_owner').on(t.ownerId, t.shortcutFolded),
    uniqueIndex('quick_replies_of_sector').on(t.sectorId, t.shortcutFolded),
    check('quick_replies_scope', sql`(${t.ownerId} is null) <> (${t.sectorId} is null)`),
  ],
)

/** How often a quick reply was sent; a row once it was. */
export const quickReplyUses = table(
  'quick_reply_uses',
  {
    id: rowId(),
    replyId: integer('reply_id').references(() => quickReplies.id, { onDelete: 'cascade' }),
    /** Or of a general one its shortcut, folded. */
    general: text('general'),
    uses: integer('uses').notNull(),
    lastUsedAt: at('last_used_at').notNull().default(appNow),
  },
  {
    backup: { left: 'figures of this place: after a restore into another one they begin anew' },
    ends: { bounded: 'one of each reply, with which it goes' },
    other: 'id replyId general uses lastUsedAt',
  },
  (t) => [
    uniqueIndex('quick_reply_uses_reply').on(t.replyId),
    uniqueIndex('quick_reply_uses_general').on(t.general),
    check('quick_reply_uses_of', sql`(${t.replyId} is null) <> (${t.general} is null)`),
  ],
)
