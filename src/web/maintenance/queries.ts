import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type CleanupChoice,
  cleanupConversations,
  createBackup,
  deleteBackup,
  downloadBackup,
  getMaintenanceStats,
  listBackups,
  type MaintenanceRun,
  previewCleanup,
  previewRestore,
  restoreBackup,
  type RestoreChoice,
  stopMaintenance,
} from '#shared/maintenance/maintenance.ts'
import {
  getMaintenancePlan,
  type MaintenancePlan,
  type StoredPlan,
  previewRetention,
  putMaintenancePlan,
} from '#shared/maintenance/maintenance-plan.ts'
import { expectConfirmation } from '#shared/users/profile.ts'
import { ApiError, call, isDeclined } from '#web/platform/api/api.ts'
import { download } from '#web/platform/browser/download.ts'
import { toast } from '#web/ui/states/toast.ts'
import { cleanedText } from './runs/run-words.ts'

const all = ['maintenance'] as const

/** While the tab is visible. @see specification §9 Refresh */
const pollMs = 3000

export const maintenanceQueries = {
  all,

  stats: () =>
    queryOptions({
      queryKey: [...all, 'stats'],
      queryFn: ({ signal }) => call(getMaintenanceStats, { signal }),
      refetchInterval: pollMs,
    }),

  /** Newest first. */
  backups: () =>
    queryOptions({
      queryKey: [...all, 'backups'],
      queryFn: ({ signal }) => call(listBackups, { signal }),
      refetchInterval: pollMs,
    }),

  plan: () =>
    queryOptions({
      queryKey: [...all, 'plan'],
      queryFn: ({ signal }) => call(getMaintenancePlan, { signal }),
    }),

  /** What a cleanup would delete, counted anew each time that it is asked for. */
  cleanup: (choice: CleanupChoice) =>
    queryOptions({
      queryKey: [...all, 'cleanup', choice],
      queryFn: ({ signal }) => call(previewCleanup, { body: choice, signal }),
      gcTime: 0,
      refetchInterval: false,
      refetchOnWindowFocus: false,
      retry: false,
    }),
}

/** What the server says of a refusal. Of a failure it says only that there was one. */
const reasonOf = (error: Error, otherwise: string): string =>
  error instanceof ApiError && (error.status < 500 || error.code === 'maintenance.store_away')
    ? (error.userMessage ?? otherwise)
    : otherwise

/** Reports a failure: its reason, or these words. */
const tellOf = (title: string, otherwise: string) => (error: Error) => {
  if (!isDeclined(error)) toast({ tone: 'error', title, description: reasonOf(error, otherwise) })
}

const refetch = (client: QueryClient) => client.invalidateQueries({ queryKey: all })

/** Shows a run that has just been started, also before the next poll. */
function noteRun(client: QueryClient, run: MaintenanceRun): void {
  client.setQueryData(
    maintenanceQueries.stats().queryKey,
    (stats) => stats && { ...stats, runs: [run, ...stats.runs.filter(({ kind }) => kind !== run.kind)] },
  )
  void refetch(client)
}

export function useCreateBackup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => call(createBackup, { body: { name, type: 'complete' } }),
    onSuccess: (created) => {
      client.setQueryData(maintenanceQueries.backups().queryKey, (backups) => {
        return backups && [created, ...backups.filter(({ id }) => id !== created.id)]
      })
    },
    onError: tellOf('Erro ao criar backup', 'Falha ao criar backup'),
    onSettled: () => refetch(client),
  })
}

export function useDeleteBackup({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deleteBackup, { params: { id } }),
    onSuccess: () => {
      toast({ title: 'Backup apagado' })
      onDone()
    },
    onError: tellOf('Erro ao apagar o backup', 'Falha ao apagar o backup'),
    onSettled: () => refetch(client),
  })
}

/**
 * Has the browser itself save a backup, which may be larger than its memory. It would not tell this page that
 * it was refused, so that is asked before.
 */
export function useDownloadBackup() {
  return useMutation({
    mutationFn: async (id: number) => {
      const address = downloadBackup.path.replace(':backupId', String(id))
      await call(expectConfirmation)
      // As a download is recorded, and this is none: without a body, and without the words of a refusal.
      const answer = await fetch(address, { method: 'HEAD', credentials: 'same-origin' })
      if (!answer.ok) throw await refusalOf(address)
      download(address)
    },
    onError: tellOf('Erro no download', 'Falha ao baixar o backup'),
  })
}

/** In the words that a refused download comes with. */
async function refusalOf(address: string): Promise<ApiError> {
  const answer = await fetch(address, { headers: { range: 'bytes=0-0' }, credentials: 'same-origin' })
  return new ApiError(answer.status, answer.statusText, answer.ok ? '' : await answer.text())
}

/** Begins to find out what a restore would change; its run has the plan in the end. */
export function usePreviewRestore(backupId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RestoreChoice) => call(previewRestore, { params: { backupId }, body }),
    onSuccess: (run) => noteRun(client, run),
    onError: tellOf('Erro no restore', 'Falha no restore'),
  })
}

/** Begins a restore; how it ends is reported by `useRunEnds`. */
export function useRestore(backupId: number, { onStarted }: { onStarted: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RestoreChoice) => call(restoreBackup, { params: { backupId }, body }),
    onSuccess: (run) => {
      noteRun(client, run)
      toast({
        tone: 'info',
        title: 'Restauração iniciada',
        description: 'O andamento aparece acima da lista de backups.',
      })
      onStarted()
    },
    onError: tellOf('Erro no restore', 'Falha no restore'),
  })
}

export function useStopRun() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (runId: string) => call(stopMaintenance, { params: { runId } }),
    onError: tellOf('Erro ao parar', 'Falha ao parar o trabalho'),
    onSettled: () => refetch(client),
  })
}

/** Deletes completed conversations. Answered at the end, which may be long after the dialog was closed. */
export function useCleanup({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: CleanupChoice) => call(cleanupConversations, { body }),
    onSuccess: ({ isFinished, ...counts }) => {
      const title = isFinished ? 'Limpeza concluída' : 'Limpeza parada'
      toast({ title, description: cleanedText(counts), tone: isFinished ? 'success' : 'info' })
      onDone()
      // Lists, figures and reports of every screen have other numbers now.
      void client.invalidateQueries()
    },
    onError: (error) => {
      tellOf('Erro na limpeza', 'Falha na limpeza')(error)
      void refetch(client)
    },
  })
}

/** A colleague has changed the plan since. */
export const isStale = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'maintenance.plan_changed'

export function useSavePlan() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: StoredPlan) => call(putMaintenancePlan, { body }),
    onSuccess: (saved) => {
      client.setQueryData(maintenanceQueries.plan().queryKey, saved)
      toast({ title: 'Backup diário e prazos salvos' })
    },
    onError: tellOf('Erro ao salvar', 'Não foi possível salvar o backup diário e os prazos.'),
  })
}

/** Counts what the periods of a plan would delete in the coming night. */
export function usePreviewRetention() {
  return useMutation({
    mutationFn: (body: MaintenancePlan) => call(previewRetention, { body }),
    onError: tellOf('Erro ao contar', 'Não foi possível contar o que seria apagado.'),
  })
}
