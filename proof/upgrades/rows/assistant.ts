import { type Era, type Rows, days } from './era.ts'

/** An assistant that is switched off, and a conversation that it has left to people. */
export const assistantRows = (era: Era): Rows => ({
  gpt_maker_config: [
    {
      id: 1,
      agent_id: 'agent',
      agent_name: 'Bia',
      api_token_encrypted: era.encrypt('token'),
      api_token_hint: '…oken',
      is_active: false,
      auto_response: true,
      answers_since: era.ago(days(9)),
      // Nobody listens there.
      help_base_url: 'http://127.0.0.1:1',
      help_model: 'small',
      help_key_encrypted: era.encrypt('key'),
      help_key_hint: '…-key',
      updated_at: era.ago(days(9)),
    },
  ],
  assistant_turns: [
    {
      conversation_id: 1,
      answered_message_id: 1,
      failures: 2,
      not_before: era.ago(days(1)),
      lease_until: era.ago(days(1)),
      claim: 3,
      is_off: true,
      ended: 'failed',
    },
  ],
})
