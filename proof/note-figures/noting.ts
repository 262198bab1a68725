import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { fileForm, fileOfNote } from '../notes/note-files.ts'
import { pick, talksOf } from './history.ts'
import { type Colleague, skipMessageId, type Twin } from './twins.ts'

/** The word that every note has, and nothing else. */
const noteWord = 'zqnota'

/**
 * Something with notes at one twin alone; at the other its clock goes on, and its messages keep their ids.
 * @returns what was done
 */
export async function noteSomething(
  [plain, noted]: readonly [Twin, Twin],
  random: Random,
  count: number,
): Promise<string> {
  const who = pick(random, noted.team) as Colleague
  const draw = random()
  if (draw < 0.7) return writeNote([plain, noted], random, who, `${noteWord}${count}`)
  const found = await rows<{ id: number; conversationId: number; senderId: number }>(
    noted.database,
    sql`select id, conversation_id as "conversationId", sender_id as "senderId" from messages
         where message_type = 'note' and deleted_at is null order by id desc limit 20`,
  )
  const one = pick(random, found)
  if (!one) return 'nothing'
  const path = `/api/conversations/${one.conversationId}/notes/${one.id}`
  const body = draw < 0.85 ? { content: `${noteWord}${count}, mudada` } : undefined
  const author = noted.team.find(({ id }) => id === one.senderId)
  const by = author && random() < 0.7 ? author : who
  const { status } = await noted.call(by, body ? 'PATCH' : 'DELETE', path, body)
  return `${body ? 'a note is edited' : 'a note is deleted'}: ${status}`
}

async function writeNote(
  [plain, noted]: readonly [Twin, Twin],
  random: Random,
  who: Colleague,
  content: string,
): Promise<string> {
  // What was only imported goes when its messages do, unless there is a note in it.
  const talks = (await talksOf(noted, random() < 0.7 ? 'open' : 'completed')).filter((one) => !one.isHistory)
  const talk = pick(random, talks)
  if (!talk) return 'nothing'
  const isFile = random() < 0.2
  const { status } = isFile
    ? await noted.upload(
        who,
        fileForm({ conversationId: String(talk.id), isNote: 'true' }, `${content}.txt`, fileOfNote(content)),
      )
    : await noted.call(who, 'POST', `/api/conversations/${talk.id}/notes`, { content })
  if (status === 201) await skipMessageId(plain)
  return `a note${isFile ? ' with a file' : ''}: ${status}`
}
