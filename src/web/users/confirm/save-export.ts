import { isDeclined } from '#web/platform/api/api.ts'
import { downloadConfirmed } from '#web/platform/browser/download.ts'
import { toast } from '#web/ui/states/toast.ts'

/**
 * Has the browser save an export, for which the password may be asked again. It comes while it is saved,
 * however long it is. A failure is told as a toast.
 */
export async function saveExport(address: string): Promise<void> {
  try {
    await downloadConfirmed(address)
  } catch (error) {
    if (isDeclined(error) || !(error instanceof Error)) return
    toast({ tone: 'error', title: 'Erro ao exportar', description: error.message })
  }
}
