import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text } from 'drizzle-orm/pg-core'
import type { MacroStep } from '#shared/macros/steps.ts'
import { appNow, at, folded, rowId } from '#server/schema/columns.ts'
import { byPeople } from '#server/schema/declare/ends.ts'
import { resourceId } from '#server/schema/declare/resource.ts'
import { isMapped, mapped } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { users } from '#server/schema/users.ts'

const isSame = sql`t.name_folded = s.name_folded and t.is_shared = s.is_shared`

/** Steps that are done together in a conversation. */
export const macros = table(
  'macros',
  {
    id: rowId(),
    /** Who made it; of one that is not shared: whose it is. */
    ownerId: integer('owner_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    nameFolded: text('name_folded')
      .notNull()
      .generatedAlwaysAs((): SQL => folded(macros.name)),
    shortcut: text('shortcut').notNull(),
    steps: jsonb('steps').$type<MacroStep[]>().notNull(),
    /** The files of its steps, by their names in the file store. */
    fileNames: text('file_names')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Others have it, too. */
    isShared: boolean('is_shared').notNull().default(false),
    /** Of a shared one: only the people of this sector have it; null: everybody. */
    sectorId: integer('sector_id').references(() => sectors.id),
    uses: integer('uses').notNull().default(0),
    lastUsedAt: at('last_used_at'),
    lastUsedById: integer('last_used_by_id').references(() => users.id),
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      label: 'Macros',
      restored: {
        match: sql`t.owner_id = ${mapped('users', sql`s.owner_id`)} and ${isSame}`,
        matchOwn: sql`t.owner_id = s.owner_id and ${isSame}`,
        isAdded: isMapped('users', sql`s.owner_id`),
      },
    },
    resource: { type: 'macro', name: sql`select m.name from macros m where m.id = ${resourceId}` },
    ends: byPeople,
    other: `
      id ownerId name nameFolded shortcut steps fileNames isShared sectorId uses lastUsedAt lastUsedById
      version createdAt
    `,
  },
  (t) => [
    index('macros_owner').on(t.ownerId),
    index('macros_files')
      .using('gin', t.fileNames)
      .where(sql`${t.fileNames} <> '{}'`),
    check('macros_sector', sql`${t.isShared} or ${t.sectorId} is null`),
  ],
)
