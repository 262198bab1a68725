import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { pauseIcons } from '#shared/users/users.ts'
import { appNow, at, folded, oneOf, rowId } from '#server/schema/columns.ts'
import { resourceId } from '#server/schema/declare/resource.ts'
import { always, matchedBy } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'

/** Why people pause, such as 'Almoço'. Without any, nobody is offered a pause. */
export const pauseReasons = table(
  'pause_reasons',
  {
    id: rowId(),
    name: text('name').notNull(),
    nameFolded: text('name_folded')
      .notNull()
      .generatedAlwaysAs((): SQL => folded(pauseReasons.name)),
    icon: text('icon', { enum: pauseIcons }).notNull(),
    color: text('color').notNull(),
    /** After how many minutes a pause is too long; null: never. */
    limitMinutes: integer('limit_minutes'),
    /** Its time is productive. */
    countsAsWork: boolean('counts_as_work').notNull().default(false),
    /** An inactive one is offered no longer. */
    isActive: boolean('is_active').notNull().default(true),
    place: integer('place').notNull().default(0),
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull().default(appNow),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'settings',
      label: 'Motivos de pausa',
      restored: { ...matchedBy(sql`t.name_folded = s.name_folded`), isAdded: always },
    },
    resource: {
      type: 'pause_reason',
      name: sql`select p.name from pause_reasons p where p.id = ${resourceId}`,
    },
    ends: { bounded: 'by how many there may be' },
    other: `
      id name nameFolded icon color limitMinutes countsAsWork isActive place version createdAt updatedAt
    `,
  },
  (t) => [
    uniqueIndex('pause_reasons_name').on(t.nameFolded),
    check('pause_reasons_icon', oneOf(t.icon, pauseIcons)),
    check('pause_reasons_color', sql`${t.color} ~* '^#[0-9a-f]{6}$'`),
    check('pause_reasons_limit', sql`${t.limitMinutes} between 1 and 600`),
  ],
)
