import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { until } from '../support/waiting.ts'
import { byHand, holding, refusalOf, thereAndBack } from './by-hand.ts'
import { adminOf, anybody, type Desk, openOf, pick, someNote, talksOf, textOf } from './desk.ts'
import { fileForm, replyFile } from './note-files.ts'
import type { Answer, Colleague } from './office.ts'
import { ways } from './ways.ts'
import { marksIn, noteMark, replyMark } from './wire.ts'

/** A text or a file of the client. */
async function write({ office, client, random }: Desk): Promise<void> {
  const text = `${pick(random, ['oi', 'e então?', 'obrigado'])} ${office.next()}`
  const { control } = office.simulator
  control.sendText(client.phoneId, text)
  await until(
    `a message of ${client.phoneId} is stored`,
    () =>
      rows(
        office.database,
        sql`select 1 from messages m join conversations v on v.id = m.conversation_id
             where v.contact_id = ${client.contactId} and m.content = ${text} limit 1`,
      ),
    ({ length }) => length > 0,
  )
}

async function reply(desk: Desk): Promise<void> {
  const { office, client, random, tally } = desk
  const talk = await openOf(desk)
  if (!talk) return write(desk)
  const mark = `${replyMark}${office.next()}z`
  const path = `/api/conversations/${talk.id}/messages`
  const answer = await office.send(anybody(desk), 'POST', path, { content: `${textOf(mark, random)}` })
  if (tally.expect('reply', answer, [201])) client.sent.push({ id: idIn(answer), conversationId: talk.id })
}

async function replyWithFile(desk: Desk): Promise<void> {
  const { office, client, tally } = desk
  const talk = await openOf(desk)
  if (!talk) return write(desk)
  const mark = `${replyMark}${office.next()}z`
  const form = fileForm({ conversationId: String(talk.id), caption: mark }, `${mark}.txt`, replyFile(mark))
  const answer = await office.send(anybody(desk), 'POST', '/api/media/upload', undefined, form)
  if (tally.expect('reply with a file', answer, [201]))
    client.sent.push({ id: messageIn(answer).id, conversationId: talk.id })
}

const idIn = ({ text }: Answer) => (JSON.parse(text) as { id: number }).id
const messageIn = ({ text }: Answer) =>
  (JSON.parse(text) as { message: { id: number }; fileUrl: string }).message

async function note(desk: Desk): Promise<void> {
  const { office, client, random, tally } = desk
  const talk = pick(random, (await talksOf(desk)).slice(0, 3))
  if (!talk) return write(desk)
  const who = anybody(desk)
  const content = textOf(`${noteMark}${office.next()}`, random)
  const answer = await office.send(who, 'POST', `/api/conversations/${talk.id}/notes`, { content })
  if (!tally.expect('a note', answer, [201])) return
  client.notes.push({
    id: idIn(answer),
    conversationId: talk.id,
    authorId: who.id,
    file: '',
    isDeleted: false,
  })
}

async function noteWithFile(desk: Desk): Promise<void> {
  const { office, client, random, tally } = desk
  const talk = pick(random, (await talksOf(desk)).slice(0, 3))
  if (!talk) return write(desk)
  const who = anybody(desk)
  const mark = `${noteMark}${office.next()}`
  const fields = { conversationId: String(talk.id), isNote: 'true', caption: random() < 0.5 ? '' : mark }
  const form = fileForm(fields, `ficha-${mark}.txt`, tally.noteFile(mark))
  const answer = await office.send(who, 'POST', '/api/media/upload', undefined, form)
  if (!tally.expect('a note with a file', answer, [201])) return
  const { fileUrl } = JSON.parse(answer.text) as { fileUrl: string }
  client.notes.push({
    id: messageIn(answer).id,
    conversationId: talk.id,
    authorId: who.id,
    file: fileUrl.split('/').at(-1) ?? '',
    isDeleted: false,
  })
}

async function editNote(desk: Desk): Promise<void> {
  const { office, random, tally } = desk
  const one = someNote(desk)
  if (!one) return note(desk)
  const who = anybody(desk)
  const path = `/api/conversations/${one.conversationId}/notes/${one.id}`
  const content = textOf(`${noteMark}${office.next()}`, random)
  const answer = await office.send(who, 'PATCH', path, { content })
  if (who.id !== one.authorId) tally.refused('edit a note of somebody else', answer, ['notes.not_yours'])
  else if (one.isDeleted) tally.refused('edit a deleted note', answer, ['notes.gone'])
  // A run may be longer than the quarter of an hour.
  else if (answer.status !== 200) tally.refused('edit an old note', answer, ['notes.too_late'])
  else tally.expect('edit a note', answer, [200])
}

async function deleteNote(desk: Desk): Promise<void> {
  const { office, tally } = desk
  const one = someNote(desk)
  if (!one) return note(desk)
  const who = anybody(desk)
  const path = `/api/conversations/${one.conversationId}/notes/${one.id}`
  const answer = await office.send(who, 'DELETE', path)
  if (answer.status === 200) one.isDeleted = true
  if (who.role === 'operator' && who.id !== one.authorId)
    tally.refused('delete a note of somebody else', answer, ['notes.not_yours'])
  else if (answer.status !== 200) tally.refused('delete an old note', answer, ['notes.too_late'])
  else tally.expect('delete a note', answer, [200])
}

/** A call that would send the note. */
const attempt =
  (way: string) =>
  async (desk: Desk): Promise<void> => {
    const { office, client, random, tally } = desk
    const open = await openOf(desk)
    const one = someNote(desk, open?.id)
    if (!one) return note(desk)
    const other = pick(random, office.clients) ?? client
    const given = { office, note: one, client, other, openId: open?.id ?? one.conversationId }
    const { method, path, body, form } = (ways[way] as (typeof ways)[string])(given)
    const answer = await office.send(anybody(desk), method, path, body, form)
    const isOpen = open?.id === one.conversationId
    // What has ended takes nothing at all, which some calls say first.
    const codes = isOpen ? ['messages.is_note'] : ['messages.is_note', 'conversations.completed']
    tally.refused(way, answer, codes)
  }

/** A send under the id that a browser has given to a note is taken for a repeated call: it sends nothing. */
async function sameClientId(desk: Desk): Promise<void> {
  const { office, random, tally } = desk
  const talk = await openOf(desk)
  if (!talk) return write(desk)
  const who = anybody(desk)
  const clientMessageId = `nota-do-navegador-${office.next()}`
  const content = textOf(`${noteMark}${office.next()}`, random)
  const path = `/api/conversations/${talk.id}`
  const written = await office.send(who, 'POST', `${path}/notes`, { content, clientMessageId })
  if (!tally.expect('a note', written, [201])) return
  const mark = `${replyMark}${office.next()}z`
  const answer = await office.send(who, 'POST', `${path}/messages`, { content: mark, clientMessageId })
  tally.refused('reply under the id of a note', answer, ['messages.is_note'])
}

/** A statement written by hand. */
async function statement(desk: Desk): Promise<void> {
  const { office, client, random, tally } = desk
  const one = someNote(desk)
  const sent = pick(random, client.sent.slice(-20))
  if (!one || !sent) return note(desk)
  const name = pick(random, [...Object.keys(byHand), 'there and back']) as string
  const make = byHand[name]
  const constraint = await refusalOf(() =>
    make ? office.database.execute(make(office, one, sent.id)) : thereAndBack(office.database, office, one),
  )
  tally.byHand(name, constraint, holding)
}

/** A quick response that names the file of a note does not give it to anybody. */
async function quickResponse(desk: Desk): Promise<void> {
  const { office, client, tally } = desk
  const one = client.notes.findLast(({ file, isDeleted }) => file !== '' && !isDeleted)
  if (!one) return noteWithFile(desk)
  const file = { name: one.file, fileName: 'ficha.txt', mimeType: 'text/plain', sizeBytes: 10 }
  const quickResponses = [{ shortcut: 'ficha', text: '', file }]
  const admin = adminOf(office)
  await office.send(admin, 'PATCH', '/api/system-settings', { quickResponses })
  const path = `/api/quick-responses/files/${one.file}`
  tally.refused('a file of a note as quick response', await office.send(anybody(desk), 'GET', path), [
    'media.not_found',
  ])
}

/** What is told to the AI: the wire to it is read. */
async function askAssistant(desk: Desk): Promise<void> {
  const { office, random, tally } = desk
  const talk = await openOf(desk)
  if (!talk) return write(desk)
  const what = random() < 0.5 ? 'summary' : 'suggestion'
  const path = `/api/conversations/${talk.id}/assistant/${what}`
  const answer = await office.send(anybody(desk), 'POST', path, {})
  // Of a person's two questions the later one is answered.
  tally.expect(`ask the AI for a ${what}`, answer, [200, 429])
}

/** A file for a client, and the one with the notes. */
async function exportFile(desk: Desk): Promise<void> {
  const { office, client, random, tally } = desk
  const completed = (await talksOf(desk)).filter(({ status }) => status === 'completed')
  const talk = pick(random, completed)
  if (!talk) return finalize(desk)
  const format = random() < 0.5 ? 'text' : 'html'
  const path = `/api/conversations/archived/${talk.id}/export?format=${format}`
  const plain = await office.send(anybody(desk), 'GET', path)
  if (tally.expect('export', plain, [200])) tally.leak(`an export as ${format}`, marksIn(plain.text))
  const whole = await office.send(anybody(desk), 'GET', `${path}&notes=with`)
  if (!tally.expect('export with notes', whole, [200])) return
  const kept = client.notes.some((one) => one.conversationId === talk.id && !one.isDeleted)
  if (kept) tally.control('an export with notes has them', marksIn(whole.text).length > 0)
}

async function finalize(desk: Desk): Promise<void> {
  const { office, tally, random } = desk
  const talk = await openOf(desk)
  if (!talk) return write(desk)
  const path = `/api/conversations/${talk.id}/finalize`
  const answer = await office.send(anybody(desk), 'POST', path, {
    notes: `${noteMark}${office.next()} do arquivo`,
    isUndoable: random() < 0.3,
  })
  // What is in the queue is finalized by nobody but whoever leads.
  tally.expect('finalize', answer, [200, 403, 409])
}

/** With words to the colleague, which are of the team alone, too. */
async function transfer(desk: Desk): Promise<void> {
  const { office, random, tally } = desk
  const talk = await openOf(desk)
  if (!talk) return write(desk)
  const to = pick(random, office.team) as Colleague
  const note = `${noteMark}${office.next()} é com você`
  const answer =
    random() < 0.4
      ? await office.send(anybody(desk), 'PATCH', `/api/conversations/${talk.id}/assign-operator`, {
          operatorId: null,
        })
      : await office.send(anybody(desk), 'POST', `/api/conversations/${talk.id}/transfer`, {
          newOperatorId: to.id,
          note,
        })
  tally.expect('transfer', answer, [200, 400, 403, 409, 422])
}

/** Read up to a note: the receipt names messages of WhatsApp alone. */
async function readUpTo(desk: Desk): Promise<void> {
  const { office, tally } = desk
  const one = someNote(desk)
  if (!one) return note(desk)
  const path = `/api/conversations/${one.conversationId}/read`
  const answer = await office.send(anybody(desk), 'PUT', path, { lastMessageId: one.id })
  tally.expect('read up to a note', answer, [200, 204, 409])
}

/** Acts with their relative frequency. */
const acts: readonly [weight: number, act: (desk: Desk) => Promise<void>][] = [
  [12, note],
  [4, noteWithFile],
  [5, editNote],
  [3, deleteNote],
  [7, write],
  [8, reply],
  [2, replyWithFile],
  [3, finalize],
  [3, transfer],
  [2, readUpTo],
  [2, askAssistant],
  [2, exportFile],
  [1, quickResponse],
  [2, sameClientId],
  [8, statement],
  ...Object.keys(ways).map((way): [number, (desk: Desk) => Promise<void>] => [3, attempt(way)]),
]

const whole = acts.reduce((sum, [weight]) => sum + weight, 0)

/** One act at random. */
export async function act(desk: Desk): Promise<void> {
  let left = desk.random() * whole
  for (const [weight, one] of acts) {
    left -= weight
    if (left < 0) return one(desk)
  }
}
