import { type Era, type Rows, days } from './era.ts'

const job = '00000000-0000-4000-8000-000000000020'

export const upkeepRows = (era: Era): Rows => ({
  saved_reports: [
    {
      id: 1,
      user_id: 1,
      name: 'Do mês',
      filter: { period: 'month', operatorId: 2 },
      created_at: era.ago(days(2)),
    },
  ],
  job_runs: [
    {
      id: job,
      name: 'maintenance',
      state: 'failed',
      attempt: 1,
      created_at: era.ago(days(3)),
      finished_at: era.ago(days(3)),
      error: 'x',
    },
  ],
  maintenance_backups: [
    {
      id: 1,
      name: 'Backup de antes',
      status: 'completed',
      file_path: 'folder-of-an-earlier-backup',
      size: 1000,
      conversations_count: 1,
      messages_count: 2,
      media_files_count: 1,
      is_scheduled: true,
      proof: {
        at: era.ago(days(4)),
        tables: 1,
        rows: 1,
        files: 1,
        bytes: 1,
        reusedFiles: 0,
        missingFiles: 0,
        damagedFiles: 0,
      },
      created_by: 1,
      created_at: era.ago(days(4)),
      completed_at: era.ago(days(4)),
    },
    {
      id: 2,
      name: 'Backup que falhou',
      status: 'failed',
      file_path: 'folder-of-a-failed-backup',
      error: 'O disco está cheio',
      run_id: job,
      created_at: era.ago(days(3)),
    },
  ],
  maintenance_runs: [
    {
      id: job,
      kind: 'backup',
      backup_id: 2,
      step: 'tables',
      step_at: era.ago(days(3)),
      error: 'O disco está cheio',
      plan: {
        isOwn: true,
        madeAt: era.ago(days(4)),
        tables: [],
        files: { rows: 1, added: 1, sizeBytes: 1 },
        keysToType: ['loja'],
      },
      cleanup: { deletedConversations: 1, deletedMessages: 2, deletedFiles: 3 },
      retention: { files: 1, texts: 2, inbox: 3, audit: 4 },
    },
  ],
  maintenance_plans: [
    {
      id: 1,
      plan: {
        isBackupScheduled: false,
        backupTime: '03:00',
        backupsKept: 7,
        mediaDays: null,
        textDays: null,
        inboxDays: 365,
        auditDays: null,
      },
      backup_day: '2026-01-01',
      retention_day: '2026-01-01',
      updated_at: era.ago(days(5)),
    },
  ],
  restored_files: [{ name: 'of-an-earlier-restore', run_id: job }],
})
