import { integer, jsonb } from 'drizzle-orm/pg-core'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { appNow, at } from './columns.ts'
import { singleRow } from './declare/ends.ts'
import { table } from './declare/table.ts'

/** A single row; settings that it does not contain have their defaults. */
export const systemSettings = table(
  'system_settings',
  {
    id: integer('id').primaryKey().default(1),
    values: jsonb('values').$type<Partial<SystemSettings>>().notNull().default({}),
    version: integer('version').notNull().default(1),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'settings',
      label: 'Configurações',
      restored: { otherwise: 'the single row gets the values of the backup' },
    },
    ends: singleRow,
    other: 'id values version updatedAt',
  },
)
