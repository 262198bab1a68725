import { type Era, type Row, type Rows, days } from './era.ts'

const secrets = [
  'api_key_encrypted',
  'webhook_secret_encrypted',
  'webhook_secret_before_encrypted',
  'webhook_secret_pending_encrypted',
  'instance_token_encrypted',
  'code_encrypted',
]

/** A number that is not connected, a deleted one, and what the gateway has posted. */
export function numberRows(era: Era): Rows {
  return {
    evolution_api_config: [
      {
        id: 1,
        instance_name: 'loja',
        ...Object.fromEntries(secrets.map((name) => [name, era.encrypt(name)])),
        api_key_hint: '…1234',
        // Nobody listens there.
        base_url: 'http://127.0.0.1:1',
        webhook_url: 'http://127.0.0.1:1/api/webhook/evolution',
        status: 'close',
        owner_jid: '5511900000000@s.whatsapp.net',
        profile_name: 'Loja',
        last_connected_at: era.ago(days(2)),
        webhook_set_at: era.ago(days(90)),
        pace_per_second: 2.5,
        failures: 5,
        breaker_until: era.ago(-60),
        troubled_at: era.ago(days(2)),
        swept_until: era.ago(days(2)),
        sweep_lease_until: era.ago(days(2)),
        looked_back_at: era.ago(days(2)),
        silent_since: era.ago(days(3)),
        restarted_at: era.ago(days(2)),
        is_restart_failed: true,
        linking_at: era.ago(days(3)),
        code_at: era.ago(days(3)),
        code_count: 2,
        closed_reason: 'phone',
        closed_at: era.ago(days(2)),
        own_settings: { finalizationMessage: 'Até logo' },
        created_at: era.ago(days(300)),
        updated_at: era.ago(days(2)),
      },
      // A deleted one: its key is gone.
      {
        id: 2,
        instance_name: 'antiga',
        api_key_encrypted: '',
        api_key_hint: '',
        base_url: 'http://127.0.0.1:1',
        is_active: false,
        deleted_at: era.ago(days(30)),
      },
    ],
    first_steps: [{ id: 1, is_message_skipped: true, is_team_skipped: true, done_at: era.ago(days(200)) }],
    webhook_inbox: [
      inbox(era, 1, { processed_at: era.ago(days(2)), attempts: 1 }),
      inbox(era, 2, { dead_reason: 'unreadable', attempts: 5 }),
      inbox(era, 3, { instance_id: null, instance_name: 'outra' }),
    ],
    webhook_refusals: [{ id: 1, count: 3, since: era.ago(days(1)), last_at: era.ago(days(1)) }],
  }
}

function inbox(era: Era, id: number, row: Row): Row {
  return {
    id,
    instance_id: 1,
    instance_name: 'loja',
    event: 'messages.upsert',
    dedupe_key: `key-${id}`,
    lane: `lane-${id}`,
    payload: { event: 'messages.upsert', n: 12_345.678, text: 'é "assim" \\' },
    received_at: era.ago(days(2)),
    not_before: era.ago(days(2)),
    ...row,
  }
}
