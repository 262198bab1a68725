import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ZipFile } from 'yazl'
import { record } from '#server/audit/audit.ts'
import { contactNotFound, readContact } from '#server/contacts/contacts.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { SendBytes } from '#server/platform/http/http.ts'
import { noteRequest } from './erase.ts'
import { pageOf } from './page.ts'
import { gatherPerson } from './person.ts'
import {
  type Dossier,
  type FileData,
  listAccessData,
  listContactData,
  listConversationData,
  listFileData,
  listRatingData,
  messagesOf,
} from './personal-data.ts'

/**
 * Sends all that there is about a contact as a ZIP: a page to read, the same as JSON, and the files. It is
 * made while it is sent. The request is recorded before the first byte leaves: also who breaks it off has
 * taken something.
 * @throws AppError 404
 */
export async function personalDataAnswer(
  { database, files }: { database: Database; files: FileStore },
  who: Who,
  contactId: number,
  reply: FastifyReply,
): Promise<SendBytes> {
  const dossier = await gather(database, who, contactId)
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const options = { mtime: new Date(dossier.madeAt), forceDosTimestamp: true }
  let current: Readable | undefined
  const add = (path: string, open: () => Promise<Readable | undefined>, compress: boolean) =>
    zip.addReadStreamLazy(path, { ...options, compress }, (give) => {
      open().then(
        (stream) => {
          // A file that was deleted since the list was made is empty.
          current = stream ?? Readable.from([])
          give(null, current)
        },
        (error: unknown) => zip.emit('error', error),
      )
    })
  add('index.html', () => Promise.resolve(Readable.from(pageOf(dossier))), true)
  add('dados.json', () => Promise.resolve(Readable.from(jsonOf(dossier))), true)
  for (const { name, path } of dossier.files) add(path, () => files.read(name), false)
  zip.end()
  // An error on the way ends the connection, so that a part is not taken for the whole.
  zip.on('error', (error: Error) => output.destroy(error))
  output.on('close', () => current?.destroy())
  return () =>
    reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="dados-do-contato-${contactId}.zip"`)
      .header('cache-control', 'no-store')
      .send(output)
}

function gather(database: Database, who: Who, contactId: number): Promise<Dossier> {
  return inTransaction(database, async (db) => {
    await readContact(db, contactId)
    await confirmRights(who, db)
    const person = await gatherPerson(db, contactId)
    const contacts = await listContactData(db, person, contactId)
    if (contacts.length === 0) throw contactNotFound()
    const conversations = await listConversationData(db, person)
    const ratings = await listRatingData(db, person)
    const accesses = await listAccessData(db, person)
    const files = (await listFileData(db, person)).map((file, n) => ({ ...file, path: pathOf(file, n) }))
    const paths = new Map(files.map(({ messageId, path }) => [messageId, path]))
    const proof = {
      conversations: conversations.length,
      messages: conversations.reduce((sum, { mensagens }) => sum + mensagens, 0),
      files: files.length,
      audit_logs: accesses.length,
    }
    const request = await noteRequest(db, { kind: 'export', contactId, userId: who.id, proof })
    await record(db, who, { action: 'contact.personal_data', resourceId: contactId, details: { request } })
    return {
      madeAt: (await appNow(db)).toISOString(),
      contacts,
      conversations,
      ratings,
      accesses,
      files,
      messagesOf: ({ id }) => messagesOf(database, id, (messageId) => paths.get(messageId)),
    }
  })
}

/** What is opened by a viewer or a player, and runs no script. */
const safeEnding = new RegExp(
  `\\.(${[
    'jpe?g png gif webp bmp heic heif tiff?',
    'mp3 wav ogg oga opus m4a aac amr flac mp4 avi mov webm mkv 3gp',
    'pdf docx? xlsx? pptx? odt ods odp rtf txt csv vcf zip rar 7z',
  ]
    .join(' ')
    .replaceAll(' ', '|')})$`,
  'i',
)

/**
 * Within the ZIP: with the name that it had, as far as every system takes it. What a client has sent may be a
 * page with a script, which a browser would run beside the person's data.
 */
export function pathOf({ fileName, mimeType, messageId }: FileData, n: number): string {
  const kept = (fileName ?? `arquivo.${(mimeType.split('/')[1] ?? 'bin').replace(/[^a-z0-9]/gi, '')}`)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(-100)
  const safe = kept.includes('.') && !safeEnding.test(kept) ? `${kept}.txt` : kept || 'arquivo'
  return `arquivos/${String(n + 1).padStart(4, '0')}-${messageId === null ? 'foto-' : ''}${safe}`
}

async function* jsonOf(dossier: Dossier): AsyncGenerator<string> {
  const { madeAt, contacts, conversations, ratings, accesses, files } = dossier
  const [contact, ...others] = contacts
  const head = { geradoEm: madeAt, contato: contact, cadastrosAnteriores: others }
  yield `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n  "conversas": [`
  for (const [n, conversation] of conversations.entries()) {
    const { id: _id, mensagens: _count, ...told } = conversation
    yield `${n > 0 ? ',' : ''}\n    ${JSON.stringify(told).slice(0, -1)},"mensagens":[`
    let isFirst = true
    for await (const { id: _messageId, ...message } of dossier.messagesOf(conversation)) {
      yield `${isFirst ? '' : ','}\n      ${JSON.stringify(message)}`
      isFirst = false
    }
    yield ']}'
  }
  const list = files.map(({ path, mimeType, sizeBytes }) => ({
    arquivo: path,
    tipo: mimeType,
    bytes: sizeBytes,
  }))
  const tail = { avaliacoes: ratings, arquivos: list, acessos: accesses }
  yield `],\n${JSON.stringify(tail, undefined, 2).slice(2)}\n`
}
