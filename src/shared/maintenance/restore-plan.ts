import * as z from 'zod/mini'
import { instant } from '#shared/users/users.ts'

/** What a restore brings, of one table. */
const planned = z.object({
  table: z.string(),
  /** Rows that the backup has. */
  rows: z.int(),
  /** Of them, those that will be added. */
  added: z.int(),
  /** Those that will be changed: settings, categories, contacts that come back or get a company back. */
  changed: z.int(),
  /** Those that stay as they are here. */
  kept: z.int(),
  /** Those that are left out, since the person was anonymized, or the message deleted for good. */
  erased: z.int(),
})

/** What a restore brings, as it is stored with its run. */
export const restoreCounts = z.object({
  /** The backup's installation is this one. */
  isOwn: z.boolean(),
  madeAt: instant,
  tables: z.array(planned),
  /**
   * Contacts that are here and were in a company or a category that comes back: those that will be in it
   * again, and those that stay as they are, since somebody has changed them. Earlier versions did not tell.
   */
  links: z.optional(
    z.array(z.object({ table: z.enum(['companies', 'contact_categories']), back: z.int(), left: z.int() })),
  ),
  files: z.object({ rows: z.int(), added: z.int(), sizeBytes: z.int() }),
  /** Names of the numbers whose keys must be typed again. */
  keysToType: z.array(z.string()),
})
export type RestoreCounts = z.infer<typeof restoreCounts>

/** With what the tables hold, as the screen calls it. */
export const restorePlan = z.extend(restoreCounts, {
  tables: z.array(z.extend(planned, { label: z.string() })),
})
export type RestorePlan = z.infer<typeof restorePlan>
