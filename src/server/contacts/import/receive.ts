import { createReadStream } from 'node:fs'
import type { MultipartFile } from '@fastify/multipart'
import { eq } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { finalFileName, maxUploadBytes } from '#shared/messages/media.ts'
import type { unreadableFile } from '#shared/text/contacts/unreadable-file.ts'
import type { Database } from '#server/platform/database/db.ts'
import { FileTooLarge, type FileStore, newFileName, type Spooled } from '#server/platform/file-store.ts'
import { bytesOfPart, nameOfPart } from '#server/platform/http/bodies/form-file.ts'
import { contactImports } from '#server/schema/contacts/contact-imports.ts'
import { examine } from './examine.ts'
import type { FileFacts } from './reading/read-file.ts'
import { readForeign, unreadable } from './reading/reading.ts'

interface Deps {
  database: Database
  files: FileStore
}

/**
 * Reads an uploaded file to its end, and keeps it for the import.
 * @returns the id of the import
 * @throws AppError 413 too large, 422 empty or unreadable
 */
export async function receiveFile(deps: Deps, userId: number, part: MultipartFile): Promise<number> {
  const uploaded = await spool(deps.files, bytesOfPart(part), maxUploadBytes)
  try {
    if (uploaded.sizeBytes === 0) throw new AppError('media.empty')
    refuseOthers(uploaded.head)
    const fileName = finalFileName(nameOfPart(part))
    const { sizeBytes } = uploaded
    const reading = readForeign(uploaded.path)
    const kept = await spoolKept(deps.files, reading.lines)
    try {
      return await keepRows(deps, kept, { userId, fileName, sizeBytes, facts: reading.facts() })
    } finally {
      await kept.drop()
    }
  } finally {
    await uploaded.drop()
  }
}

/** Of what was read. In bytes. */
const mostKept = 256 * 1024 * 1024

async function spoolKept(files: FileStore, lines: AsyncIterable<Uint8Array>): Promise<Spooled> {
  try {
    return await files.spool(lines, mostKept)
  } catch (error) {
    if (error instanceof FileTooLarge) throw unreadable({ name: 'tooLarge' })
    throw error
  }
}

async function keepRows(
  { database, files }: Deps,
  spooled: Spooled,
  given: { userId: number; fileName: string; sizeBytes: number; facts: FileFacts },
): Promise<number> {
  const { userId, fileName, sizeBytes, facts } = given
  const { format, form, sheets } = facts
  const sheet = Math.max(
    0,
    sheets.findIndex(({ rows }) => rows > 0),
  )
  const examined = await examine(database, () => createReadStream(spooled.path), { sheet, withHidden: false })
  const storedName = newFileName()
  const [made] = await database
    .insert(contactImports)
    .values({
      ...examined,
      fileName,
      storedName,
      sizeBytes,
      format,
      sheets,
      encoding: form?.encoding ?? null,
      hasBom: form?.hasBom ?? false,
      separator: form?.separator ?? null,
      uploadedBy: userId,
    })
    .returning({ id: contactImports.id })
  if (!made) throw new Error('import not written')
  try {
    await files.keep(storedName, spooled)
  } catch (error) {
    await database.delete(contactImports).where(eq(contactImports.id, made.id))
    throw error
  }
  return made.id
}

/** What people take for a list of contacts, by its beginning. */
const others: readonly (readonly [start: string, kind: Parameters<typeof unreadableFile.otherKind>[0]])[] = [
  ['%PDF', 'pdf'],
  ['\xd0\xcf\x11\xe0', 'oldExcel'],
  ['\xff\xd8\xff', 'photo'],
  ['\x89PNG', 'image'],
  ['GIF8', 'image'],
  ['{\\rtf', 'richText'],
  ['<', 'webPage'],
]

function refuseOthers(head: Buffer): void {
  const start = head.subarray(0, 256).toString('latin1').replace(/^\s+/, '')
  const other = others.find(([mark]) => start.startsWith(mark))
  if (other) throw unreadable({ name: 'otherKind', given: other[1] })
}

async function spool(files: FileStore, bytes: AsyncIterable<Uint8Array>, most: number): Promise<Spooled> {
  try {
    return await files.spool(bytes, most)
  } catch (error) {
    if (error instanceof FileTooLarge) throw new AppError('media.too_large')
    throw error
  }
}
