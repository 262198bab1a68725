import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/db.ts'
import { projectFolder } from '../../scripts/start-line.ts'

// Faults that are planted to see that the proof finds them: in the database, or in a source as the program
// loads it.

interface CodeFault {
  file: string
  from: string
  to: string
}

const codeFaults: Readonly<Record<string, CodeFault>> = {
  /** The calls no longer refuse a note by themselves. */
  refusal: {
    file: 'conversations/store/access.ts',
    from: "if (messageType === 'note') throw new AppError('messages.is_note')",
    to: 'void messageType',
  },
  /** A note can be forwarded, as a text can. */
  forward: {
    file: 'conversations/media/forward.ts',
    from:
      'expectNoNote(source)\n' +
      "  if (!isForwardable(source)) throw new AppError('messages.not_forwardable')",
    to: '',
  },
  /** The AI is told all messages. */
  assistant: {
    file: 'conversations/assistant/help.ts',
    from: 'and ${isCountedHere} and m.deleted_at is null',
    to: 'and m.deleted_at is null',
  },
  /** A file for a client has the notes. */
  export: {
    file: 'conversations/archive/conversation-file.ts',
    from: "${withNotes ? sql`` : sql`and m.message_type <> 'note'`}",
    to: '',
  },
}

/** In the throwaway database: the outbox takes notes. */
const databaseFault = 'trigger'

export const plantNames: readonly string[] = [databaseFault, ...Object.keys(codeFaults)]

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
if (planted) {
  const changed = join(projectFolder, 'src/server', planted.file)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.startsWith('file:') || fileURLToPath(url) !== changed) return loaded
      const source = readFileSync(changed, 'utf8')
      if (!source.includes(planted.from)) throw new Error(`${planted.file} has changed: plant the fault anew`)
      return { ...loaded, source: source.replace(planted.from, planted.to) }
    },
  })
}
