import { type SQL, sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import {
  type ContactImport,
  type ImportField,
  importFields,
  importStates,
  knownChoices,
} from '#shared/contacts/contact-imports.ts'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { month, since } from '#server/schema/declare/ends.ts'
import { gone, naming, ofContact, type Person } from '#server/schema/declare/person.ts'
import { table } from '#server/schema/declare/table.ts'
import { users } from '#server/schema/users.ts'

const undoable = { left: 'can be undone for a day only' } as const

/** Imports whose file nobody reads at this moment. Which of the files names the person is not known. */
export const restingImport = sql`state not in ('running', 'undoing')`

/** Rows of imported files that made or changed a contact of the person, or name them. */
const ofImportRow = (person: Person): SQL =>
  sql`(${ofContact('contact_id')(person)} or ${naming(sql`cells::text`, person)}
       or ${naming(sql`value`, person)})`

/** Files of contacts, and how far each is. A row is inserted before its file and deleted after it. */
export const contactImports = table(
  'contact_imports',
  {
    id: rowId(),
    fileName: text('file_name').notNull(),
    /** Its name in the file store. The rows are kept as lines of JSON; see `headerLine`. */
    storedName: text('stored_name').notNull().unique(),
    /** Of the file that was uploaded, like the four below. */
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    format: text('format', { enum: ['csv', 'xlsx', 'vcf'] }).notNull(),
    encoding: text('encoding', { enum: ['utf-8', 'windows-1252'] }),
    hasBom: boolean('has_bom').notNull(),
    separator: text('separator', { enum: [';', ',', '\t'] }),
    /** Of a spreadsheet those that it shows. A text is one without a name. */
    sheets: jsonb('sheets').$type<ContactImport['sheets']>().notNull().default([]),
    /** Which of them is imported, from 0. */
    sheet: integer('sheet').notNull().default(0),
    /** Where its headings are. Null: an earlier version kept the file, as it was or as CSV. */
    headerLine: integer('header_line'),
    withHidden: boolean('with_hidden').notNull().default(false),
    firstLines: jsonb('first_lines').$type<ContactImport['firstLines']>().notNull().default([]),
    headers: text('headers').array().notNull(),
    samples: text('samples').array().notNull(),
    firstRows: jsonb('first_rows').$type<string[][]>().notNull(),
    totalRows: integer('total_rows').notNull(),
    mapping: jsonb('mapping').$type<(ImportField | null)[]>().notNull(),
    /** When the remembered mapping was used; null: it was guessed. */
    mappingFrom: at('mapping_from'),
    knownRows: integer('known_rows'),
    known: text('known', { enum: knownChoices }).notNull().default('update'),
    state: text('state', { enum: importStates }).notNull().default('read'),
    /** The run of `job_runs` that works on it; null where no jobs run. */
    runId: uuid('run_id'),
    /** Who began or continued it, as the audit records what the run does. */
    actor: jsonb('actor').$type<Record<string, unknown>>(),
    /** Whether that person may create companies. */
    mayCreateCompanies: boolean('may_create_companies').notNull().default(false),
    uploadedBy: integer('uploaded_by')
      .notNull()
      .references(() => users.id),
    createdAt: at('created_at').notNull().default(appNow),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    /** When its run began, and how many rows were done then. */
    resumedAt: at('resumed_at'),
    resumedRows: integer('resumed_rows').notNull().default(0),
    /** The last line whose row is committed; the header is line 1. */
    doneLine: integer('done_line').notNull().default(0),
    doneRows: integer('done_rows').notNull().default(0),
    created: integer('created').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    kept: integer('kept').notNull().default(0),
    errors: integer('errors').notNull().default(0),
    /** Of an undone one. Lines from here on are undone. */
    undoneLine: integer('undone_line'),
    undoneRows: integer('undone_rows').notNull().default(0),
    deleted: integer('deleted').notNull().default(0),
    restored: integer('restored').notNull().default(0),
    deletedCompanies: integer('deleted_companies').notNull().default(0),
    /** The companies that it has created. */
    companyIds: integer('company_ids').array().notNull().default([]),
  },
  {
    backup: undoable,
    ends: {
      trimmed: {
        by: 'trim-contact-imports',
        after: month,
        since: since('created_at'),
        where: sql`t.state not in ('running', 'undoing')`,
      },
    },
    // The erasure gives up the files: an import that was not over can only begin anew.
    personal: {
      of: () => restingImport,
      columns: {
        fileName: sql`'arquivo'`,
        samples: sql`array_fill(''::text, array[cardinality(samples)])`,
        firstRows: sql`'[]'::jsonb`,
        sheets: sql`'[]'::jsonb`,
        firstLines: sql`'[]'::jsonb`,
        state: sql`case when state in ('read', 'stopped') then 'failed' else state end`,
        endedAt: sql`coalesce(ended_at, app_now())`,
      },
    },
    other: `
      id storedName sizeBytes format encoding hasBom separator sheet headerLine withHidden headers
      totalRows mapping mappingFrom knownRows known runId actor mayCreateCompanies uploadedBy
      createdAt startedAt resumedAt resumedRows doneLine doneRows created updated kept errors undoneLine
      undoneRows deleted restored deletedCompanies companyIds
    `,
  },
  (t) => [
    index('contact_imports_created').on(t.createdAt, t.id),
    check('contact_imports_state', oneOf(t.state, importStates)),
    check('contact_imports_known', oneOf(t.known, knownChoices)),
  ],
)

const rowOutcomes = ['created', 'updated', 'error'] as const

/**
 * What became of the rows of a file, by line; a row that changed nothing is only counted. Contacts are not
 * referenced: a check for each of 100,000 rows would take as long as the rows.
 */
export const contactImportRows = table(
  'contact_import_rows',
  {
    importId: integer('import_id')
      .notNull()
      .references(() => contactImports.id, { onDelete: 'cascade' }),
    line: integer('line').notNull(),
    outcome: text('outcome', { enum: rowOutcomes }).notNull(),
    contactId: integer('contact_id'),
    /** Undone, and its contact was deleted or has values of before again. */
    isUndone: boolean('is_undone').notNull().default(false),
    /** Of an updated contact, the changed columns before and after. */
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    /** Of an error: the cells as they are in the file, and what is wrong. */
    cells: jsonb('cells').$type<string[]>(),
    field: text('field', { enum: importFields }),
    value: text('value'),
    error: text('error'),
  },
  {
    backup: undoable,
    ends: {
      trimmed: {
        by: 'trim-contact-imports',
        after: month,
        since: sql`(select i.created_at from contact_imports i
                   where i.id = t.import_id and i.state not in ('running', 'undoing'))`,
      },
    },
    personal: {
      of: ofImportRow,
      isDeleted: true,
      columns: { before: gone, after: gone, cells: gone, value: gone },
    },
    other: 'importId line outcome contactId isUndone field error',
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.line] }),
    index('contact_import_rows_errors')
      .on(t.importId, t.field, t.line)
      .where(sql`${t.outcome} = 'error'`),
    check('contact_import_rows_outcome', oneOf(t.outcome, rowOutcomes)),
  ],
)
