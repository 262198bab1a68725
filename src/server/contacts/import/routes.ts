import * as z from 'zod/mini'
import {
  chooseImportRows,
  continueContactImport,
  deleteContactImport,
  exportImportErrors,
  getContactImport,
  listContactImports,
  listImportErrors,
  startContactImport,
  stopContactImport,
  undoContactImport,
  uploadContactImport,
} from '#shared/contacts/contact-imports.ts'
import { textOnClients } from '#shared/contacts/client-phone.ts'
import { record } from '#server/audit/audit.ts'
import { inTransaction, type Tx } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { maskFor } from '#server/platform/phones/hidden-phones.ts'
import { csvAnswer } from '#server/platform/http/answers/csv-answer.ts'
import { withFile } from '#server/platform/http/bodies/form-file.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import {
  chooseRows,
  continueImport,
  discardImport,
  startImport,
  type StartRun,
  stopImport,
  undoImport,
} from './acts.ts'
import { errorRows, listErrors, listImports, readImport } from './queries.ts'
import { receiveFile } from './receive.ts'
import { type ImportContext, importContactsJob, undoImportJob } from './run.ts'

const errorHead = z.array(textOnClients)
const errorLine = z.object({ cells: z.array(textOnClients), error: textOnClients })

export interface ImportRoutesContext extends ImportContext {
  /** undefined in a process that runs no jobs, where nothing that was begun goes on. */
  queue: () => Pick<JobQueue, 'ready' | 'start'> | undefined
}

/** The calls about the import of contacts. */
export function importRoutes({ route, routeByRow }: Http, context: ImportRoutesContext): void {
  const { database, queue } = context
  const starterOf =
    (job: JobDefinition<{ importId: number }>): StartRun =>
    async (db, { importId, startedBy }) =>
      queue()?.start(db, job, { data: { importId }, startedBy })
  const startRun = starterOf(importContactsJob(context))
  const startUndo = starterOf(undoImportJob(context))
  const act = async (id: number, work: (db: Tx) => Promise<void>) => {
    await queue()?.ready()
    await inTransaction(database, work)
    return readImport(database, id)
  }

  route(uploadContactImport, async ({ who, request }) => {
    const id = await withFile(request, (part) => receiveFile(context, who.id, part))
    return readImport(database, id)
  })

  route(listContactImports, () => listImports(database))

  route(getContactImport, ({ params }) => readImport(database, params.id))

  route(chooseImportRows, async ({ params, body, who }) => {
    await chooseRows(context, who, params.id, body)
    return readImport(database, params.id)
  })

  routeByRow(startContactImport, async ({ params, body, who, permit }) => {
    permit(`POST /api/contacts/imports/{id}/start (${body.known})`)
    return act(params.id, (db) => startImport(db, who, params.id, { ...body, startRun }))
  })

  route(stopContactImport, ({ params, who }) => act(params.id, (db) => stopImport(db, who, params.id)))

  routeByRow(continueContactImport, async ({ params, who, permit }) => {
    permit('POST /api/contacts/imports/{id}/continue (skip)')
    const { known } = await readImport(database, params.id)
    permit(`POST /api/contacts/imports/{id}/continue (${known})`)
    return act(params.id, (db) => continueImport(db, who, params.id, startRun))
  })

  route(undoContactImport, ({ params, who }) =>
    act(params.id, (db) => undoImport(db, who, params.id, startUndo)),
  )

  route(deleteContactImport, async ({ params, who }) => {
    await discardImport(context, who, params.id)
    return undefined
  })

  route(listImportErrors, ({ params, query: { page = 1, limit = 10, field } }) =>
    listErrors(database, params.id, { page, limit, field }),
  )

  route(exportImportErrors, async ({ params, who, reply }) => {
    const { columns, errors, fileName } = await readImport(database, params.id)
    // Before the first row leaves: also one who breaks it off has taken something.
    await record(database, who, {
      action: 'contact.export_errors',
      details: { importId: params.id, rows: errors },
    })
    const head = [...columns.map(({ name }) => name), 'Erro']
    const stem = fileName.replace(/\.[^.]*$/, '')
    return csvAnswer(
      reply,
      `${stem} - corrigir.csv`,
      maskFor(who, errorHead)(head),
      errorLines(params.id, who, columns.length),
    )
  })

  async function* errorLines(id: number, who: Who, width: number) {
    const mask = maskFor(who, errorLine)
    for await (const row of errorRows(database, id)) {
      const { cells, error } = mask(row)
      yield [...Array.from({ length: width }, (_, n) => cells[n] ?? ''), error]
    }
  }
}
