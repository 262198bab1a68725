import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { MultipartFile } from '@fastify/multipart'
import { eq } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { finalFileName, maxUploadBytes } from '#shared/messages/media.ts'
import { unreadableFile } from '#shared/text/contacts/unreadable-file.ts'
import type { Database } from '#server/platform/database/db.ts'
import { FileTooLarge, type FileStore, newFileName, type Spooled } from '#server/platform/file-store.ts'
import { bytesOfPart, nameOfPart } from '#server/platform/http/bodies/form-file.ts'
import { contactImports } from '#server/schema/contacts/contact-imports.ts'
import { examine } from './examine.ts'
import { type CsvForm, formOfCsv, keptForm, rowsOfCsv, unreadable } from './sheet-file.ts'
import { isZip, linesOfSpreadsheet } from './spreadsheet.ts'

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
    if (!isZip(uploaded.head)) {
      const form = await formOfCsv(uploaded.head, () => createReadStream(uploaded.path))
      return await keepCsv(deps, uploaded, { userId, fileName, sizeBytes, form, format: 'csv' })
    }
    const lines = linesOfSpreadsheet(await readFile(uploaded.path))
    const converted = await spool(deps.files, lines, mostConverted)
    try {
      return await keepCsv(deps, converted, { userId, fileName, sizeBytes, form: keptForm, format: 'xlsx' })
    } finally {
      await converted.drop()
    }
  } finally {
    await uploaded.drop()
  }
}

/** In bytes. */
const mostConverted = 512 * 1024 * 1024

async function keepCsv(
  { database, files }: Deps,
  spooled: Spooled,
  given: { userId: number; fileName: string; sizeBytes: number; form: CsvForm; format: 'csv' | 'xlsx' },
): Promise<number> {
  const { userId, fileName, sizeBytes, form, format } = given
  const examined = await examine(
    database,
    rowsOfCsv(() => createReadStream(spooled.path), form),
  )
  const isCsv = format === 'csv'
  const storedName = newFileName()
  const [made] = await database
    .insert(contactImports)
    .values({
      ...examined,
      fileName,
      storedName,
      sizeBytes,
      format,
      encoding: isCsv ? form.encoding : null,
      hasBom: isCsv && form.hasBom,
      separator: isCsv ? form.separator : null,
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
  if (other) throw unreadable(unreadableFile.otherKind(other[1]))
}

async function spool(files: FileStore, bytes: AsyncIterable<Uint8Array>, most: number): Promise<Spooled> {
  try {
    return await files.spool(bytes, most)
  } catch (error) {
    if (error instanceof FileTooLarge) throw new AppError('media.too_large')
    throw error
  }
}
