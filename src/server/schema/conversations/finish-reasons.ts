import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, integer, text, unique } from 'drizzle-orm/pg-core'
import { appNow, at, folded, rowId } from '#server/schema/columns.ts'
import { resourceId } from '#server/schema/declare/resource.ts'
import { always } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'

const hasPath = sql`t.path_folded = s.path_folded`

/** Why conversations ended, in two levels. */
export const finishReasons = table(
  'finish_reasons',
  {
    id: rowId(),
    name: text('name').notNull(),
    /** null: of the first level. */
    parentId: integer('parent_id').references((): AnyPgColumn => finishReasons.id),
    /** The name with that of its parent: 'Financeiro › Segunda via'. */
    path: text('path').notNull(),
    pathFolded: text('path_folded')
      .notNull()
      .generatedAlwaysAs((): SQL => folded(finishReasons.path)),
    /** Whose conversations it is for; null: all. One with a parent is for whom that one is. */
    sectorId: integer('sector_id').references(() => sectors.id),
    /** Its place among those of its parent. */
    place: integer('place').notNull().default(0),
    /** An inactive one is chosen no longer; what ended with it keeps it. */
    isActive: boolean('is_active').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'settings',
      label: 'Motivos de finalização',
      restored: {
        match: hasPath,
        // Renamed since, it is still the same one.
        matchOwn: sql`((t.id = s.id and t.created_at = s.created_at) or ${hasPath})`,
        isAdded: always,
      },
    },
    resource: { type: 'reason', name: sql`select r.path from finish_reasons r where r.id = ${resourceId}` },
    ends: { kept: 'one that was used is switched off, and keeps its name for what ended with it' },
    other: 'id name parentId path pathFolded sectorId place isActive version createdAt',
  },
  (t) => [
    unique('finish_reasons_path').on(t.pathFolded),
    check('finish_reasons_sector', sql`${t.parentId} is null or ${t.sectorId} is null`),
  ],
)
