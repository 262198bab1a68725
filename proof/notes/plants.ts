import { pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/db.ts'
import { plantSource, type SourceFault } from '../support/plant-source.ts'

// Faults that are planted to see that the proof finds them: in the database, or in a source as the program
// loads it.

const codeFaults: Readonly<Record<string, SourceFault>> = {
  /** The calls no longer refuse a note by themselves. */
  refusal: {
    file: 'server/conversations/store/access.ts',
    from: "if (messageType === 'note') throw new AppError('messages.is_note')",
    to: 'void messageType',
  },
  /** A note can be forwarded, as a text can. */
  forward: {
    file: 'server/conversations/media/forward.ts',
    from:
      'expectNoNote(source)\n' +
      "  if (!isForwardable(source)) throw new AppError('messages.not_forwardable')",
    to: '',
  },
  /** The AI is told all messages. */
  assistant: {
    file: 'server/conversations/assistant/help.ts',
    from: 'and ${isCountedHere} and m.deleted_at is null',
    to: 'and m.deleted_at is null',
  },
  /** A file for a client has the notes. */
  export: {
    file: 'server/conversations/archive/conversation-file.ts',
    from: "${withNotes ? sql`` : sql`and m.message_type <> 'note'`}",
    to: '',
  },
}

/** In the throwaway database: the outbox takes notes. */
const databaseFault = 'trigger'

const plantNames: readonly string[] = [databaseFault, ...Object.keys(codeFaults)]

/** The environment in which the program loads its sources with the fault. */
export function plantEnv(name: string): Record<string, string> {
  if (name !== '' && !plantNames.includes(name))
    throw new Error(`there is no fault '${name}': ${plantNames.join(', ')}`)
  if (!(name in codeFaults)) return {}
  const here = pathToFileURL(import.meta.filename).href
  return { NODE_OPTIONS: `--import ${here}`, PLANTED_FAULT: name }
}

export async function plantInDatabase(database: Database, name: string): Promise<void> {
  if (name === databaseFault) await database.execute(sql`drop trigger outbox_without_notes on outbox`)
}

const planted = codeFaults[process.env['PLANTED_FAULT'] ?? '']
if (planted) plantSource(planted)
