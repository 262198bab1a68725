import { heldBy, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  message: { name: 'Mensagens', place: 60, about: 'message' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  message: { name: 'Mensagem', gone: 'um contato que não existe mais' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'message.edit': { conversationId: number }
  'message.delete': { conversationId: number }
  'message.undo': { conversationId: number }
  'conversation.note': { messageId: number }
  'conversation.edit_note': { messageId: number }
  'conversation.delete_note': { messageId: number; authorId: number | null }
}

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'message.edit': ({ about }) => ['editou uma mensagem na conversa de ', about],
  'message.delete': ({ about }) => ['apagou uma mensagem na conversa de ', about],
  'message.undo': ({ about }) => ['desfez um envio na conversa de ', about],
  'conversation.note': ({ about }) => ['escreveu uma nota interna na conversa de ', about],
  'conversation.edit_note': ({ about }) => ['editou uma nota interna na conversa de ', about],
  'conversation.delete_note': (facts) => [
    'excluiu uma nota interna da conversa de ',
    facts.about,
    heldBy(facts, facts.details.authorId, 'escrita por'),
  ],
}
