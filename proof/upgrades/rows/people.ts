import { flags } from '#shared/permissions.ts'
import { type Era, type Row, type Rows, days, uuid } from './era.ts'

/** The administrator who signs in after the upgrade, with the password of everybody. */
export const admin = { username: 'chefe', password: 'senha-do-chefe-1' }

/** The installation, its people, and what it has done for itself. */
export const peopleRows = (era: Era): Rows => ({
  // Its epoch begins the names of the backups' folders.
  installation: [{ epoch: uuid(1), is_demo: false, file_place: 'disk' }],
  users: [
    // Locked by wrong passwords.
    user(era, { id: 3, username: 'beto', name: 'Beto', number_ids: [1] }),
    user(era, { id: 1, username: admin.username, name: 'Chefe', role: 'admin' }),
    user(era, { id: 2, username: 'ana', name: 'Ana Conceição', is_away: true }),
    user(era, {
      id: 4,
      username: 'carla',
      name: 'Carla',
      role: 'supervisor',
      is_blocked: true,
      must_change_password: true,
      totp_secret_encrypted: era.encrypt('JBSWY3DPEHPK3PXP'),
      totp_confirmed_at: era.ago(days(20)),
      totp_last_step: 58_000_000,
    }),
    user(era, { id: 5, username: 'saiu', name: 'Saiu', deleted_at: era.ago(days(30)), is_active: false }),
  ],
  user_permissions: [
    { user_id: 2, flags: Object.fromEntries(flags.map((flag) => [flag, flag.startsWith('canView')])) },
  ],
  // One that has ended, and one that lives.
  sessions: [{ user_id: 2 }, { user_id: 2, token_hash: era.tokenHash }],
  recovery_codes: [{ user_id: 4 }, { user_id: 4 }],
  trusted_devices: [{ user_id: 4 }],
  second_factor_duties: [{ role: 'supervisor' }],
  system_settings: [
    {
      values: {
        isAutoReplyEnabled: false,
        queueMessage: '',
        queueWelcomeMessage: '',
        queuePositionUpdateMessage: '',
        warningMessage: '',
        operatorInitiatedWarningMessage: '',
        blockedFileMessage: '',
        timezone: 'America/Manaus',
        quickResponses: [
          { shortcut: 'pix', text: 'Nosso Pix é 12.345' },
          {
            shortcut: 'tabela',
            text: 'Segue a tabela',
            file: {
              name: era.files.response.name,
              fileName: 'tabela.pdf',
              mimeType: 'application/pdf',
              sizeBytes: era.files.response.size,
            },
          },
        ],
      },
    },
  ],
  ...auditRows(),
  notices: [{ kind: 'webhooks_refused', subject: '', fact: { kind: 'webhooks_refused', count: 3 } }],
  // The first of them cancelled.
  job_runs: [{}, { state: 'done' }, { name: 'maintenance', state: 'failed' }],
  events: [
    { seq: 1, type: 'conversation_updated' },
    { seq: 2, type: 'message_received', conversation_id: 1, message_id: 1 },
    { seq: 3, type: 'session_ended', user_id: 2, data: { reason: 'x' } },
  ],
  saved_reports: [{ filter: { period: 'month', operatorId: 2 } }],
  maintenance_backups: [
    {
      status: 'completed',
      type: 'complete',
      file_path: 'folder-of-an-earlier-backup',
      is_encrypted: false,
      proof: {
        at: era.ago(days(4)),
        ...counts('tables', 'rows', 'files', 'bytes', 'reusedFiles', 'missingFiles', 'damagedFiles'),
      },
    },
    {
      status: 'failed',
      file_path: 'folder-of-a-failed-backup',
      error: 'O disco está cheio',
      run_id: uuid(3),
    },
  ],
  maintenance_runs: [
    {
      id: uuid(3),
      kind: 'backup',
      backup_id: 2,
      plan: {
        isOwn: true,
        madeAt: era.ago(days(4)),
        tables: [],
        files: counts('rows', 'added', 'sizeBytes'),
        keysToType: ['loja'],
      },
      cleanup: counts('deletedConversations', 'deletedMessages', 'deletedFiles'),
      retention: counts('files', 'texts', 'inbox', 'audit'),
    },
  ],
  maintenance_plans: [
    {
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
      // Done for today in Manaus, or it would begin at any moment of the proof.
      retention_day: era.ago(4 * 60).slice(0, 10),
    },
  ],
  // An assistant that is switched off; nobody listens there.
  gpt_maker_config: [
    { agent_id: 'agent', is_active: false, auto_response_delay: 2500, help_base_url: 'http://127.0.0.1:1' },
  ],
})

const counts = (...names: string[]) => Object.fromEntries(names.map((name, n) => [name, n + 1]))

function user(era: Era, row: Row): Row {
  return {
    email: `${String(row['username'])}@exemplo.com.br`,
    password_hash: era.passwordHash,
    role: 'operator',
    ...row,
  }
}

/** The rows are sealed afterwards, as a program would have done. */
function auditRows(): Rows {
  const row = (more: Row): Row => ({
    user_id: 1,
    resource_type: 'user',
    details: { freed: 2 },
    position: null,
    hash: null,
    personal_hash: null,
    ...more,
  })
  const person = { role: 'admin', session_id: 7, origin: 'request' }
  return {
    audit_logs: [
      row({ action: 'user.create' }),
      row({ action: 'auth.other_user', details: {} }),
      row({ action: 'user.block', ...person, outcome: 'refused' }),
      row({ action: 'user.unblock', ...person }),
      row({ action: 'user.update', ...person }),
      row({
        action: 'audit.erase',
        ...person,
        resource_type: 'audit',
        details: { resourceType: 'user', resourceId: '2', rows: [4] },
      }),
      // It is counting repetitions, and will be sealed by the program.
      row({ action: 'auth.other_user', ...person, repeats: 3, repeat_key: 'x' }),
      // Another version called it so.
      row({ action: 'second_factor.duties', resource_type: 'settings' }),
    ],
    audit_personal: [
      { log_id: 3, salt: '0123456789abcdef', values: { actor: 'Chefe', address: '203.0.113.7' } },
      { log_id: 4, salt: null, values: null, erased_by: 6 },
    ],
    audit_checks: [{ position: 2, first_position: 2, first_fault: 'changed' }],
  }
}
