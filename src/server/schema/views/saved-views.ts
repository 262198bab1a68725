import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text } from 'drizzle-orm/pg-core'
import type { ViewContent } from '#shared/views/views.ts'
import { appNow, at, folded, rowId } from '#server/schema/columns.ts'
import { byPeople } from '#server/schema/declare/ends.ts'
import { resourceId } from '#server/schema/declare/resource.ts'
import { isMapped, mapped } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { users } from '#server/schema/users.ts'

const isSame = sql`t.name_folded = s.name_folded and t.is_shared = s.is_shared`

/** Filters of the list of open conversations under a name, with an order. */
export const savedViews = table(
  'saved_views',
  {
    id: rowId(),
    ownerId: integer('owner_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    nameFolded: text('name_folded')
      .notNull()
      .generatedAlwaysAs((): SQL => folded(savedViews.name)),
    content: jsonb('content').$type<ViewContent>().notNull(),
    /** Others see it, too. */
    isShared: boolean('is_shared').notNull().default(false),
    /** Of a shared one: only the people of this sector; null: everybody. */
    sectorId: integer('sector_id').references(() => sectors.id),
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      label: 'Visões da lista',
      restored: {
        match: sql`t.owner_id = ${mapped('users', sql`s.owner_id`)} and ${isSame}`,
        matchOwn: sql`t.owner_id = s.owner_id and ${isSame}`,
        isAdded: isMapped('users', sql`s.owner_id`),
      },
    },
    resource: { type: 'view', name: sql`select v.name from saved_views v where v.id = ${resourceId}` },
    ends: byPeople,
    // A filter names people of the team, and categories and tags.
    other: 'id ownerId name nameFolded content isShared sectorId version createdAt',
  },
  (t) => [
    index('saved_views_owner').on(t.ownerId),
    check('saved_views_sector', sql`${t.isShared} or ${t.sectorId} is null`),
  ],
)

/** In which order a person has their views, those of others among them; what is missing comes behind. */
export const viewOrders = table(
  'view_orders',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    viewIds: integer('view_ids').array().notNull(),
  },
  {
    backup: { left: 'an order of ids: after a restore the views stand by their names' },
    ends: byPeople,
    other: 'userId viewIds',
  },
)
