import { flags } from '#shared/permissions.ts'
import { type Era, type Row, type Rows, days } from './era.ts'

/** The administrator who signs in after the upgrade, with the password of everybody. */
export const admin = { username: 'chefe', password: 'senha-do-chefe-1' }

export const peopleRows = (era: Era): Rows => ({
  installation: [
    {
      id: 1,
      epoch: '00000000-0000-4000-8000-000000000001',
      uid: '00000000-0000-4000-8000-000000000002',
      sends_paused_until: era.ago(days(10)),
      is_demo: false,
      file_place: 'disk',
      created_at: era.ago(days(400)),
    },
  ],
  users: [
    user(era, { id: 1, username: admin.username, name: 'Chefe', role: 'admin' }),
    user(era, {
      id: 2,
      username: 'ana',
      name: 'Ana Conceição',
      is_away: true,
      last_login_attempt_at: era.ago(days(2)),
    }),
    // Locked by wrong passwords.
    user(era, {
      id: 3,
      username: 'beto',
      name: 'Beto',
      failed_login_attempts: 3,
      last_login_attempt_at: era.ago(days(1)),
      login_locked_at: era.ago(days(1)),
      locked_until: era.ago(days(1)),
      lock_count: 2,
      number_ids: [1],
    }),
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
  sessions: [
    {
      id: 1,
      token_hash: era.tokenHash,
      user_id: 2,
      created_at: era.ago(60),
      last_seen_at: era.ago(5),
      confirmed_at: era.ago(60),
      user_agent: 'Prova/1.0',
      address: '203.0.113.7',
    },
    {
      id: 2,
      token_hash: 'of-an-ended-one',
      user_id: 2,
      created_at: era.ago(days(3)),
      last_seen_at: era.ago(days(2)),
      ended_at: era.ago(days(2)),
      confirmed_at: era.ago(days(3)),
      must_enroll: true,
    },
  ],
  recovery_codes: [
    { id: 1, user_id: 4, code_hash: 'used', used_at: era.ago(days(3)), created_at: era.ago(days(20)) },
    { id: 2, user_id: 4, code_hash: 'fresh', created_at: era.ago(days(20)) },
  ],
  trusted_devices: [{ id: 1, user_id: 4, token_hash: 'of-a-device', created_at: era.ago(days(3)) }],
  second_factor_duties: [{ role: 'supervisor', created_at: era.ago(days(20)) }],
  rate_limits: [{ key: 'login:203.0.113.7:ana', count: 2, window_ends_at: era.ago(-15) }],
  system_settings: [
    {
      id: 1,
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
      version: 7,
      updated_at: era.ago(days(9)),
    },
  ],
  ...auditRows(era),
  notices: [
    {
      id: 1,
      kind: 'webhooks_refused',
      subject: '',
      fact: { kind: 'webhooks_refused', count: 3 },
      since: era.ago(days(2)),
      begun_at: era.ago(days(2)),
      shown_at: era.ago(days(2)),
      seen_at: era.ago(days(2)),
      ended_at: era.ago(days(2)),
    },
  ],
  notice_dismissals: [{ user_id: 1, notice_id: 1, dismissed_at: era.ago(days(2)) }],
  jobs: [{ name: 'of-an-earlier-version', lease_until: era.ago(10), done_at: era.ago(11) }],
  job_runs: [
    {
      id: '00000000-0000-4000-8000-000000000010',
      name: 'of-an-earlier-version',
      state: 'done',
      attempt: 2,
      stalled: 1,
      step: 'last',
      done: 10,
      total: 10,
      started_by: 1,
      created_at: era.ago(days(5)),
      started_at: era.ago(days(5)),
      heartbeat_at: era.ago(days(5)),
      finished_at: era.ago(days(5)),
    },
    {
      id: '00000000-0000-4000-8000-000000000011',
      name: 'of-an-earlier-version',
      state: 'cancelled',
      created_at: era.ago(days(4)),
      cancel_requested_at: era.ago(days(4)),
      finished_at: era.ago(days(4)),
      error: 'cancelled',
    },
  ],
  events: [
    { seq: 1, type: 'conversation_updated', conversation_id: 1, created_at: era.ago(60) },
    { seq: 2, type: 'message_received', conversation_id: 1, message_id: 1, created_at: era.ago(60) },
    { seq: 3, type: 'session_ended', user_id: 2, data: { reason: 'x' }, created_at: era.ago(60) },
  ],
  presence: [
    {
      connection_id: 'of-a-dead-process',
      process_id: 'gone',
      user_id: 2,
      connected_at: era.ago(60),
      heartbeat_at: era.ago(60),
      last_input_at: era.ago(60),
    },
  ],
})

function user(era: Era, row: Row): Row {
  return {
    email: `${String(row['username'])}@exemplo.com.br`,
    password_hash: era.passwordHash,
    role: 'operator',
    created_at: era.ago(days(300)),
    updated_at: era.ago(days(3)),
    ...row,
  }
}

/** The rows are sealed afterwards, as a program would have done. */
function auditRows(era: Era): Rows {
  const row = (id: number, more: Row): Row => ({
    id,
    user_id: 1,
    resource_type: 'user',
    resource_id: '2',
    details: { freed: 2 },
    created_at: era.ago(days(30) - id),
    ...more,
  })
  const person = { role: 'admin', session_id: 7, origin: 'request' }
  return {
    audit_logs: [
      row(1, { action: 'user.create' }),
      row(2, { action: 'auth.other_user', details: {} }),
      row(3, { action: 'user.block', ...person, outcome: 'refused' }),
      row(4, { action: 'user.unblock', ...person }),
      row(5, { action: 'user.update', ...person }),
      row(6, {
        action: 'audit.erase',
        ...person,
        resource_type: 'audit',
        details: { resourceType: 'user', resourceId: '2', rows: [4] },
      }),
      // Another version called it so.
      row(8, { action: 'second_factor.duties', resource_type: 'settings', resource_id: null }),
      // It is counting repetitions, and will be sealed by the program.
      row(7, { action: 'auth.other_user', ...person, repeats: 3, repeat_key: 'x', created_at: era.ago(0) }),
    ],
    audit_personal: [
      { log_id: 3, salt: '0123456789abcdef', values: { actor: 'Chefe', address: '203.0.113.7' } },
      { log_id: 4, salt: null, values: null, erased_by: 6 },
    ],
    audit_checks: [
      {
        id: 1,
        checked_at: era.ago(30),
        position: 2,
        breaks: 1,
        first_position: 2,
        first_fault: 'changed',
      },
    ],
  }
}
