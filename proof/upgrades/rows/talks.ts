import { type Era, type Row, type Rows, days } from './era.ts'

/** Conversations that are over, one that the team has, one that was given back, and those who wait. */
export function talkRows(era: Era): Rows {
  return {
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
      // Given back.
      conversation(era, 4, {
        contact_id: 6,
        status: 'active',
        sub_status: 'FILA',
        waiting_for: 'operator',
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
