/** Why a request is refused: its HTTP status, and what is said. */
export const conversationErrors = {
  'conversations.not_found': [404, 'Conversa não encontrada'],
  'conversations.queue_empty': [404, 'Não há conversas na fila.'],
  'conversations.completed': [409, 'Esta conversa já foi finalizada.'],
  'conversations.taken': [409, 'A conversa já está com {name}.'],
  'conversations.changed': [409, 'A conversa mudou enquanto você agia. Confira e tente novamente.'],
  'conversations.target_unavailable': [422, 'O operador escolhido não está disponível.'],
  'conversations.target_without_number': [422, '{name} não atende este número.'],
} as const
