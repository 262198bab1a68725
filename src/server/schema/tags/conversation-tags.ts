import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { appNow, at, folded, rowId } from '#server/schema/columns.ts'
import { resourceId } from '#server/schema/declare/resource.ts'
import { always, matchedBy } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'

/** What conversations are tagged with. Which ones a conversation has is a column of its own. */
export const conversationTags = table(
  'conversation_tags',
  {
    id: rowId(),
    name: text('name').notNull(),
    nameFolded: text('name_folded')
      .notNull()
      .generatedAlwaysAs((): SQL => folded(conversationTags.name)),
    color: text('color').notNull(),
    /** Whose conversations it is for; null: all. */
    sectorId: integer('sector_id').references(() => sectors.id),
    place: integer('place').notNull().default(0),
    /** An inactive one is put on nothing more; what has it keeps it. */
    isActive: boolean('is_active').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'settings',
      label: 'Etiquetas de conversas',
      restored: { ...matchedBy(sql`t.name_folded = s.name_folded`), isAdded: always },
    },
    resource: { type: 'tag', name: sql`select t.name from conversation_tags t where t.id = ${resourceId}` },
    ends: { kept: 'one that was used is switched off, and keeps its name for what has it' },
    other: 'id name nameFolded color sectorId place isActive version createdAt',
  },
  (t) => [
    uniqueIndex('conversation_tags_name').on(t.nameFolded),
    check('conversation_tags_color', sql`${t.color} ~* '^#[0-9a-f]{6}$'`),
  ],
)
