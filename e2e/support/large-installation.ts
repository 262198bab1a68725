import type { Backup, MaintenanceRun, MaintenanceStats } from '#shared/maintenance/maintenance.ts'

const mb = 1024 * 1024
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** A run that has ended. */
const idle: MaintenanceRun = {
  id: '0b0d3c1e-2f6e-4d0f-9a53-3a1f0f5f6d01',
  kind: 'restore',
  state: 'done',
  step: null,
  done: 0,
  total: null,
  secondsLeft: null,
  backupId: 4,
  startedBy: 'Rui Paranhos',
  startedAt: ago(1700),
  finishedAt: ago(1694),
  error: null,
  plan: null,
  cleanup: null,
  retention: null,
}

/** An installation of two years, with a backup under way. */
export const stats: MaintenanceStats = {
  diskUsage: { totalSize: 731.48 * mb, percentage: 71.4, mediaFiles: 12_391, totalFiles: 12_604 },
  database: { size: 214.06 * mb, conversations: 8242, messages: 184_903, contacts: 1284, companies: 212 },
  lastBackup: { date: ago(900), size: 141.02 * mb, status: 'completed' },
  lastProof: { at: ago(898), rows: 194_641, files: 12_391, name: 'Backup_18-11-2026_23-00' },
  kinds: [
    { kind: 'text', count: 184_903, sizeBytes: 96.4 * mb },
    { kind: 'image', count: 8120, sizeBytes: 201.7 * mb },
    { kind: 'audio', count: 3204, sizeBytes: 61.25 * mb },
    { kind: 'video', count: 412, sizeBytes: 188.9 * mb },
    { kind: 'document', count: 868, sizeBytes: 65.57 * mb },
  ],
  weekGrowth: 12.8 * mb,
  freeBytes: 38.2 * 1024 * mb,
  daysLeft: 21_392,
  runs: [
    {
      ...idle,
      id: '0b0d3c1e-2f6e-4d0f-9a53-3a1f0f5f6d02',
      kind: 'backup',
      state: 'running',
      step: 'files',
      done: 96.02 * mb,
      total: 309.74 * mb,
      secondsLeft: 118,
      backupId: 6,
      startedBy: 'Marina Queiroz',
      startedAt: ago(3),
      finishedAt: null,
    },
    {
      ...idle,
      id: '0b0d3c1e-2f6e-4d0f-9a53-3a1f0f5f6d03',
      kind: 'cleanup',
      state: 'cancelled',
      cleanup: { deletedConversations: 200, deletedMessages: 4120, deletedFiles: 318 },
    },
    {
      ...idle,
      id: '0b0d3c1e-2f6e-4d0f-9a53-3a1f0f5f6d04',
      kind: 'retention',
      startedBy: null,
      retention: { files: 14, texts: 0, inbox: 2318, audit: 0 },
    },
  ],
}

const backup: Backup = {
  id: 5,
  name: 'Backup_18-11-2026_23-00',
  type: 'complete',
  status: 'completed',
  size: 141.02 * mb,
  conversationsCount: 8204,
  messagesCount: 184_020,
  mediaFilesCount: 12_391,
  error: null,
  isEncrypted: false,
  isUnsigned: false,
  isImported: false,
  createdBy: 'Rui Paranhos',
  createdAt: ago(900),
  completedAt: ago(898),
  proof: {
    at: ago(898),
    tables: 19,
    rows: 194_641,
    files: 12_391,
    bytes: 309.74 * mb,
    reusedFiles: 12_180,
    missingFiles: 0,
    damagedFiles: 0,
  },
}
const unfinished = { size: null, completedAt: null, proof: null } as const

/** Its backups, of every kind that there is. */
export const backups: readonly Backup[] = [
  {
    ...backup,
    ...unfinished,
    id: 6,
    name: 'Backup_19-11-2026_14-29',
    status: 'processing',
    createdBy: 'Marina Queiroz',
    createdAt: ago(3),
  },
  { ...backup, isEncrypted: true, createdBy: null },
  {
    ...backup,
    id: 4,
    name: 'Backup_17-11-2026_23-00',
    createdAt: ago(2340),
    proof: backup.proof && { ...backup.proof, missingFiles: 2, damagedFiles: 1 },
  },
  {
    ...backup,
    ...unfinished,
    id: 3,
    name: 'Backup_17-11-2026_09-41',
    status: 'failed',
    error: 'O disco está cheio',
    createdBy: 'Marina Queiroz',
    createdAt: ago(3159),
  },
  {
    ...backup,
    id: 2,
    name: 'Antes de trocar o servidor da matriz pelo da filial nova em Piracicaba',
    isImported: true,
    createdBy: null,
    proof: null,
    createdAt: ago(3780),
  },
]
