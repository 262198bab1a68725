import { anonymizeContact, exportPersonalData, listPrivacyRequests } from '#shared/maintenance/privacy.ts'
import { sweepFiles } from '#server/media/media.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { anonymize } from '#server/maintenance/privacy/erase.ts'
import { personalDataAnswer } from '#server/maintenance/privacy/export.ts'
import { listRequests } from '#server/maintenance/privacy/requests.ts'

/** The calls by which a person gets their rights. @see security §5.2 */
export function privacyRoutes(
  { route }: Http,
  { database, files, secrets, log }: { database: Database; files: FileStore; secrets: Secrets; log: Log },
): void {
  route(exportPersonalData, ({ params, who, reply }) =>
    personalDataAnswer({ database, files }, who, params.id, reply),
  )

  route(anonymizeContact, async ({ params, who }) => {
    const proof = await anonymize(database, secrets, who, params.id)
    // What fails here, the hourly sweep does.
    await sweepFiles(database, files).catch((error: unknown) =>
      log.warn({ err: error }, 'files of an anonymized contact not deleted yet'),
    )
    return { proof }
  })

  route(listPrivacyRequests, ({ query: { page = 1, limit = 20 } }) => listRequests(database, { page, limit }))
}
