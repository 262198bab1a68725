import { integer, jsonb, pgTable } from 'drizzle-orm/pg-core'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { appNow, at } from './columns.ts'

/** A single row; settings that it does not contain have their defaults. */
export const systemSettings = pgTable('system_settings', {
  id: integer('id').primaryKey().default(1),
  values: jsonb('values').$type<Partial<SystemSettings>>().notNull().default({}),
  version: integer('version').notNull().default(1),
  updatedAt: at('updated_at').notNull().default(appNow),
})
