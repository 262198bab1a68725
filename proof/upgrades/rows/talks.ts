import { type Era, type Row, type Rows, days } from './era.ts'

/** The contacts, their numbers, what was said with them and what became of it, and the files. */
export const talkRows = (era: Era): Rows => ({
  ...contactRows(era),
  ...numberRows(era),
  // Over, the team's, waiting, given back, history, and before the choice.
  conversations: [
    conversation(era, 1, {
      contact_id: 1,
      assigned_user_id: 2,
      status: 'completed',
      sub_status: 'OPERADOR',
      started_at: era.ago(days(7)),
      completed_at: era.ago(days(7) - 40),
      message_count: 7,
      contact_message_count: 3,
      last_message_id: 4,
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
      last_message_id: 7,
    }),
    conversation(era, 3, {
      contact_id: 7,
      waiting_since: era.ago(50),
      contact_message_count: 1,
      last_message_id: 8,
    }),
    conversation(era, 4, {
      contact_id: 6,
      status: 'active',
      disable_auto_close: true,
      last_message_id: 9,
    }),
    conversation(era, 5, {
      contact_id: 2,
      status: 'completed',
      is_history: true,
      started_at: era.ago(days(60)),
      completed_at: era.ago(days(59)),
      message_count: 0,
    }),
    conversation(era, 6, {
      contact_id: 8,
      pre_attendance_stage: 'waiting_option',
      contact_message_count: 1,
      last_message_id: 10,
    }),
  ],
  pre_attendance_temp: [
    {
      contact_id: 8,
      conversation_id: 6,
      phone_number: '5511987650008',
      original_message: [10],
      stage: 'waiting_option',
      created_at: era.ago(45),
      last_message_at: era.ago(45),
    },
  ],
  conversation_search: [{ part: 0, first_message_id: 1, last_message_id: 6 }],
  open_search: [{ conversation_id: 2, part: 0, contact_id: 2, first_message_id: 7, last_message_id: 7 }],
  queue_pending_conversations: [
    { conversation_id: 1, contact_id: 1 },
    { conversation_id: 3, contact_id: 7 },
  ],
  messages: [
    answer(era, 2, days(7) - 4, {
      content: 'bom dia, em que posso ajudar?',
      delivery_status: 'read',
      response_ms: 240_000,
      quoted_whatsapp_id: 'WA-1',
    }),
    said(era, 1, days(7), { content: 'bom dia\n"aspas" \\ 😀' }),
    said(era, 3, days(7) - 12, {
      content: 'segue a nota',
      message_type: 'document',
      file_name: 'nota.pdf',
      file_url: `/api/media/files/${era.files.message.name}`,
      file_mime_type: 'application/pdf',
      file_size: era.files.message.size,
      metadata: { pages: 2 },
      is_pinned: true,
    }),
    event(era, 4, days(7) - 40, { act: 'finalized' }),
    answer(era, 5, days(7) - 20, {
      content: 'apagada',
      deleted_at: era.ago(days(7) - 21),
      delivery_status: 'failed',
      failure_reason: 'refused',
    }),
    answer(era, 6, days(7) - 25, {
      sender_id: null,
      content: 'Qual?',
      message_type: 'poll',
      metadata: { origin: 'phone', poll: { options: ['a', 'b'], selectable: 1 } },
      delivery_status: 'delivered',
    }),
    answer(era, 7, 30, { conversation_id: 2, content: 'olá!', delivery_status: 'unknown' }),
    said(era, 8, 50, { conversation_id: 3, content: 'tem alguém?' }),
    event(era, 9, 40, { act: 'returned' }, 4),
    said(era, 10, 45, { conversation_id: 6, content: 'oi' }),
    said(era, 11, days(7) - 26, { message_type: 'image', metadata: { width: 1, height: 1 } }),
  ],
  message_votes: [{ message_id: 6 }],
  forgotten_messages: [{ message_id: 900, contact_id: 2, message_type: 'document' }],
  pending_updates: [{ kind: 'delivery', data: { status: 'read' } }],
  outbox: [
    { conversation_id: 2, message_id: 7, state: 'unknown' },
    { instance_id: 1, conversation_id: 1, message_id: 2, state: 'sent' },
  ],
  files: [
    file(era, 'message', { message_id: 3 }),
    file(era, 'avatar', { contact_id: 1, mime_type: 'image/png' }),
    file(era, 'response', { is_quick_response: true }),
    file(era, 'profile', { user_id: 2, mime_type: 'image/png' }),
    file(era, 'spare', { is_passing: true }),
    file(era, 'erased', { is_erased: true }),
  ],
  // Not before the proof is over.
  media_fetches: [{ message_id: 11, not_before: era.ago(-60) }],
})

const contactRows = ({ ago, files }: Era): Rows => ({
  companies: [{ name: 'Padaria São José' }, { name: 'Padaria Sao Jose', is_active: false }],
  company_distinctions: [{ second_id: 2 }],
  contact_categories: [{ name: 'Fornecedores da prova', color: '#00aaff' }],
  contacts: [
    {
      name: 'Rita Ácida',
      phone: '5511987650001',
      email: 'rita@exemplo.com.br',
      tags: ['VIP', 'Ação'],
      category: 'Fornecedores da prova',
      avatar_url: `/api/contacts/1/avatar?v=${files.avatar.name}`,
    },
    { name: 'Sem número', avatar_url: 'https://exemplo.com.br/foto.png' },
    { name: 'Juntada', deleted_at: ago(days(2)) },
    { name: 'Bloqueado', phone: '551133330004', is_blocked: true, is_active: false },
    { name: 'Contato anonimizado', erased_at: ago(days(3)) },
    { name: 'Devolvida', phone: '5511987650006' },
    { name: 'Na fila', phone: '5511987650007' },
    { name: 'Antes da escolha', phone: '5511987650008' },
  ],
  contact_identities: [
    // Made of a typed number.
    { contact_id: 1, kind: 'phone', value: '5511987650001', jid: '5511987650001' },
    { contact_id: 2, kind: 'lid', value: '99887766554433', jid: '99887766554433@lid' },
    { contact_id: 4, kind: 'phone', value: '551133330004', jid: '551133330004@s.whatsapp.net' },
  ],
  contact_distinctions: [{ second_id: 2 }],
  contact_merges: [
    {
      merged_id: 3,
      undo: {
        kept: facts('Rita'),
        keptAfter: facts('Rita Ácida'),
        merged: facts('Juntada'),
        identityIds: [3],
        conversationIds: [],
        joined: [],
      },
    },
  ],
  contact_imports: [
    {
      stored_name: files.import.name,
      size_bytes: files.import.size,
      format: 'csv',
      encoding: 'windows-1252',
      separator: ';',
      first_rows: [['Zé', '11']],
      mapping: ['name', null],
      actor: { name: 'Chefe' },
    },
  ],
  contact_import_rows: [
    { line: 2, outcome: 'updated', before: { name: 'Rita' }, after: { name: 'Rita Ácida' }, error: null },
    {
      line: 3,
      import_id: 1,
      outcome: 'error',
      cells: ['Zé', '11'],
      field: 'phone',
      value: '11',
      error: 'phone',
    },
  ],
  privacy_requests: [{ kind: 'anonymize', contact_id: 5, proof: { messages: 3, files: 1 } }],
})

/** A number that is not connected, a deleted one whose key is gone, and what the gateway has posted. */
const numberRows = ({ ago }: Era): Rows => ({
  evolution_api_config: [
    {
      instance_name: 'loja',
      // Nobody listens there.
      base_url: 'http://127.0.0.1:1',
      webhook_url: 'http://127.0.0.1:1/api/webhook/evolution',
      status: 'close',
      closed_reason: 'phone',
      owner_jid: '5511900000000@s.whatsapp.net',
      own_settings: { finalizationMessage: 'Até logo' },
    },
    {
      api_key_encrypted: '',
      api_key_hint: '',
      base_url: 'http://127.0.0.1:1',
      is_active: false,
      deleted_at: ago(days(30)),
    },
  ],
  webhook_inbox: [{}, { instance_id: 1, dead_reason: 'unreadable' }, { instance_name: 'outra' }],
})

const facts = (name: string) => ({
  name,
  phone: null,
  email: null,
  tags: [],
  category: 'general',
  notes: null,
  companyId: null,
  isBlocked: false,
  hasGatewayName: false,
  gatewayNamedAt: null,
})

function conversation(era: Era, id: number, row: Row): Row {
  return {
    id,
    instance_id: 1,
    protocol: `2026010100000${id}`,
    started_at: era.ago(60),
    last_activity_at: era.ago(30),
    message_count: 1,
    ...row,
  }
}

function said(era: Era, id: number, minutesAgo: number, row: Row): Row {
  const at = era.ago(minutesAgo)
  return {
    id,
    conversation_id: 1,
    instance_id: 1,
    sender_type: 'contact',
    whatsapp_message_id: `WA-${id}`,
    metadata: {},
    sort_at: at,
    sent_at: at,
    created_at: at,
    ...row,
  }
}

function answer(era: Era, id: number, minutesAgo: number, row: Row): Row {
  return said(era, id, minutesAgo, { sender_type: 'user', sender_id: 2, ...row })
}

function event(era: Era, id: number, minutesAgo: number, happened: Row, conversation_id = 1): Row {
  const metadata = { event: happened }
  return answer(era, id, minutesAgo, { conversation_id, content: '', message_type: 'event', metadata })
}

function file({ files }: Era, use: keyof Era['files'], row: Row): Row {
  const { name, size, sha256 } = files[use]
  return { name, size_bytes: size, mime_type: 'application/pdf', sha256, ...row }
}
