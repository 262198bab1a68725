import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { until } from '../support/waiting.ts'
import { ask, insist, type Place } from './place.ts'

const phoneCount = 4
const textsEach = 3
const pauseMs = 150

/** What clients and the operator have sent, and what of it the product has taken. */
export interface Sent {
  /** Texts that must be stored, once each. */
  texts: string[]
  /** The SHA-256 of each file of a client, by its name. */
  media: Map<string, string>
  /** How many of the operator's files were taken, and how many were not. */
  uploads: { taken: number; refused: number }
}

/** People who write to an installation, and the operator who answers them. */
export interface People {
  phones: string[]
  conversationIds: number[]
}

export async function meetPeople(place: Place): Promise<People> {
  const { control } = place.simulator
  const phones = Array.from({ length: phoneCount }, (_, n) => {
    const { id } = control.createPhone({ name: `Cliente ${n}`, number: `55419${80_000_000 + n}` })
    control.sendText(id, 'oi')
    return id
  })
  const open = await until(
    'everybody arrives',
    () => insist<Conversation[]>(place, 'GET', '/api/conversations'),
    (all) => all.length === phoneCount,
  )
  return { phones, conversationIds: open.map(({ id }) => id) }
}

const pdfOf = (sizeBytes: number) => Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(sizeBytes)])

/** Clients send texts and files, and the operator does. @param tag what identifies this time */
export async function exchange(
  place: Place,
  { phones, conversationIds }: People,
  tag: string,
  random: Random,
): Promise<Sent> {
  const sent: Sent = { texts: [], media: new Map(), uploads: { taken: 0, refused: 0 } }
  const { control } = place.simulator
  // Drawn beforehand, since both sides write at once.
  const sizes = (most: number) => phones.map(() => 20_000 + Math.floor(random() * most))
  const [received, uploaded] = [sizes(300_000), sizes(700_000)]
  const write = async () => {
    for (let k = 0; k < textsEach; k++)
      for (const [p, phone] of phones.entries()) {
        const text = `texto ${tag} ${k} ${p}`
        sent.texts.push(text)
        control.sendText(phone, text)
        await sleep(pauseMs)
        if (k !== p % textsEach) continue
        const bytes = pdfOf(received[p] ?? 0)
        const fileName = `nota ${tag} ${p}.pdf`
        sent.media.set(fileName, createHash('sha256').update(bytes).digest('hex'))
        control.send(phone, { kind: 'document', base64: bytes.toString('base64'), fileName })
      }
  }
  const answer = async () => {
    for (const [n, id] of conversationIds.entries()) {
      const content = `resposta ${tag} ${n}`
      const message = { content, clientMessageId: `disk-full-${tag}-${n}` }
      const { isOk } = await ask(place, 'POST', `/api/conversations/${id}/messages`, message)
      if (isOk) sent.texts.push(content)
      if (await upload(place, id, `envio ${tag} ${n}.pdf`, pdfOf(uploaded[n] ?? 0))) sent.uploads.taken++
      else sent.uploads.refused++
      await sleep(pauseMs * 2)
    }
  }
  await Promise.all([write(), answer()])
  return sent
}

/** @returns whether it was taken */
async function upload(place: Place, id: number, name: string, bytes: Buffer): Promise<boolean> {
  const form = new FormData()
  form.set('conversationId', String(id))
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  return (await ask(place, 'POST', '/api/media/upload', form)).isOk
}

/** The texts that are not stored, and those that are stored more than once. */
export async function missingTexts({ database }: Place, texts: readonly string[]): Promise<string[]> {
  const found = await rows<{ content: string; times: number }>(
    database,
    sql`select content, count(*)::int as times from messages
         where content = any(${sql.param([...texts])}::text[]) group by content`,
  )
  const times = new Map(found.map(({ content, times: count }) => [content, count]))
  return texts.flatMap((text) => {
    const count = times.get(text) ?? 0
    return count === 1 ? [] : [`«${text}» is stored ${count} times`]
  })
}

/** The messages of clients whose files are not there yet. */
export async function unfetched({ database }: Place): Promise<number[]> {
  const found = await rows<{ id: number }>(
    database,
    sql`select message_id as id from media_fetches order by id limit 5`,
  )
  return found.map(({ id }) => id)
}

/** The clients' files that are not there as they were sent. */
export async function missingMedia({ database }: Place, media: Sent['media']): Promise<string[]> {
  const found = await rows<{ name: string; sha256: string }>(
    database,
    sql`select m.file_name as name, f.sha256 from messages m join files f on f.message_id = m.id
         where m.file_name = any(${sql.param([...media.keys()])}::text[])`,
  )
  const sums = new Map(found.map(({ name, sha256 }) => [name, sha256]))
  return [...media].flatMap(([name, sum]) => {
    const stored = sums.get(name)
    return stored === sum ? [] : [`${name} is ${stored === undefined ? 'not fetched' : 'another file'}`]
  })
}
