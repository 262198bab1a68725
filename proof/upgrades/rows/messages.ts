import { type Era, type Row, type Rows, days } from './era.ts'

/** What was said in the conversations, what became of it, what waits to be sent, and the files. */
export function messageRows(era: Era): Rows {
  const { message } = era.files
  return {
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
        message_type: 'event',
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
        message_type: 'event',
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
    undone_sends: [{ conversation_id: 2, client_message_id: 'undone', undone_at: era.ago(60) }],
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

function fileRows({ ago, files }: Era): Rows {
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
      file(2, 'avatar', { contact_id: 1, mime_type: 'image/png' }),
      file(3, 'response', { is_quick_response: true }),
      file(4, 'profile', { user_id: 2, mime_type: 'image/png' }),
      file(5, 'spare', { is_passing: true, created_at: ago(1) }),
      file(6, 'erased', { is_erased: true, created_at: ago(1) }),
    ],
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
