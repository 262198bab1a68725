import { type Era, type Row, type Rows, days } from './era.ts'

const secrets = [
  'api_key_encrypted',
  'webhook_secret_encrypted',
  'webhook_secret_before_encrypted',
  'webhook_secret_pending_encrypted',
  'instance_token_encrypted',
]

/** Conversations that are over, one that the team has, one that was given back, and those who wait. */
export function talkRows(era: Era): Rows {
  const { message } = era.files
  const event = era.has(5) ? 'event' : 'unsupported'
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
        created_at: era.ago(days(300)),
        updated_at: era.ago(days(2)),
      },
    ],
    webhook_inbox: [
      inbox(era, 1, { processed_at: era.ago(days(2)), attempts: 1 }),
      inbox(era, 2, { dead_reason: 'unreadable', attempts: 5 }),
      inbox(era, 3, { instance_id: null, instance_name: 'outra' }),
    ],
    webhook_refusals: [{ id: 1, count: 3, since: era.ago(days(1)), last_at: era.ago(days(1)) }],
    conversations: [
      conversation(era, 1, {
        contact_id: 1,
        assigned_user_id: 2,
        status: 'completed',
        sub_status: 'OPERADOR',
        started_at: era.ago(days(7)),
        completed_at: era.ago(days(7) - 40),
        inactivity_warned_at: era.ago(days(7) - 30),
        rating_asked_at: era.ago(days(7) - 40),
        satisfaction: 4,
        notes: 'resolvido',
        message_count: 7,
        contact_message_count: 3,
        receipt_message_id: 3,
        receipt_due_id: 3,
      }),
      conversation(era, 2, {
        contact_id: 2,
        assigned_user_id: 2,
        status: 'active',
        sub_status: 'OPERADOR',
        waiting_for: 'client',
        priority: 'high',
        initiated_by: 'operator',
        disable_auto_close: true,
        message_count: 1,
      }),
      conversation(era, 3, {
        contact_id: 7,
        waiting_since: era.ago(50),
        message_count: 1,
        contact_message_count: 1,
      }),
      // Given back: until 0020 nobody was said to be waited for.
      conversation(era, 4, {
        contact_id: 6,
        status: 'active',
        sub_status: 'FILA',
        waiting_for: era.has(20) ? 'operator' : 'client',
        disable_auto_close: true,
        message_count: 1,
      }),
      conversation(era, 5, {
        contact_id: 2,
        status: 'completed',
        is_history: true,
        started_at: era.ago(days(60)),
        completed_at: era.ago(days(59)),
      }),
      conversation(era, 6, {
        contact_id: 8,
        pre_attendance_stage: 'waiting_option',
        message_count: 1,
        contact_message_count: 1,
      }),
    ],
    messages: [
      said(1, { conversation_id: 1, content: 'bom dia\n"aspas" \\ 😀', sort_at: era.ago(days(7)) }),
      answer(2, {
        conversation_id: 1,
        content: 'bom dia, em que posso ajudar?',
        delivery_status: 'read',
        delivered_at: era.ago(days(7) - 5),
        read_at: era.ago(days(7) - 6),
        response_ms: 240_000,
        edited_at: era.ago(days(7) - 10),
        quoted_whatsapp_id: 'WA-1',
        quoted_content: 'bom dia',
        client_message_id: 'of-the-browser-2',
        sort_at: era.ago(days(7) - 4),
        version: 3,
      }),
      said(3, {
        conversation_id: 1,
        content: 'segue a nota',
        message_type: 'document',
        file_name: 'nota.pdf',
        file_url: `/api/media/files/${message.name}`,
        file_mime_type: 'application/pdf',
        file_size: message.size,
        metadata: { pages: 2 },
        is_pinned: true,
        pin_changed_at: era.ago(days(7) - 15),
        sort_at: era.ago(days(7) - 12),
      }),
      answer(4, {
        conversation_id: 1,
        content: '',
        message_type: event,
        metadata: { event: { act: 'finalized' } },
        sort_at: era.ago(days(7) - 40),
      }),
      answer(5, {
        conversation_id: 1,
        content: 'apagada',
        deleted_at: era.ago(days(7) - 21),
        delivery_status: 'failed',
        failure_reason: 'refused',
        sort_at: era.ago(days(7) - 20),
      }),
      answer(6, {
        conversation_id: 1,
        sender_id: null,
        content: 'Qual?',
        message_type: 'poll',
        metadata: { origin: 'phone', poll: { options: ['a', 'b'], selectable: 1 } },
        delivery_status: 'delivered',
        sort_at: era.ago(days(7) - 25),
      }),
      answer(7, {
        conversation_id: 2,
        content: 'olá!',
        delivery_status: 'unknown',
        sort_at: era.ago(30),
      }),
      said(8, { conversation_id: 3, content: 'tem alguém?', sort_at: era.ago(50) }),
      answer(9, {
        conversation_id: 4,
        content: 'volta para a fila',
        message_type: event,
        metadata: { event: { act: 'returned' } },
        sort_at: era.ago(40),
      }),
      said(10, { conversation_id: 6, content: 'oi', sort_at: era.ago(45) }),
      said(11, {
        conversation_id: 1,
        content: 'foto',
        message_type: 'image',
        sort_at: era.ago(days(7) - 26),
        metadata: { width: 1, height: 1 },
      }),
    ],
    message_versions: [
      {
        id: 1,
        message_id: 2,
        content: 'bom dia',
        said_at: era.ago(days(7) - 4),
        replaced_at: era.ago(days(7) - 10),
      },
    ],
    message_reactions: [
      { id: 1, message_id: 2, sender: 'contact', emoji: '👍', reacted_at: era.ago(days(7) - 11) },
    ],
    message_votes: [
      { id: 1, message_id: 6, sender: 'contact', options: ['b'], voted_at: era.ago(days(7) - 26) },
    ],
    conversation_reads: [
      {
        user_id: 2,
        conversation_id: 1,
        last_message_id: 6,
        contact_message_count: 3,
        updated_at: era.ago(90),
      },
    ],
    conversation_drafts: [
      {
        user_id: 2,
        conversation_id: 2,
        content: 'ainda escrevo',
        quoted_message_id: 7,
        updated_at: era.ago(20),
      },
    ],
    conversation_ratings: [
      {
        id: 1,
        conversation_id: 1,
        contact_id: 1,
        operator_id: 2,
        service_rating: 4,
        operator_rating: 5,
        feedback: 'rápido',
        created_at: era.ago(days(7) - 50),
      },
    ],
    conversation_search: [
      {
        conversation_id: 1,
        part: 0,
        completed_at: era.ago(days(7) - 40),
        assigned_user_id: 2,
        contact_id: 1,
        first_message_id: 1,
        last_message_id: 6,
        words: "'bom':1 'dia':2",
      },
    ],
    conversation_facts: [
      {
        conversation_id: 1,
        started_at: era.ago(days(7)),
        first_reply_at: era.ago(days(7) - 4),
        first_reply_ms: 240_000,
        open_first_reply_ms: 0,
        queue_ms: 1,
        open_queue_ms: 0,
        handling_ms: 2,
        open_handling_ms: 0,
        ended_by: 'person',
      },
    ],
    pending_updates: [
      {
        id: 1,
        instance_id: 1,
        whatsapp_message_id: 'WA-of-nothing-yet',
        kind: 'delivery',
        data: { status: 'read' },
        created_at: era.ago(60),
      },
    ],
    forgotten_messages: [
      {
        id: 1,
        instance_id: 1,
        whatsapp_message_id: 'WA-forgotten',
        message_id: 900,
        contact_id: 2,
        message_type: 'document',
        content: 'esquecida',
        file_name: 'x.pdf',
        forgotten_at: era.ago(days(3)),
      },
    ],
    undone_sends: [{ conversation_id: 2, client_message_id: 'undone', undone_at: era.ago(60) }],
    pre_attendance_temp: [
      {
        id: 1,
        instance_id: 1,
        contact_id: 8,
        conversation_id: 6,
        phone_number: '5511987650008',
        contact_name: 'Antes da escolha',
        original_message: [10],
        created_at: era.ago(45),
        last_message_at: era.ago(45),
      },
    ],
    queue_pending_conversations: [
      {
        id: 1,
        conversation_id: 3,
        contact_id: 7,
        registered_at: era.ago(50),
        told_position: 1,
        told_at: era.ago(50),
      },
      {
        id: 2,
        conversation_id: 1,
        contact_id: 1,
        registered_at: era.ago(days(7)),
        processed_at: era.ago(days(7)),
      },
    ],
    outbox: [
      {
        id: 1,
        instance_id: 1,
        conversation_id: 2,
        message_id: 7,
        state: 'unknown',
        not_before: era.ago(30),
        lease_until: era.ago(29),
        tries: 1,
        first_attempt_at: era.ago(30),
        unknown_since: era.ago(29),
        last_error: 'timeout',
        created_at: era.ago(30),
      },
      {
        id: 2,
        instance_id: 1,
        conversation_id: 1,
        message_id: 2,
        priority: 10,
        state: 'sent',
        created_at: era.ago(days(7) - 4),
      },
    ],
    ...fileRows(era),
    media_fetches: [
      {
        id: 1,
        message_id: 11,
        not_before: era.ago(-60),
        tries: 3,
        last_error: '404',
        created_at: era.ago(60),
      },
    ],
  }
}

/** Set when the messages are there. */
export const lastMessages: Readonly<Record<number, number>> = { 1: 4, 2: 7, 3: 8, 4: 9, 6: 10 }

function fileRows({ has, ago, files }: Era): Rows {
  const file = (id: number, use: keyof typeof files, more: Row): Row => ({
    id,
    name: files[use].name,
    size_bytes: files[use].size,
    mime_type: 'application/pdf',
    sha256: files[use].sha256,
    created_at: ago(days(7)),
    ...more,
  })
  return {
    files: [
      file(1, 'message', { message_id: 3 }),
      // Until 0011 only the rows that name them told whose they are.
      file(2, 'avatar', { contact_id: 1, mime_type: 'image/png' }),
      file(3, 'response', { is_quick_response: true }),
      ...(has(21) ? [file(4, 'profile', { user_id: 2, mime_type: 'image/png' })] : []),
      file(5, 'spare', { is_passing: true, created_at: ago(1) }),
      ...(has(27) ? [file(6, 'erased', { is_erased: true, created_at: ago(1) })] : []),
    ],
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

function conversation(era: Era, id: number, row: Row): Row {
  return {
    id,
    instance_id: 1,
    protocol: `2026010100000${id}`,
    started_at: era.ago(60),
    last_activity_at: era.ago(30),
    created_at: era.ago(60),
    version: 4,
    ...row,
  }
}

function said(id: number, row: Row): Row {
  return {
    id,
    instance_id: 1,
    sender_type: 'contact',
    whatsapp_message_id: `WA-${id}`,
    metadata: {},
    sent_at: row['sort_at'],
    created_at: row['sort_at'],
    ...row,
  }
}

function answer(id: number, row: Row): Row {
  return said(id, { sender_type: 'user', sender_id: 2, ...row })
}
