import * as z from 'zod/mini'
import { textOnClients } from '#shared/contacts/client-phone.ts'
import { listing, reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, instant, pageParam } from '#shared/users/users.ts'
import { exportedSector } from '#shared/text/contacts/exported-contact.ts'
import { contactLimits } from './contacts.ts'

/** What a column of a file can become, in the order of the checks; `sector` only where there are any. */
export const importFields = [
  'name',
  'phone',
  'email',
  'company',
  'category',
  'tags',
  'notes',
  'sector',
] as const
export type ImportField = (typeof importFields)[number]
const importField = z.enum(importFields)

export const importFieldLabels: Readonly<Record<ImportField, string>> = {
  name: 'Nome',
  phone: 'Telefone',
  email: 'Email',
  company: 'Empresa',
  category: 'Categoria',
  tags: 'Etiquetas',
  notes: 'Notas',
  sector: exportedSector,
}

/** What each column becomes, in the order of the file; null: nothing. A field may have several columns. */
const importMapping = z.array(z.nullable(importField)).check(z.maxLength(100))
export type ImportMapping = z.infer<typeof importMapping>

/** What is done with a number that a contact has already. */
export const knownChoices = ['update', 'skip'] as const
export type KnownChoice = (typeof knownChoices)[number]

/**
 * `read`: the file was read and nothing has begun. `failed`: it ended before its last row by a fault, and can
 * go on.
 */
export const importStates = ['read', 'running', 'stopped', 'failed', 'done', 'undoing', 'undone'] as const
export type ImportState = (typeof importStates)[number]

/** Which rows of a file are imported: of one sheet, those below its headings. */
const rowChoice = z.object({
  /** From 0. */
  sheet: z.int().check(z.nonnegative()),
  /** As a spreadsheet counts, from 1. */
  headerLine: z.int().check(z.positive()),
  /** Whether rows that the spreadsheet hides are imported too. */
  withHidden: z.boolean(),
})
export type RowChoice = z.infer<typeof rowChoice>
/** Without a line, that of the headings is guessed. */
const askedRows = z.partial(rowChoice, { headerLine: true })
export type AskedRows = z.infer<typeof askedRows>

export const contactImport = z.object({
  id,
  fileName: z.string(),
  sizeBytes: z.int(),
  format: z.enum(['csv', 'xlsx', 'vcf']),
  /** Null for a spreadsheet. */
  encoding: z.nullable(z.enum(['utf-8', 'windows-1252'])),
  hasBom: z.boolean(),
  /** Null for a spreadsheet, and for vCards. */
  separator: z.nullable(z.enum([';', ',', '\t'])),
  /** Of a spreadsheet those that it shows. `rows` have a value, `hidden` of them are not shown. */
  sheets: z.array(z.object({ name: z.string(), rows: z.int(), hidden: z.int() })),
  /** What is imported; null: of a file that an earlier version has read, all. */
  choice: z.nullable(rowChoice),
  /** The first rows of the chosen sheet, of which one has the headings. */
  firstLines: z.array(z.object({ line: z.int(), text: textOnClients })),
  /** With the first value that is not blank; '' if there is none. */
  columns: z.array(z.object({ name: textOnClients, sample: textOnClients })),
  /** The cells of the first rows, as they are in the file. */
  firstRows: z.array(z.array(textOnClients)),
  /** Of numbers that the file has without one; null when there is none, or several. Two digits. */
  areaCode: z.nullable(z.string()),
  totalRows: z.int(),
  mapping: importMapping,
  /** When a file with the same columns was imported with this mapping; null: it was guessed. */
  mappingFrom: z.nullable(instant),
  /**
   * How many of the rows without errors have a number that a contact has; null when the file's column of it
   * was not guessed.
   */
  knownRows: z.nullable(z.int()),
  known: z.enum(knownChoices),
  state: z.enum(importStates),
  /** Who uploaded the file. */
  uploadedBy: z.string(),
  createdAt: instant,
  startedAt: z.nullable(instant),
  /** When it was done, stopped or failed. */
  endedAt: z.nullable(instant),
  doneRows: z.int(),
  created: z.int(),
  updated: z.int(),
  /** Rows of known contacts that were skipped, or that changed nothing. */
  kept: z.int(),
  /** Rows that are left out; before it begins, by the guessed columns. */
  errors: z.int(),
  /** Rows a second since it began or went on; null before the first of them. */
  perSecond: z.nullable(z.number()),
  /** Until then it can be undone; null when it cannot. */
  undoUntil: z.nullable(instant),
  /** Whether it ended before its last row, and can go on. */
  canContinue: z.boolean(),
  /** Of `created` and `updated`, how many rows are undone. */
  undoneRows: z.int(),
  /** Of an undone one: contacts that were deleted, and those whose values are back. */
  deleted: z.int(),
  restored: z.int(),
  /** Companies that were deleted with them. */
  deletedCompanies: z.int(),
  /** Companies that it has created and only its contacts are in: undoing deletes them, too. */
  ownCompanies: z.int(),
})
export type ContactImport = z.infer<typeof contactImport>

/** The body is multipart/form-data with the part `file`, of at most `maxUploadBytes`. */
export const uploadContactImport = endpoint({
  method: 'POST',
  path: '/api/contacts/import',
  summary: 'Ler um arquivo de contatos, CSV, XLSX ou vCard; nada é gravado ainda',
  act: 'importContacts',
  audit: { not: 'reads a file; starting it is recorded' },
  takesFile: true,
  reply: contactImport,
  status: 201,
})

/** Reads the file again, which guesses the columns anew. Only of one that has not begun. */
export const chooseImportRows = endpoint({
  method: 'PUT',
  path: '/api/contacts/imports/:id/rows',
  summary: 'Escolher a planilha, a linha do cabeçalho e se as linhas ocultas entram',
  act: 'importContacts',
  audit: { not: 'reads a file; starting it is recorded' },
  ids: { id: 'import' },
  params: z.object({ id: idParam }),
  body: askedRows,
  reply: contactImport,
})

export const listContactImports = endpoint({
  method: 'GET',
  path: '/api/contacts/imports',
  summary: 'As últimas importações, da mais nova à mais antiga',
  act: 'importContacts',
  audit: listing,
  reply: z.array(contactImport),
})

const oneImport = { params: z.object({ id: idParam }), reply: contactImport }

export const getContactImport = endpoint({
  method: 'GET',
  path: '/api/contacts/imports/:id',
  summary: 'Uma importação e o seu andamento',
  ...oneImport,
  act: 'importContacts',
  audit: reading,
  ids: { id: 'import' },
})

/** Which columns the name and the telephone are must be said. */
export const startContactImport = endpoint({
  method: 'POST',
  path: '/api/contacts/imports/:id/start',
  summary: 'Começar uma importação',
  rows: {
    'POST /api/contacts/imports/{id}/start (skip)': { act: 'importContacts', audit: 'contact.import' },
    'POST /api/contacts/imports/{id}/start (update)': { act: 'updateByImport', audit: 'contact.import' },
  },
  ids: { id: 'import' },
  body: z.object({ mapping: importMapping, known: z.enum(knownChoices) }),
  ...oneImport,
})

export const stopContactImport = endpoint({
  method: 'POST',
  path: '/api/contacts/imports/:id/stop',
  summary: 'Parar uma importação: o que foi gravado fica',
  ...oneImport,
  act: 'importContacts',
  audit: 'contact.import_stop',
  ids: { id: 'import' },
})

export const continueContactImport = endpoint({
  method: 'POST',
  path: '/api/contacts/imports/:id/continue',
  summary: 'Continuar uma importação da linha em que parou',
  ...oneImport,
  rows: {
    'POST /api/contacts/imports/{id}/continue (skip)': {
      act: 'importContacts',
      audit: 'contact.import_continue',
    },
    'POST /api/contacts/imports/{id}/continue (update)': {
      act: 'updateByImport',
      audit: 'contact.import_continue',
    },
  },
  ids: { id: 'import' },
})

/** How long after its end an import can be undone, in milliseconds. */
export const undoableMs = 24 * 60 * 60_000

export const undoContactImport = endpoint({
  method: 'POST',
  path: '/api/contacts/imports/:id/undo',
  summary: 'Desfazer uma importação inteira, até um dia depois do fim',
  ...oneImport,
  act: 'importContacts',
  audit: 'contact.import_undo',
  ids: { id: 'import' },
})

/** Only of one that has not begun. */
export const deleteContactImport = endpoint({
  method: 'DELETE',
  path: '/api/contacts/imports/:id',
  summary: 'Descartar um arquivo que não foi importado',
  act: 'importContacts',
  audit: { not: 'discards a file of which nothing was written' },
  ids: { id: 'import' },
  params: z.object({ id: idParam }),
})

export const listImportErrors = endpoint({
  method: 'GET',
  path: '/api/contacts/imports/:id/errors',
  summary: 'As linhas com erro de uma importação',
  act: 'importContacts',
  audit: listing,
  ids: { id: 'import' },
  params: z.object({ id: idParam }),
  query: z.object({
    page: z.optional(pageParam),
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(100)))),
    field: z.optional(importField),
  }),
  reply: z.object({
    rows: z.array(
      z.object({
        /** As a spreadsheet counts: that of the header is 1. */
        line: z.int(),
        field: importField,
        value: textOnClients,
        error: textOnClients,
      }),
    ),
    /** How many rows have an error in each field, whatever was asked for; those with none are absent. */
    counts: z.array(z.object({ field: importField, count: z.int() })),
    pagination: z.object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() }),
  }),
})
export type ImportErrors = z.infer<NonNullable<(typeof listImportErrors)['reply']>>

export const exportImportErrors = endpoint({
  method: 'GET',
  path: '/api/contacts/imports/:id/errors/export',
  summary: 'As linhas com erro em CSV, com as colunas do arquivo e o erro, para corrigir',
  act: 'importContacts',
  audit: 'contact.export_errors',
  ids: { id: 'import' },
  params: z.object({ id: idParam }),
  sendsFile: true,
})

export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportContacts = endpoint({
  method: 'GET',
  path: '/api/contacts/export',
  summary: 'Os contatos que o filtro da lista mostra, inteiros, em CSV ou XLSX',
  act: 'exportContacts',
  audit: 'contact.export',
  isSensitive: true,
  query: z.object({
    format: z.enum(exportFormats),
    search: z.optional(z.string().check(z.maxLength(200))),
    category: z.optional(z.string().check(z.maxLength(100))),
    tag: z.optional(z.string().check(z.maxLength(contactLimits.tag))),
  }),
  sendsFile: true,
})
