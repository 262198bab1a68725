import { sql } from 'drizzle-orm'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { keepBytes } from '#server/media/media.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { ownNamedFiles } from '#server/quick-replies/quick-replies.ts'

const voiceSeconds = 4

/** Stores the voice of the quick reply of the demonstration that has neither text nor file. */
export async function giveVoice(database: Database, files: FileStore): Promise<void> {
  const waiting = sql`from quick_replies where text = '' and file is null limit 1`
  const [reply] = await rows<{ id: number }>(database, sql`select id ${waiting}`)
  if (!reply) return
  const bytes = (async function* () {
    yield hum()
  })()
  const { name, fileName, kind, sizeBytes } = await keepBytes({ database, files }, 'voz.wav', bytes)
  const file: QuickResponseFile = { name, fileName, mimeType: kind.mimeType, sizeBytes, voiceSeconds }
  await inTransaction(database, async (db) => {
    await db.execute(
      sql`update quick_replies set file = ${JSON.stringify(file)}::jsonb
           where id = ${reply.id} and file is null`,
    )
    await ownNamedFiles(db, [name])
  })
}

/** Some seconds of a voice that says nothing: WAV, 8 kHz, 8 bits. */
function hum(): Buffer {
  const rate = 8000
  const samples = rate * voiceSeconds
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples, 40)
  const sound = Buffer.alloc(samples)
  for (let n = 0; n < samples; n++) {
    const at = n / rate
    const syllable = Math.abs(Math.sin(Math.PI * 2.5 * at)) * (at % 1.6 < 1.3 ? 1 : 0)
    const pitch = 130 + 25 * Math.sin(at * 3)
    const tone = Math.sin(2 * Math.PI * pitch * at) + 0.5 * Math.sin(4 * Math.PI * pitch * at)
    sound[n] = 128 + Math.round(40 * syllable * tone)
  }
  return Buffer.concat([head, sound])
}
