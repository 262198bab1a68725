/** All tables, for the types of the database and for what is said of every one of them. */
import * as assistant from './assistant.ts'
import * as audit from './audit.ts'
import * as contactImports from '#server/schema/contacts/contact-imports.ts'
import * as contacts from '#server/schema/contacts/contacts.ts'
import * as merges from '#server/schema/contacts/merges.ts'
import * as conversations from '#server/schema/conversations/conversations.ts'
import * as messageChanges from '#server/schema/conversations/message-changes.ts'
import * as outbox from '#server/schema/conversations/outbox.ts'
import * as queue from '#server/schema/conversations/queue.ts'
import * as ratings from '#server/schema/conversations/ratings.ts'
import * as reads from '#server/schema/conversations/reads.ts'
import * as search from '#server/schema/conversations/search.ts'
import { type Declaration, declaration, tablesOf } from './declare/table.ts'
import * as gateway from './gateway.ts'
import * as installation from './installation.ts'
import * as maintenance from './maintenance.ts'
import * as media from './media.ts'
import * as notices from './notices.ts'
import * as jobs from '#server/schema/platform/jobs.ts'
import * as live from '#server/schema/platform/live.ts'
import * as privacy from './privacy.ts'
import * as reports from './reports.ts'
import * as settings from './settings.ts'
import * as users from './users.ts'

export const schema = tablesOf({
  ...installation,
  ...users,
  ...settings,
  ...audit,
  ...contacts,
  ...merges,
  ...contactImports,
  ...gateway,
  ...assistant,
  ...media,
  ...conversations,
  ...messageChanges,
  ...reads,
  ...search,
  ...ratings,
  ...queue,
  ...outbox,
  ...jobs,
  ...live,
  ...notices,
  ...reports,
  ...privacy,
  ...maintenance,
})

/** The name of a table in the code. */
export type TableName = keyof typeof schema

export const tableNames = Object.keys(schema) as TableName[]

/** What is declared beside the columns of a table. */
export const declarationOf = (name: TableName): Declaration => schema[name][declaration]
