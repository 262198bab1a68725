import { previewMacro as previewCall, runMacro as runCall } from '#shared/macros/macro-runs.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Http } from '#server/platform/http/http.ts'
import { previewMacro } from '#server/conversations/macros/preview.ts'
import { runMacro } from '#server/conversations/macros/run.ts'
import type { SendReceipt } from '#server/conversations/outgoing/receipts.ts'

/** The calls that run macros. Each step asks whether the person may do it. */
export function macroRoutes(
  { route }: Http,
  { database, files, sendReceipt }: { database: Database; files: FileStore; sendReceipt: SendReceipt },
): void {
  route(previewCall, ({ params: { id: conversationId, macroId }, who }) =>
    previewMacro({ database, files }, who, { conversationId, macroId }),
  )

  route(runCall, async ({ params: { id: conversationId, macroId }, body, who }) => {
    const { receipts, ...ran } = await runMacro({ database, files }, who, {
      conversationId,
      macroId,
      ...body,
    })
    for (const receipt of receipts) sendReceipt(receipt)
    return ran
  })
}
