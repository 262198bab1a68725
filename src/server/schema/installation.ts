import { sql } from 'drizzle-orm'
import { boolean, check, integer, text, uuid } from 'drizzle-orm/pg-core'
import { at, appNow, oneOf } from './columns.ts'
import { singleRow } from './declare/ends.ts'
import { table } from './declare/table.ts'
import { minutes } from './declare/waits.ts'

/** Where files may be: in the data folder, or in a bucket. */
export const filePlaces = ['disk', 's3'] as const
export type FilePlace = (typeof filePlaces)[number]

/** A single row: the identity of the installation, and whether it is a demo. */
export const installation = table(
  'installation',
  {
    id: integer('id').primaryKey().default(1),
    /**
     * Identifies this event history; a restored database gets a new epoch, so that no browser resumes with an
     * old cursor.
     */
    epoch: text('epoch').notNull(),
    /** Names the installation in its backups, so that its own rows are known by their ids. */
    uid: uuid('uid')
      .notNull()
      .default(sql`gen_random_uuid()`),
    /** By now(): nothing is sent until then, while a restore is applied, which renews it. */
    sendsPausedUntil: at('sends_paused_until'),
    /** Where new files go since somebody has moved them; null: where the environment says. */
    filePlace: text('file_place', { enum: filePlaces }),
    isDemo: boolean('is_demo').notNull().default(false),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: { left: 'another installation is another one' },
    ends: singleRow,
    waits: { leases: { sendsPausedUntil: minutes(1) } },
    other: 'id epoch uid sendsPausedUntil filePlace isDemo createdAt',
  },
  (t) => [check('installation_file_place', oneOf(t.filePlace, filePlaces))],
)
